/** Who is signed in, and leaving. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, post } from '#web/lib/call.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { loginPath } from '#web/lib/next-path.ts'
import { toastError } from '#web/ui/toast.ts'

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /api/auth/me', { signal }),
})

/** Goes to the login page and keeps the way back. The panel is left for good: its memory of the person goes with it. */
export function goToLogin(): void {
  location.assign(loginPath(location.pathname + location.search))
}

/** Ends the session, forgets what was read under it and goes to the login page. */
export function useLogOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => {
      client.clear()
      location.assign('/login')
    },
    // The title is the product's own for both failures (product.md section 8).
    onError: (error) => toastError('Failed to cancel deletion', messageOf(error)),
  })
}

/** Takes the account back from its deletion. */
export function useCancelDeletion(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => post('/api/auth/me/delete/cancel'),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meOptions.queryKey })
      onDone()
    },
    onError: (error) => toastError('Failed to cancel deletion', messageOf(error)),
  })
}

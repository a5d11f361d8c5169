/** Who is signed in, and leaving. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'
import { deleteAllDrafts, leaveWithDrafts } from '#web/lib/drafts.ts'
import { detailsOf, messageOf } from '#web/lib/http-error.ts'
import { storeSignOutReason, loginPath } from '#web/lib/next-path.ts'
import { dismissToast, toastError } from '#web/ui/toast.ts'

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /api/auth/me', { signal }),
})

/** Goes to the login page and keeps the way back. The panel is left for good: its memory of the person goes with it. */
export function goToLogin(): void {
  leaveWithDrafts(loginPath(location.pathname + location.search))
}

/**
 * A session, an account or a right may end while the panel is open. Any 403 asks who is there: one question for all that are refused
 * meanwhile, and what it answers asks nothing more. Where that is refused too, the session has ended.
 */
export function handleForbidden(client: QueryClient, key: readonly unknown[] | undefined): void {
  const me = client.getQueryData(meOptions.queryKey)
  if (key?.[0] !== meOptions.queryKey[0]) {
    if (me) void client.refetchQueries({ queryKey: meOptions.queryKey }, { cancelRefetch: false })
    return
  }
  // An account that is erased by now has nowhere to come back to.
  if (me?.delete_at && Date.parse(me.delete_at) <= Date.now()) {
    storeSignOutReason('Your account has been erased.')
    location.assign('/login')
    return
  }
  if (me) storeSignOutReason('Your session has ended. Sign in and you are back where you were.')
  goToLogin()
}

export function useLogOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => {
      client.clear()
      deleteAllDrafts()
      location.assign('/login')
    },
    onError: showFailure,
  })
}

/** The failures that were said, until it has worked. */
const failures: string[] = []

/** The title is the product's own for both failures (product.md section 8). */
function showFailure(error: Error): void {
  const id = `failed to cancel deletion ${failures.length}`
  failures.push(id)
  toastError('Failed to cancel deletion', messageOf(error), detailsOf(error), id)
}

export function useCancelDeletion(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/me/delete/cancel'),
    onSuccess: async () => {
      for (const id of failures.splice(0)) dismissToast(id)
      await client.invalidateQueries({ queryKey: meOptions.queryKey })
      onDone()
    },
    onError: showFailure,
  })
}

/** The current user, and the ways in which a session ends. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { deleteAllDrafts, leaveWithDrafts } from '#web/lib/drafts.ts'
import { detailsOf, messageOf } from '#web/lib/http/http-error.ts'
import { storeSignOutReason, loginPath } from '#web/lib/url/next-path.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { dismissToast, toastError } from '#web/ui/toast.ts'

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /api/auth/me', { signal }),
})

/** Loads the login page, which returns to the current address. The query cache is lost with this page. */
export function goToLogin(): void {
  leaveWithDrafts(loginPath(location.pathname + location.search))
}

/**
 * Handles a 403, because a session, an account or a right may end while the panel is open. Refetches the current user, once for concurrent
 * errors. If that fails with 403 too, the session has ended.
 */
export function handleForbidden(client: QueryClient, key: readonly unknown[] | undefined): void {
  const me = client.getQueryData(meOptions.queryKey)
  if (key?.[0] !== meOptions.queryKey[0]) {
    if (me) void client.refetchQueries({ queryKey: meOptions.queryKey }, { cancelRefetch: false })
    return
  }
  // An erased account has no page to return to.
  if (me?.delete_at && Date.parse(me.delete_at) <= serverTime(Date.now())) {
    storeSignOutReason(m.session_erased())
    location.assign('/login')
    return
  }
  if (me) storeSignOutReason(m.session_ended())
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

/** IDs of the shown error toasts. */
const failures: string[] = []

/** Logging out and cancelling the deletion share this title. */
function showFailure(error: Error): void {
  const id = `cancel-deletion-${failures.length}`
  failures.push(id)
  toastError(m.session_cancel_deletion_failed(), messageOf(error), detailsOf(error), id)
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

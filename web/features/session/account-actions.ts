/** Logging out, and cancelling the deletion of the account. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#messages'
import { deleteAllDrafts, leavePage } from '#web/lib/drafts.ts'
import { call, detailsOf, messageOf } from '#web/lib/http/call.ts'
import { dismissToast, toastError } from '#web/ui/toast.ts'
import { meOptions } from './session.api.ts'

export function useLogOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/logout'),
    onSuccess: () => {
      client.clear()
      deleteAllDrafts()
      leavePage('/login')
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

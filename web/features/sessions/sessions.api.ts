/** The browsers where the user is signed in. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/users/sessions.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { detailsOf, isStatus, messageOf } from '#web/lib/http/http-error.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'

export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /api/users/sessions', { signal }),
  // The use of a session sends no event to the panel.
  refetchOnMount: 'always',
})

/** `Firefox on Windows`. */
export function sessionName({ browser, os }: Session): string {
  if (browser !== null && os !== null) return m.sessions_name({ browser, os })
  return browser ?? os ?? m.sessions_unknown()
}

/** Succeeds if the session has already ended. */
export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Session) =>
      call('DELETE /api/users/sessions/{id}', { params: { id } }).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error
      }),
    onSuccess: (_, ended) => toastSuccess(m.sessions_ended({ session: sessionName(ended) })),
    onError: (error, session) => toastError(m.sessions_failed({ session: sessionName(session) }), messageOf(error), detailsOf(error)),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/users/sessions'),
    onSuccess: () => toastSuccess(m.sessions_others_ended()),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  })
}

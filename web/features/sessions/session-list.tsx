import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut, Monitor, Smartphone } from 'lucide-react'
import type { Session } from '#contract/users/sessions.ts'
import { m } from '#messages'
import { useLogOut } from '#web/features/session/account-actions.ts'
import { call, detailsOf, isStatus, messageOf } from '#web/lib/http/call.ts'
import { formatTime, useTimeZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { ListCard } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'

export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /api/users/sessions', { signal }),
  // The use of a session sends no event to the panel.
  refetchOnMount: 'always',
})

/** `Firefox on Windows`. */
function sessionName({ browser, os }: Session): string {
  if (browser !== null && os !== null) return m.sessions_name({ browser, os })
  return browser ?? os ?? m.sessions_unknown()
}

/** Succeeds if the session has already ended. */
function useEndSession() {
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

function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/users/sessions'),
    onSuccess: () => toastSuccess(m.sessions_others_ended()),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  })
}

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const end = useEndOtherSessions()
  const others = sessions.filter(({ current }) => !current).length
  return (
    <ListCard
      title={m.sessions_title()}
      description={m.sessions_hint()}
      aside={
        others > 0 && (
          <ConfirmButton
            trigger={<Button className="shrink-0">{m.sessions_end_others_ask()}</Button>}
            title={m.sessions_end_others_title()}
            confirm={m.sessions_end_others()}
            danger
            mutation={end}
            onConfirm={() => end.mutateAsync()}
          >
            <p>{m.sessions_end_others_hint({ count: others })}</p>
          </ConfirmButton>
        )
      }
    >
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </ListCard>
  )
}

const PHONE_SYSTEMS = new Set(['Android', 'iOS'])

function SessionRow({ session }: { session: Session }) {
  const { current, os, address } = session
  const Icon = os !== null && PHONE_SYSTEMS.has(os) ? Smartphone : Monitor
  useTimeZone()
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
      <div className="flex min-w-0 items-start gap-3">
        <span className="mt-0.5 inline-flex size-8 shrink-0 items-center justify-center rounded-6 bg-surface-2 text-ink-2">
          <Icon size={17} aria-hidden="true" />
        </span>
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="font-medium [overflow-wrap:anywhere]">{sessionName(session)}</span>
            {current && <span className="rounded-full tint-ok px-2 text-12 leading-5 font-medium text-ok">{m.sessions_current()}</span>}
          </div>
          <p className="mt-0.5 flex flex-wrap gap-x-2 text-13 text-ink-2">
            {current ? (
              m.sessions_active_now()
            ) : (
              <span>
                <RichText message={m.sessions_last_seen} tags={{ time: () => <TimeAgo at={session.last_seen_at} /> }} />
              </span>
            )}
            {address !== null && (
              <span>
                <span className="sr-only">{m.sessions_address()} </span>
                <span className="font-mono text-12">{address}</span>
              </span>
            )}
          </p>
          <p className="text-12 text-ink-3">{m.sessions_signed_in({ time: formatTime(session.created_at, 'minute') })}</p>
        </div>
      </div>
      <EndButton session={session} />
    </li>
  )
}

function EndButton({ session }: { session: Session }) {
  const end = useEndSession()
  const logOut = useLogOut()
  return (
    <Button
      className="shrink-0 max-sm:w-full"
      icon={<LogOut size={15} aria-hidden="true" />}
      busy={end.isPending || logOut.isPending}
      aria-label={session.current ? m.sessions_end_current() : m.sessions_end_named({ session: sessionName(session) })}
      onClick={() => (session.current ? logOut.mutate() : end.mutate(session))}
    >
      {m.sessions_end()}
    </Button>
  )
}

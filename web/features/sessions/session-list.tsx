import { LogOut, Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { Session } from '#contract/users/sessions.ts'
import { m } from '#messages'
import { useLogOut } from '#web/features/session/account-actions.ts'
import { formatTime, useTimeZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { sessionName, useEndOtherSessions, useEndSession } from './sessions.api.ts'

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const [isConfirming, setConfirming] = useState(false)
  const others = sessions.filter(({ current }) => !current).length
  return (
    <section aria-labelledby="sessions" className="card">
      <header className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
        <div>
          <h2 id="sessions" tabIndex={-1} className="font-medium outline-none">
            {m.sessions_title()}
          </h2>
          <p className="mt-0.5 text-13 text-pretty text-ink-2">{m.sessions_hint()}</p>
        </div>
        {others > 0 && (
          <Button className="shrink-0" onClick={() => setConfirming(true)}>
            {m.sessions_end_others_ask()}
          </Button>
        )}
      </header>
      <ul className="divide-y divide-line border-t border-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {isConfirming && <EndOthersDialog count={others} onClose={() => setConfirming(false)} />}
    </section>
  )
}

const PHONE_SYSTEMS = new Set(['Android', 'iOS'])

function SessionRow({ session }: { session: Session }) {
  const { current, os, address } = session
  const Icon = os !== null && PHONE_SYSTEMS.has(os) ? Smartphone : Monitor
  const name = sessionName(session)
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
      <div className="flex min-w-0 items-start gap-3">
        <span className="mt-0.5 inline-flex size-8 shrink-0 items-center justify-center rounded-6 bg-surface-2 text-ink-2">
          <Icon size={17} aria-hidden="true" />
        </span>
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
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
              <>
                <span aria-hidden="true" className="text-ink-3">
                  ·
                </span>
                <span>
                  <span className="sr-only">{m.sessions_address()} </span>
                  <span className="font-mono text-12">{address}</span>
                </span>
              </>
            )}
          </p>
          <SignedInAt at={session.created_at} />
        </div>
      </div>
      {current ? <LogOutButton /> : <EndButton session={session} />}
    </li>
  )
}

function SignedInAt({ at }: { at: string }) {
  useTimeZone()
  return <p className="text-12 text-ink-3">{m.sessions_signed_in({ time: formatTime(at, 'minute') })}</p>
}

const BUTTON_CLASS = 'shrink-0 max-sm:w-full'
const ICON = <LogOut size={15} aria-hidden="true" />

function EndButton({ session }: { session: Session }) {
  const end = useEndSession()
  return (
    <Button
      className={BUTTON_CLASS}
      icon={ICON}
      busy={end.isPending}
      aria-label={m.sessions_end_named({ session: sessionName(session) })}
      onClick={() => end.mutate(session)}
    >
      {m.sessions_end()}
    </Button>
  )
}

function LogOutButton() {
  const logOut = useLogOut()
  return (
    <Button
      className={BUTTON_CLASS}
      icon={ICON}
      busy={logOut.isPending}
      aria-label={m.sessions_end_current()}
      onClick={() => logOut.mutate()}
    >
      {m.sessions_end()}
    </Button>
  )
}

function EndOthersDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const end = useEndOtherSessions()
  return (
    <MutationDialog
      title={m.sessions_end_others_title()}
      confirm={m.sessions_end_others()}
      danger
      mutation={end}
      onConfirm={async () => {
        await end.mutateAsync()
        onClose()
      }}
      onClose={onClose}
    >
      <p>{m.sessions_end_others_hint({ count })}</p>
    </MutationDialog>
  )
}

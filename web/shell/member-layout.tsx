import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Ban, LogOut } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { AppealLink } from '#web/features/about/appeal-link.tsx'
import { useCancelDeletion, useLogOut } from '#web/features/session/account-actions.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { exactTime, relativeTime, timeLeft, useNow } from '#web/lib/time.ts'
import { takeLostFocus } from '#web/lib/recover-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { AppliedPreferences } from '#web/features/preferences/preferences.api.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { Frame } from './frame.tsx'

export function MemberLayout() {
  return (
    <>
      <MemberPage />
      <Toaster />
    </>
  )
}

/** The page of a signed-in user. Restricted accounts see their own page instead. A ban takes precedence over a deletion. */
function MemberPage() {
  // The route guard has fetched it. This subscribes to its changes.
  const { data: me } = useQuery(meOptions)
  const isStale = useReloadAfterRestriction(me !== undefined && (me.banned || me.delete_at !== null))
  if (me === undefined) return null
  if (me.banned) return <BannedPage me={me} />
  if (me.delete_at !== null) return <PendingDeletionPage me={me} until={me.delete_at} />
  if (isStale) {
    // The same as in index.html.
    return (
      <div className="authorizing" role="status">
        <span className="spinner" aria-hidden="true" />
        {m.shell_loading()}
      </div>
    )
  }
  return (
    <>
      <Frame me={me} />
      <AppliedPreferences />
    </>
  )
}

/** Runs the loaders again once a ban is lifted or a deletion is cancelled. Returns whether the panel must wait for them. */
function useReloadAfterRestriction(restricted: boolean): boolean {
  const client = useQueryClient()
  const router = useRouter()
  const [isStale, setIsStale] = useState(restricted)
  if (restricted && !isStale) setIsStale(true)
  useEffect(() => {
    if (restricted || !isStale) return
    // The backend has rejected the calls of the restricted account.
    client.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void router.invalidate({ sync: true }).finally(() => setIsStale(false))
  }, [client, isStale, restricted, router])
  return isStale
}

const BANNED_POLL_MS = 5000
const DELETION_POLL_MS = 1000
const POLL_AFTER_END_MS = 3000

/** As `PendingDeletionPage`, it polls, because such an account has no event stream. */
function BannedPage({ me }: { me: Me }) {
  useQuery({ ...meOptions, refetchInterval: BANNED_POLL_MS })
  useTitle(m.shell_banned_title())
  return (
    <RestrictedFrame me={me}>
      <Ban size={32} className="mb-4 text-danger" aria-hidden="true" />
      <Heading>{m.shell_banned_heading()}</Heading>
      <p className="mt-3 text-balance text-ink-2">
        <RichText message={m.shell_banned_appeal} tags={{ address: () => <AppealLink /> }} />
      </p>
      {me.banned_until !== undefined && <BanExpiry at={me.banned_until} />}
      {me.ban_reason !== undefined && me.ban_reason !== '' && (
        <section className="card mt-6 w-full p-4 text-left" aria-labelledby="ban-reason">
          <h2 id="ban-reason" className="text-12 text-ink-3">
            {m.shell_banned_reason()}
          </h2>
          <p className="mt-1 break-words whitespace-pre-line">{me.ban_reason}</p>
        </section>
      )}
    </RestrictedFrame>
  )
}

/** A job lifts expired bans, so access returns a few seconds late. */
function BanExpiry({ at }: { at: string }) {
  const now = useNow()
  return (
    <p className="mt-4 text-13 text-ink-2">
      {Date.parse(at) > now ? (
        <RichText
          message={m.shell_banned_ends}
          inputs={{ relative: relativeTime(at, now) }}
          tags={{
            time: () => (
              <time dateTime={at} className="font-medium text-ink-1">
                {exactTime(at)}
              </time>
            ),
          }}
        />
      ) : (
        m.shell_banned_over()
      )}
    </p>
  )
}

function PendingDeletionPage({ me, until }: { me: Me; until: string }) {
  const navigate = useNavigate()
  const cancel = useCancelDeletion(() => {
    toastSuccess(m.shell_deletion_cancelled())
    void navigate({ to: '/' })
  })
  useTitle(m.shell_deletion_title())
  const left = timeLeft(until, useNow())
  const isOver = left.hours + left.minutes + left.seconds === 0
  // Erasure ends the session, and this call then leads to the login page.
  useQuery({ ...meOptions, refetchInterval: isOver ? POLL_AFTER_END_MS : DELETION_POLL_MS })
  return (
    <RestrictedFrame
      me={me}
      action={
        <Button variant="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {m.shell_deletion_cancel()}
        </Button>
      }
    >
      <Heading>{m.shell_deletion_heading()}</Heading>
      <p className="mt-3 text-pretty text-ink-2">{m.shell_deletion_body()}</p>
      <div role="timer" aria-label={m.shell_deletion_time_left()} className="mt-8 flex gap-2 sm:gap-3">
        <TimeUnit value={left.hours} unit={m.shell_deletion_hours()} />
        <TimeUnit value={left.minutes} unit={m.shell_deletion_minutes()} />
        <TimeUnit value={left.seconds} unit={m.shell_deletion_seconds()} />
      </div>
      <p className="mt-4 text-13 text-ink-3" role="status">
        {isOver ? (
          <span className="inline-flex items-center gap-2">
            <span className="spinner" aria-hidden="true" />
            {m.shell_deletion_over()}
          </span>
        ) : (
          <RichText message={m.shell_deletion_ends} tags={{ time: () => <time dateTime={until}>{exactTime(until)}</time> }} />
        )}
      </p>
      <p className="mt-4 text-13 text-ink-3">
        <RichText message={m.shell_deletion_help} tags={{ address: () => <AppealLink /> }} />
      </p>
    </RestrictedFrame>
  )
}

function TimeUnit({ value, unit }: { value: number; unit: string }) {
  return (
    <div className="card w-24 min-w-0 py-4">
      <div className="text-28 font-semibold tabular-nums">{String(value).padStart(2, '0')}</div>
      <div className="text-12 text-ink-3">{unit}</div>
    </div>
  )
}

function RestrictedFrame({ me, action, children }: { me: Me; action?: ReactNode; children: ReactNode }) {
  const logOut = useLogOut()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 sm:px-6">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar user={me.discord} />
          <span className="min-w-0 [overflow-wrap:anywhere] font-medium">{me.discord.username}</span>
        </div>
        <div className="flex items-center gap-2">
          {action}
          <IconButton label={m.shell_logout()} disabled={logOut.isPending} onClick={() => logOut.mutate()}>
            <LogOut size={18} aria-hidden="true" />
          </IconButton>
        </div>
      </header>
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col items-center justify-center px-6 py-12 text-center">{children}</main>
    </div>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <h1 ref={takeLostFocus} tabIndex={-1} className="text-28 font-semibold tracking-[-0.02em] text-balance outline-none">
      {children}
    </h1>
  )
}

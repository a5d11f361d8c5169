import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { takeLostFocus } from '#web/lib/recover-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { AppealLink } from '#web/features/about/appeal-link.tsx'
import { RestrictedFrame } from './restricted-frame.tsx'

/** Polls, because a banned account has no event stream. */
const POLL_MS = 5000

/** The only page a banned account can open. */
export function BannedPage({ me }: { me: Me }) {
  useQuery({ ...meOptions, refetchInterval: POLL_MS })
  useTitle(m.shell_banned_title())
  return (
    <RestrictedFrame me={me}>
      <Ban size={32} className="text-danger" aria-hidden="true" />
      <h1 ref={takeLostFocus} tabIndex={-1} className="mt-4 text-28 font-semibold tracking-[-0.02em] text-balance outline-none">
        {m.shell_banned_heading()}
      </h1>
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

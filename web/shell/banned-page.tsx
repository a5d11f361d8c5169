import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import type { Me } from '#contract/users.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { useLostFocus } from '#web/lib/use-lost-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { RestrictedFrame } from './restricted-frame.tsx'

/** A banned account has no stream of events. */
const ASK_MS = 5000

/** All that a banned account sees (product.md section 2). */
export function BannedPage({ me }: { me: Me }) {
  const { data: about } = useQuery(aboutOptions)
  useQuery({ ...meOptions, refetchInterval: ASK_MS })
  const title = useLostFocus<HTMLHeadingElement>()
  useTitle('Account banned')
  return (
    <RestrictedFrame me={me}>
      <Ban size={32} className="text-danger" aria-hidden="true" />
      <h1 ref={title} tabIndex={-1} className="mt-4 text-28 font-semibold tracking-[-0.02em] text-balance outline-none">
        Sorry, your account is banned
      </h1>
      <p className="mt-3 text-balance text-ink-2">
        If you think this is a mistake, write to{' '}
        {about ? (
          <a
            href={`mailto:${about.ban_appeal_email}`}
            className="inline-block max-w-full [overflow-wrap:anywhere] text-accent underline underline-offset-2"
          >
            {about.ban_appeal_email}
          </a>
        ) : (
          'us'
        )}{' '}
        and tell us why.
      </p>
      {me.banned_until !== undefined && <BanEnds at={me.banned_until} />}
      {me.ban_reason !== undefined && me.ban_reason !== '' && (
        <section className="card mt-6 w-full p-4 text-left" aria-labelledby="ban-reason">
          <h2 id="ban-reason" className="text-12 text-ink-3">
            Ban reason
          </h2>
          <p className="mt-1 break-words whitespace-pre-line">{me.ban_reason}</p>
        </section>
      )}
    </RestrictedFrame>
  )
}

/** The ban is lifted a little after its time. */
function BanEnds({ at }: { at: string }) {
  const now = serverTime(useNow())
  return (
    <p className="mt-4 text-13 text-ink-2">
      {Date.parse(at) > now ? (
        <>
          The ban ends by itself on{' '}
          <time dateTime={at} className="font-medium text-ink-1">
            {exactTime(at)}
          </time>{' '}
          ({relativeTime(at, now)}).
        </>
      ) : (
        'The time of the ban is over. It is being lifted.'
      )}
    </p>
  )
}

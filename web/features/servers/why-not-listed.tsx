import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { exactTime, lasting, useNow } from '#web/lib/time.ts'
import type { ShownServer } from './access.ts'
import { textOf } from './held-back.ts'

const question = ({ owner }: ShownServer) => (owner ? 'Why is it not listed?' : 'Why am I not listed?')

/** One sentence for each reason, and what to do. Nothing while the server is on the list. */
export function WhyNotListed({ server, action }: { server: ShownServer; action?: ReactNode }) {
  if (server.listing.listed) return null
  return (
    <section aria-labelledby="why" className="mb-6 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <EyeOff size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="why" className="font-medium">
          {question(server)}
        </h2>
        <ul className="mt-1 space-y-1 text-ink-2">
          {server.listing.reasons.map((reason) => (
            <li key={reason.code} className="[overflow-wrap:anywhere]">
              {textOf(reason, server.banned_until)} <Lasting since={reason.since} />
            </li>
          ))}
        </ul>
        {server.banned && <Appeal />}
        {action !== undefined && <div className="mt-3 flex flex-wrap gap-2 empty:hidden">{action}</div>}
      </div>
    </section>
  )
}

function Appeal() {
  const { data: about } = useQuery(aboutOptions)
  if (about === undefined) return null
  return (
    <p className="mt-2 text-ink-2">
      If you think this is a mistake, write to{' '}
      <a href={`mailto:${about.ban_appeal_email}`} className="[overflow-wrap:anywhere] text-accent underline underline-offset-2">
        {about.ban_appeal_email}
      </a>
      .
    </p>
  )
}

/** The same in one line. */
export function WhyNotListedBriefly({ server, onMore }: { server: ShownServer; onMore: () => void }) {
  const [first] = server.listing.reasons
  if (server.listing.listed || first === undefined) return null
  return (
    <section aria-label={question(server)} className="mb-4 flex items-center gap-2.5 rounded-6 tint-warn px-3 py-1 text-13">
      <EyeOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 truncate text-ink-2" title={textOf(first, server.banned_until)}>
        <span className="font-medium text-ink-1">Not listed</span> · {textOf(first, server.banned_until)}
      </p>
      <button
        type="button"
        onClick={onMore}
        className="min-h-7 shrink-0 rounded-6 px-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        What to do
      </button>
    </section>
  )
}

/** `For 21 s.` */
function Lasting({ since }: { since: string }) {
  const now = useNow()
  return (
    <time dateTime={since} data-tip={exactTime(since)} className="rounded-6 text-12 whitespace-nowrap tabular-nums">
      For {lasting(since, now)}.
    </time>
  )
}

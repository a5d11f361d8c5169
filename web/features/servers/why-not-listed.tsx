import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** Why players don't see the server: one sentence for each reason, and what to do. Nothing while it is on the list. */
export function WhyNotListed({ server, action }: { server: Server; action?: ReactNode }) {
  if (server.listing.listed) return null
  return (
    <section aria-labelledby="why" className="mb-6 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <EyeOff size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="why" className="font-medium">
          Why am I not listed?
        </h2>
        <ul className="mt-1 space-y-1 text-ink-2">
          {server.listing.reasons.map((reason) => (
            <li key={reason.code}>
              {reason.message}{' '}
              <span className="text-12 whitespace-nowrap text-ink-2">
                since <TimeAgo at={reason.since} />
              </span>
            </li>
          ))}
        </ul>
        {action !== undefined && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </section>
  )
}

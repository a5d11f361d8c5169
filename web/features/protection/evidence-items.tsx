import type { ReactNode } from 'react'
import type { EvidenceItem } from '#contract/protection.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** What was seen, as a timeline. */
export function EvidenceItems({ items }: { items: readonly EvidenceItem[] }) {
  return (
    <ol>
      {items.map((item, index) => (
        // They have no ids, and two may be alike.
        // oxlint-disable-next-line react/no-array-index-key
        <Item key={index} item={item} />
      ))}
    </ol>
  )
}

function Item({ item: { at, observed, expected, address } }: { item: EvidenceItem }) {
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-5 before:bottom-0 before:left-[5px] before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span className="mt-[7px] size-[11px] shrink-0 rounded-full border-2 border-line-strong bg-surface-1" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex gap-x-3 gap-y-0.5 max-sm:flex-col sm:items-baseline sm:justify-between">
          <p className="min-w-0 [overflow-wrap:anywhere]">{observed}</p>
          <span className="shrink-0 text-12 whitespace-nowrap text-ink-3">
            <TimeAgo at={at} />
          </span>
        </div>
        {(expected !== '' || address !== null) && (
          <dl className="mt-0.5 flex flex-wrap gap-x-4 text-13">
            {expected !== '' && <Fact label="Expected">{expected}</Fact>}
            {address !== null && (
              <Fact label="From">
                <span className="font-mono">{address}</span>
              </Fact>
            )}
          </dl>
        )}
      </div>
    </li>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] text-ink-2">{children}</dd>
    </div>
  )
}

import { useState } from 'react'
import type { EvidenceItem, IssueDetail } from '#contract/protection.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { Viewer } from './issue-list.tsx'
import { SeriesGraph } from './series-graph.tsx'

/** So many say what it is about; the others are there for whoever doubts it. */
const SHOWN = 5
/** What stands in the place of the hidden part of an address. */
const MASK = '•'

/** What was seen, newest first, over the numbers where it is one. */
export function EvidenceCard({ issue: { evidence, occurrences }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const [whole, setWhole] = useState(false)
  const { items, series } = evidence
  const shown = whole ? items : items.slice(0, SHOWN)
  const masked = viewer === 'owner' && items.some(({ address }) => address?.includes(MASK))
  return (
    <section aria-labelledby="evidence" className="card p-5">
      <h2 id="evidence" className="font-medium">
        Evidence
      </h2>
      {masked && (
        <p className="mt-1 text-13 text-pretty text-ink-3">
          Addresses other than your server’s own are masked: you see enough to tell your hosts from others, and nobody’s whole address.
        </p>
      )}
      {series.length > 1 && (
        <div className="mt-4">
          <SeriesGraph series={series} />
        </div>
      )}
      {items.length > 0 && (
        <ol className="mt-4">
          {shown.map((item, index) => (
            // They have no ids, and two may be alike.
            // oxlint-disable-next-line react/no-array-index-key
            <Item key={index} item={item} />
          ))}
        </ol>
      )}
      {items.length > SHOWN && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-3 min-h-6 rounded-6 text-13 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {whole ? 'Show less' : `Show all ${items.length}`}
        </button>
      )}
      {items.length === 0 && series.length < 2 && <p className="mt-2 text-13 text-ink-3">Nothing more than what is said above.</p>}
      {occurrences > items.length && items.length > 0 && (
        <p className="mt-3 text-12 text-ink-3 tabular-nums">
          The newest {items.length} of {occurrences.toLocaleString('en')}.
        </p>
      )}
    </section>
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

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] text-ink-2">{children}</dd>
    </div>
  )
}

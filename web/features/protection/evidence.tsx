import { useState } from 'react'
import type { IssueDetail } from '#contract/protection.ts'
import { EvidenceItems, takeLines, groupEvidence, countLines } from './evidence-items.tsx'
import type { Viewer } from './issue-list.tsx'
import { SeriesGraph } from './series-graph.tsx'

/** So many say what it is about; the others are there for whoever doubts it. */
const SHOWN = 5
const MASK = '•'

export function Evidence({ issue: { evidence, occurrences }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const [whole, setWhole] = useState(false)
  const { items, series } = evidence
  const groups = groupEvidence(items)
  const lines = countLines(groups)
  const masked = viewer === 'owner' && items.some(({ address }) => address?.includes(MASK))
  return (
    <>
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
        <div className="mt-4">
          <EvidenceItems groups={whole ? groups : takeLines(groups, SHOWN)} />
        </div>
      )}
      {lines > SHOWN && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="mt-3 min-h-6 rounded-6 text-13 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {whole ? 'Show less' : `Show all ${lines}`}
        </button>
      )}
      {items.length === 0 && series.length < 2 && <p className="mt-2 text-13 text-ink-3">Nothing more than what is said above.</p>}
      {occurrences > items.length && items.length > 0 && (
        <p className="mt-3 text-12 text-ink-3 tabular-nums">
          The newest {items.length} of {occurrences.toLocaleString('en')}.
        </p>
      )}
    </>
  )
}

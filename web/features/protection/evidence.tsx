import { useState } from 'react'
import type { IssueDetail } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { countLines, EvidenceItems, groupEvidence, takeLines } from './evidence-items.tsx'
import type { Viewer } from './issue-list.tsx'
import { SeriesGraph } from './series-graph.tsx'

const COLLAPSED_LINES = 5
/** In the masked addresses that an owner receives. */
const MASK = '•'

export const hasEvidence = ({ evidence: { items, series } }: IssueDetail): boolean => items.length > 0 || series.length > 1

export function Evidence({ issue: { evidence, occurrences }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const [isExpanded, setExpanded] = useState(false)
  const { items, series } = evidence
  const groups = groupEvidence(items)
  const lines = countLines(groups)
  const isMasked = viewer === 'owner' && items.some(({ address }) => address?.includes(MASK))
  return (
    <>
      {isMasked && <p className="mt-1 text-13 text-pretty text-ink-3">{m.protection_evidence_masked()}</p>}
      {series.length > 1 && (
        <div className="mt-4">
          <SeriesGraph series={series} />
        </div>
      )}
      {items.length > 0 && (
        <div className="mt-4">
          <EvidenceItems groups={isExpanded ? groups : takeLines(groups, COLLAPSED_LINES)} />
        </div>
      )}
      {lines > COLLAPSED_LINES && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
          className="mt-3 min-h-6 rounded-6 text-13 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {isExpanded ? m.protection_evidence_show_less() : m.protection_evidence_show_all({ count: lines })}
        </button>
      )}
      {occurrences > items.length && items.length > 0 && (
        <p className="mt-3 text-12 text-ink-3 tabular-nums">
          {m.protection_evidence_newest({ count: items.length, all: formatNumber(occurrences) })}
        </p>
      )}
    </>
  )
}

import { useMemo, useState } from 'react'
import type { EvidenceItem, IssueDetail, SeriesPoint } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { exactTime, relativeTime, useNow, useTimeZone } from '#web/lib/time.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { Chart } from '#web/ui/chart/chart.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { Viewer } from './issue-list.tsx'

const COLLAPSED_LINES = 5
/** In the masked addresses that an owner receives. */
const MASK = '•'

export const hasEvidence = ({ evidence: { items, series } }: IssueDetail): boolean => items.length > 0 || series.length > 1

export function Evidence({ issue: { evidence, occurrences }, viewer }: { issue: IssueDetail; viewer: Viewer }) {
  const [isExpanded, setExpanded] = useState(false)
  const { items, series } = evidence
  const lines = evidenceLines(items)
  const isMasked = viewer === 'owner' && items.some(({ address }) => address?.includes(MASK))
  return (
    <div className="mt-4 space-y-3">
      {isMasked && <p className="-mt-3 text-13 text-pretty text-ink-3">{m.protection_evidence_masked()}</p>}
      {series.length > 1 && <SeriesGraph series={series} />}
      <EvidenceItems items={items} max={isExpanded ? lines.length : COLLAPSED_LINES} />
      {lines.length > COLLAPSED_LINES && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
          className="min-h-6 rounded-6 text-13 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {isExpanded ? m.protection_evidence_show_less() : m.protection_evidence_show_all({ count: lines.length })}
        </button>
      )}
      {occurrences > items.length && items.length > 0 && (
        <p className="text-12 text-ink-3 tabular-nums">
          {m.protection_evidence_newest({ count: items.length, all: formatNumber(occurrences) })}
        </p>
      )}
    </div>
  )
}

/** Equal observations from one address are one line with all their times. @param items newest first. */
export function evidenceLines(items: readonly EvidenceItem[]) {
  const lines = Map.groupBy(items, ({ observed, expected, address }) => JSON.stringify([observed, expected, address]))
  return Array.from(lines, ([key, [first, ...earlier]]) => ({
    key,
    ...(first as EvidenceItem),
    times: [first as EvidenceItem, ...earlier].map(({ at }) => at),
  }))
}

export function EvidenceItems({ items, max }: { items: readonly EvidenceItem[]; max: number }) {
  const lines = evidenceLines(items).slice(0, max)
  return (
    <ol>
      {lines.map(({ key, observed, expected, address, times }) => (
        <li
          key={key}
          className="relative flex gap-3 pb-4 before:absolute before:top-5 before:bottom-0 before:left-[5px] before:w-px before:bg-line last:pb-0 last:before:hidden"
        >
          <span className="mt-1 size-[11px] shrink-0 rounded-full border-2 border-line-strong bg-surface-1" aria-hidden="true" />
          <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <div className="text-13 text-ink-2">
              {address !== null && (
                <>
                  <span className="font-mono font-medium text-ink-1">{address}</span>,{' '}
                </>
              )}
              <Times times={times} />
            </div>
            <p className="mt-1">{observed}</p>
            {expected !== '' && (
              <p className="mt-0.5 text-13 text-ink-2">
                <span className="text-ink-3">{m.protection_evidence_expected()}</span> {expected}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** `14 times, from 5 min. ago to now`. Opens to show the exact times. */
function Times({ times }: { times: readonly string[] }) {
  useTimeZone()
  const now = useNow()
  const [last = '', ...earlier] = times
  if (earlier.length === 0) return <TimeAgo at={last} />
  const [from, to] = [relativeTime(earlier.at(-1) ?? last, now), relativeTime(last, now)]
  const count = times.length
  return (
    <details className="inline-block">
      <summary className="cursor-pointer rounded-6 tabular-nums pointer-coarse:min-h-11">
        {from === to ? m.protection_evidence_times({ count, time: to }) : m.protection_evidence_times_range({ count, from, to })}
      </summary>
      <ol aria-label={m.protection_evidence_exact_times()} className="mt-1 mb-2 text-12 text-ink-3 tabular-nums">
        {times.map((at, index) => (
          // Times may repeat.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <time dateTime={at}>{exactTime(at)}</time>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Announced players and slots, and when there were more players than slots. */
function SeriesGraph({ series }: { series: readonly SeriesPoint[] }) {
  const data = useMemo(() => chartOf(series), [series])
  return (
    <>
      <Chart label={m.protection_graph_title()} data={data} />
      <div className="mt-2">
        <ChartTable
          columns={[m.protection_graph_time(), m.protection_graph_players(), m.protection_graph_slots()]}
          rows={() => series.map(({ at, players, slots }) => [exactTime(at), formatNumber(players), formatNumber(slots)])}
        />
      </div>
    </>
  )
}

function chartOf(series: readonly SeriesPoint[]) {
  const over = series.map(({ players, slots }) => players > slots)
  const inputs = { count: formatNumber(over.filter(Boolean).length), all: formatNumber(series.length) }
  return {
    times: series.map(({ at }) => Date.parse(at)),
    stepSeconds: 1,
    lines: [
      { label: m.protection_graph_players(), values: series.map(({ players }) => players), type: 'area' },
      { label: m.protection_graph_slots(), values: series.map(({ slots }) => slots), type: 'compare' },
    ],
    bands: { label: m.protection_graph_excess(inputs), steps: over },
  } as const
}

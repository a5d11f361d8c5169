import type { EvidenceItem } from '#contract/protection/protection.ts'
import { m } from '#messages'
import { exactTime, relativeTime, useNow, useTimeZone } from '#web/lib/time.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

type EvidenceGroup = ReturnType<typeof groupEvidence>[number]

/** Groups equal observations, with the times from each address. @param items newest first. */
export function groupEvidence(items: readonly EvidenceItem[]) {
  const groups = new Map<string, { observed: string; expected: string; sources: Map<string | null, string[]> }>()
  for (const { observed, expected, address, at } of items) {
    const key = JSON.stringify([observed, expected])
    const group = groups.get(key) ?? { observed, expected, sources: new Map<string | null, string[]>() }
    groups.set(key, group)
    group.sources.set(address, [...(group.sources.get(address) ?? []), at])
  }
  return Array.from(groups.values(), ({ sources, ...rest }) => ({
    ...rest,
    sources: Array.from(sources, ([address, times]) => ({ address, times })),
  }))
}

/** The first `max` lines. Each address of a group is one line. */
export function takeLines(groups: readonly EvidenceGroup[], max: number): EvidenceGroup[] {
  let left = max
  return groups.flatMap((group) => {
    const sources = group.sources.slice(0, Math.max(0, left))
    left -= sources.length
    return sources.length > 0 ? [{ ...group, sources }] : []
  })
}

export function countLines(groups: readonly EvidenceGroup[]): number {
  return groups.reduce((sum, { sources }) => sum + sources.length, 0)
}

export function EvidenceItems({ groups }: { groups: readonly EvidenceGroup[] }) {
  return (
    <ol>
      {groups.map((group) => (
        <Group key={`${group.observed} ${group.expected}`} group={group} />
      ))}
    </ol>
  )
}

function Group({ group: { observed, expected, sources } }: { group: EvidenceGroup }) {
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-5 before:bottom-0 before:left-[5px] before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span className="mt-1 size-[11px] shrink-0 rounded-full border-2 border-line-strong bg-surface-1" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <ul>
          {sources.map((source) => (
            <Source key={source.address ?? ''} source={source} />
          ))}
        </ul>
        <p className="mt-1 [overflow-wrap:anywhere]">{observed}</p>
        {expected !== '' && (
          <p className="mt-0.5 text-13 [overflow-wrap:anywhere] text-ink-2">
            <span className="text-ink-3">{m.protection_evidence_expected()}</span> {expected}
          </p>
        )}
      </div>
    </li>
  )
}

/** `127.0.0.2, 14 times, 5 min. ago to now`. Opens to show the exact times. */
function Source({ source: { address, times } }: { source: EvidenceGroup['sources'][number] }) {
  const [last = '', ...earlier] = times
  useTimeZone()
  return (
    <li className="text-13 text-ink-2 [overflow-wrap:anywhere]">
      {earlier.length === 0 ? (
        <>
          <Address address={address} />
          <TimeAgo at={last} />
        </>
      ) : (
        <details>
          <summary className="cursor-pointer rounded-6 tabular-nums pointer-coarse:min-h-11">
            <Address address={address} />
            <Repeats count={times.length} first={earlier.at(-1) ?? last} last={last} />
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
      )}
    </li>
  )
}

function Address({ address }: { address: string | null }) {
  if (address === null) return null
  return (
    <>
      <span className="font-mono font-medium text-ink-1">{address}</span>,{' '}
    </>
  )
}

function Repeats({ count, first, last }: { count: number; first: string; last: string }) {
  const now = useNow()
  const [from, to] = [relativeTime(first, now), relativeTime(last, now)]
  return from === to ? m.protection_evidence_times({ count, time: to }) : m.protection_evidence_times_range({ count, from, to })
}

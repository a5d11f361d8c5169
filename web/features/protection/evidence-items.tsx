import type { EvidenceItem } from '#contract/protection.ts'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

type EvidenceGroup = ReturnType<typeof groupEvidence>[number]

/** Says each thing once, newest first, with each address that it was seen from once and when. Items come newest first. */
export function groupEvidence(items: readonly EvidenceItem[]) {
  const groups = new Map<string, { observed: string; expected: string; sources: Map<string | null, string[]> }>()
  for (const { observed, expected, address, at } of items) {
    const key = JSON.stringify([observed, expected])
    const group = groups.get(key) ?? { observed, expected, sources: new Map<string | null, string[]>() }
    groups.set(key, group)
    group.sources.set(address, [...(group.sources.get(address) ?? []), at])
  }
  return Array.from(groups.values(), ({ sources, ...words }) => ({
    ...words,
    sources: Array.from(sources, ([address, times]) => ({ address, times })),
  }))
}

export function takeLines(groups: readonly EvidenceGroup[], max: number): EvidenceGroup[] {
  let room = max
  return groups.flatMap((group) => {
    const sources = group.sources.slice(0, Math.max(0, room))
    room -= sources.length
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
            <span className="text-ink-3">Expected</span> {expected}
          </p>
        )}
      </div>
    </li>
  )
}

/** `127.0.0.2, 14 times, 5 min. ago to now`; every exact time is a step away. */
function Source({ source: { address, times } }: { source: EvidenceGroup['sources'][number] }) {
  const [last = '', ...before] = times
  return (
    <li className="text-13 text-ink-2 [overflow-wrap:anywhere]">
      {before.length === 0 ? (
        <>
          <From address={address} />
          <TimeAgo at={last} />
        </>
      ) : (
        <details>
          <summary className="cursor-pointer rounded-6 tabular-nums pointer-coarse:min-h-11">
            <From address={address} />
            {times.length} times, <Span from={before.at(-1) ?? last} to={last} />
          </summary>
          <ol aria-label="Exact times" className="mt-1 mb-2 text-12 text-ink-3 tabular-nums">
            {times.map((at, index) => (
              // Two may be of the same moment.
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

function From({ address }: { address: string | null }) {
  if (address === null) return null
  return (
    <>
      <span className="font-mono font-medium text-ink-1">{address}</span>,{' '}
    </>
  )
}

function Span({ from, to }: { from: string; to: string }) {
  const now = useNow()
  const [first, last] = [relativeTime(from, now), relativeTime(to, now)]
  return <>{first === last ? last : `${first} to ${last}`}</>
}

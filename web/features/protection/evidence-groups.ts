import type { EvidenceItem } from '#contract/protection.ts'

export type EvidenceGroup = ReturnType<typeof groupsOf>[number]

/** Says each thing once, newest first, with each address that it was seen from once and when. Items come newest first. */
export function groupsOf(items: readonly EvidenceItem[]) {
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

export function firstLines(groups: readonly EvidenceGroup[], max: number): EvidenceGroup[] {
  let room = max
  return groups.flatMap((group) => {
    const sources = group.sources.slice(0, Math.max(0, room))
    room -= sources.length
    return sources.length > 0 ? [{ ...group, sources }] : []
  })
}

export function linesOf(groups: readonly EvidenceGroup[]): number {
  return groups.reduce((sum, { sources }) => sum + sources.length, 0)
}

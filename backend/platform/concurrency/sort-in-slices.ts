/** Sorts large arrays without blocking the event loop: a merge sort that yields. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Items sorted or merged between yields: about a millisecond. */
const SLICE = 500

interface Keyed<T, K> {
  readonly item: T
  readonly key: K
}

/** Sorts by ascending key. Items with equal keys keep their order. */
export async function sortInSlices<T, K extends string | number>(items: readonly T[], keyOf: (item: T) => K): Promise<T[]> {
  let runs: Keyed<T, K>[][] = []
  for (let start = 0; start < items.length; start += SLICE) {
    const run = items.slice(start, start + SLICE).map((item) => ({ item, key: keyOf(item) }))
    runs.push(run.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))))
    await yieldToEventLoop()
  }
  while (runs.length > 1) {
    const merged: Keyed<T, K>[][] = []
    for (let index = 0; index < runs.length; index += 2) merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? []))
    runs = merged
  }
  return (runs[0] ?? []).map(({ item }) => item)
}

async function merge<T, K extends string | number>(first: Keyed<T, K>[], second: Keyed<T, K>[]): Promise<Keyed<T, K>[]> {
  const merged: Keyed<T, K>[] = []
  let taken = 0
  for (const next of second) {
    for (let other = first[taken]; other !== undefined && other.key <= next.key; other = first[taken]) {
      merged.push(other)
      taken += 1
      if (merged.length % SLICE === 0) await yieldToEventLoop()
    }
    merged.push(next)
    if (merged.length % SLICE === 0) await yieldToEventLoop()
  }
  return merged.concat(first.slice(taken))
}

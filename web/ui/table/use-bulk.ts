import { useState } from 'react'

/** How many calls are on the way at once. */
const AT_ONCE = 3

/** What became of one row: null while it waits. */
export type Outcome = { ok: true } | { ok: false; message: string } | null

/** Does one act to each row, a few at a time. One that fails stops no other. */
export function useBulk<R>(idOf: (row: R) => string, act: (row: R) => Promise<unknown>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>()
  const [running, setRunning] = useState(false)
  const run = async (rows: readonly R[]) => {
    setRunning(true)
    setOutcomes(new Map(rows.map((row) => [idOf(row), null])))
    const waiting = [...rows]
    const work = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const id = idOf(row)
        const outcome = await act(row).then(
          () => ({ ok: true }) as const,
          (error: unknown) => ({ ok: false, message: error instanceof Error ? error.message : 'It failed.' }) as const,
        )
        setOutcomes((before) => new Map(before).set(id, outcome))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    setRunning(false)
  }
  return { outcomes, running, run }
}

/** Runs one action on many rows, a few at a time. */
import { m } from '#messages'
import { HttpError } from '#web/lib/http-error.ts'
import { counted, type CountText } from '#web/ui/count-text.ts'

const CONCURRENCY = 3
const MAX_WAIT_MS = 30_000
const DEFAULT_WAIT_MS = 1000

export type Outcome = { ok: true } | { ok: false; message: string } | null

interface Run<R> {
  readonly rows: readonly R[]
  readonly act: (row: R) => Promise<unknown>
  readonly onOutcome: (row: R, outcome: Outcome) => void
  /** Once true, no further row is started. */
  readonly isOver: () => boolean
  readonly wait: (ms: number) => Promise<unknown>
}

/** A failing row does not stop the others. Returns the rows that failed or were not reached. */
export async function runBulk<R>({ rows, act, onOutcome, isOver, wait }: Run<R>): Promise<readonly R[]> {
  const waiting = [...rows]
  const done = new Set<R>()
  const once = (row: R) => act(row).then(() => ({ ok: true }) as const)
  const withOneRetry = (row: R) =>
    once(row).catch(async (error: unknown) => {
      const pause = pauseOf(error)
      if (pause === undefined || isOver()) throw error
      await wait(pause)
      return await once(row)
    })
  const work = async () => {
    for (let row = isOver() ? undefined : waiting.shift(); row !== undefined; row = isOver() ? undefined : waiting.shift()) {
      const outcome = await withOneRetry(row).catch((error: unknown) => ({ ok: false, message: messageFor(error) }) as const)
      if (outcome.ok) done.add(row)
      onOutcome(row, outcome)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return rows.filter((row) => !done.has(row))
}

/** A pause only after 429. */
function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof HttpError) || error.status !== 429) return undefined
  return Math.min(error.retryAfterSeconds === undefined ? DEFAULT_WAIT_MS : error.retryAfterSeconds * 1000, MAX_WAIT_MS)
}

function messageFor(error: unknown): string {
  return error instanceof Error ? error.message : m.ui_bulk_failed_unknown()
}

/** `6 of 14 servers banned`, `14 servers banned`. */
export function resultOf(done: number, all: number, resultText: CountText): string {
  const result = resultText(counted(all))
  return done === all ? result : m.ui_bulk_partial({ done: counted(done).shown, result })
}

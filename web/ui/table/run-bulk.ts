/** Runs one action on many rows, a few at a time. */
import pLimit from 'p-limit'
import { m } from '#messages'
import { HttpError } from '#web/lib/http/call.ts'
import { counted, type CountText } from '#web/ui/count-text.ts'

const DEFAULT_CONCURRENCY = 3
const MAX_WAIT_MS = 30_000
const DEFAULT_WAIT_MS = 1000

export type Outcome = { ok: true } | { ok: false; message: string } | null

interface Run<R> {
  readonly rows: readonly R[]
  readonly action: (row: R) => Promise<unknown>
  readonly onOutcome: (row: R, outcome: Outcome) => void
  /** Once true, no further row is started. */
  readonly isCancelled?: () => boolean
  /** For tests. */
  readonly wait?: (ms: number) => Promise<unknown>
  /** How many rows run at the same time. */
  readonly concurrency?: number | undefined
}

/** A failing row does not stop the others. Returns the rows that failed or were not reached. */
export async function runBulk<R>(run: Run<R>): Promise<readonly R[]> {
  const { rows, action, onOutcome, isCancelled = () => false, concurrency = DEFAULT_CONCURRENCY } = run
  const { wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = run
  const withOneRetry = (row: R) =>
    action(row).catch(async (error: unknown) => {
      const delay = retryDelayOf(error)
      if (delay === undefined || isCancelled()) throw error
      await wait(delay)
      return await action(row)
    })
  const done = await pLimit(concurrency).map(rows, async (row) => {
    if (isCancelled()) return false
    const outcome = await withOneRetry(row).then(
      () => ({ ok: true }) as const,
      (error: unknown) => ({ ok: false, message: error instanceof Error ? error.message : m.ui_bulk_failed_unknown() }) as const,
    )
    onOutcome(row, outcome)
    return outcome.ok
  })
  return rows.filter((_, index) => !done[index])
}

/** In ms. Undefined except for 429, because nothing else is retried. */
function retryDelayOf(error: unknown): number | undefined {
  if (!(error instanceof HttpError) || error.status !== 429) return undefined
  return Math.min(error.retryAfterSeconds === undefined ? DEFAULT_WAIT_MS : error.retryAfterSeconds * 1000, MAX_WAIT_MS)
}

/** `6 of 14 servers banned`, `14 servers banned`. */
export function resultOf(done: number, total: number, resultText: CountText): string {
  const result = resultText(counted(total))
  return done === total ? result : m.ui_bulk_partial({ done: counted(done).shown, result })
}

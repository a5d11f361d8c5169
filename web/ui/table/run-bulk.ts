/** Runs one action on many rows, a few at a time. */
import { m } from '#messages'
import { HttpError } from '#web/lib/http/http-error.ts'
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
  readonly isCancelled: () => boolean
  /** For tests. */
  readonly wait?: (ms: number) => Promise<unknown>
  /** How many rows run at the same time. */
  readonly concurrency?: number | undefined
}

/** A failing row does not stop the others. Returns the rows that failed or were not reached. */
export async function runBulk<R>({
  rows,
  action,
  onOutcome,
  isCancelled,
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  concurrency = DEFAULT_CONCURRENCY,
}: Run<R>): Promise<readonly R[]> {
  const queue = [...rows]
  const done = new Set<R>()
  const runOnce = (row: R) => action(row).then(() => ({ ok: true }) as const)
  const withOneRetry = (row: R) =>
    runOnce(row).catch(async (error: unknown) => {
      const delay = retryDelayOf(error)
      if (delay === undefined || isCancelled()) throw error
      await wait(delay)
      return await runOnce(row)
    })
  const next = () => (isCancelled() ? undefined : queue.shift())
  const worker = async () => {
    for (let row = next(); row !== undefined; row = next()) {
      const outcome = await withOneRetry(row).catch((error: unknown) => ({ ok: false, message: messageFor(error) }) as const)
      if (outcome.ok) done.add(row)
      onOutcome(row, outcome)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return rows.filter((row) => !done.has(row))
}

/** In ms. Undefined except for 429, because nothing else is retried. */
function retryDelayOf(error: unknown): number | undefined {
  if (!(error instanceof HttpError) || error.status !== 429) return undefined
  return Math.min(error.retryAfterSeconds === undefined ? DEFAULT_WAIT_MS : error.retryAfterSeconds * 1000, MAX_WAIT_MS)
}

function messageFor(error: unknown): string {
  return error instanceof Error ? error.message : m.ui_bulk_failed_unknown()
}

/** `6 of 14 servers banned`, `14 servers banned`. */
export function resultOf(done: number, total: number, resultText: CountText): string {
  const result = resultText(counted(total))
  return done === total ? result : m.ui_bulk_partial({ done: counted(done).shown, result })
}

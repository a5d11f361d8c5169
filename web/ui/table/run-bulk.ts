/** One act on many rows, a few at a time. */
import { HttpError } from '#web/lib/http-error.ts'

const AT_ONCE = 3
const LONGEST_WAIT_MS = 30_000
const USUAL_WAIT_MS = 1000

export type Outcome = { ok: true } | { ok: false; message: string } | null

interface Run<R> {
  readonly rows: readonly R[]
  readonly act: (row: R) => Promise<unknown>
  readonly onOutcome: (row: R, outcome: Outcome) => void
  /** No further row begins then. */
  readonly isOver: () => boolean
  readonly wait: (ms: number) => Promise<unknown>
}

/** A failing row stops no other. Returns the rows that it was not done to. */
export async function runBulk<R>({ rows, act, onOutcome, isOver, wait }: Run<R>): Promise<readonly R[]> {
  const waiting = [...rows]
  const done = new Set<R>()
  const once = (row: R) => act(row).then(() => ({ ok: true }) as const)
  const patiently = (row: R) =>
    once(row).catch(async (error: unknown) => {
      const pause = pauseOf(error)
      if (pause === undefined || isOver()) throw error
      await wait(pause)
      return await once(row)
    })
  const work = async () => {
    for (let row = isOver() ? undefined : waiting.shift(); row !== undefined; row = isOver() ? undefined : waiting.shift()) {
      const outcome = await patiently(row).catch((error: unknown) => ({ ok: false, message: wordsOf(error) }) as const)
      if (outcome.ok) done.add(row)
      onOutcome(row, outcome)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return rows.filter((row) => !done.has(row))
}

/** Only after too many calls. */
function pauseOf(error: unknown): number | undefined {
  if (!(error instanceof HttpError) || error.status !== 429) return undefined
  return Math.min(error.retryAfterSeconds === undefined ? USUAL_WAIT_MS : error.retryAfterSeconds * 1000, LONGEST_WAIT_MS)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'It failed.'
}

/** `['server', 'servers', 'banned']` */
export type ResultWords = readonly [one: string, many: string, done: string]

/** `6 of 14 servers banned`, `14 servers banned`. */
export function resultOf(done: number, all: number, [one, many, word]: ResultWords): string {
  const noun = all === 1 ? one : many
  return done === all
    ? `${all.toLocaleString('en')} ${noun} ${word}`
    : `${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${noun} ${word}`
}

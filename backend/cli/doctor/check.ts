/** A check of `doctor`, and how it runs. */
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'

export type Status = 'ok' | 'warning' | 'failed' | 'skipped'

export interface Finding {
  readonly status: Status
  /** One sentence: what was found. */
  readonly message: string
  /** What to do; empty if nothing. */
  readonly remedy: string
}

export interface Check {
  /** Scripts read it, so it doesn't change. */
  readonly id: string
  readonly title: string
  readonly timeoutMs?: number
  readonly run: () => Promise<Finding> | Finding
}

export type Result = Pick<Check, 'id' | 'title'> & Finding

const TIMEOUT_MS = 10_000

export const ok = (message: string): Finding => ({ status: 'ok', message, remedy: '' })
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy })
export const failed = (message: string, remedy: string): Finding => ({ status: 'failed', message, remedy })
export const skipped = (message: string): Finding => ({ status: 'skipped', message, remedy: '' })

/** Never rejects, and never takes longer than the check's time limit. */
export async function runCheck({ id, title, run, timeoutMs = TIMEOUT_MS }: Check): Promise<Result> {
  const late = new Error(`The check took longer than ${timeoutMs / 1000} seconds.`)
  const finding = await withTimeout(timeoutMs, (async () => run())(), late).catch((error: unknown) =>
    failed(error instanceof Error ? error.message : String(error), 'Fix the cause and run this command again.'),
  )
  return { id, title, ...finding }
}

/** For jobs that walk all rows: work in batches, at most a tenth of the time. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The pause after a batch, as a multiple of its duration. The database works for most of it. */
const PAUSE_FACTOR = 9
/** A batch takes longer than this allows only while others use the machine. */
const MAX_PAUSE_MS = 2000

/** Runs batches until one returns false, or until `stopping`. */
export async function runPaced(stopping: AbortSignal, runBatch: () => Promise<boolean>): Promise<void> {
  while (!stopping.aborted) {
    const began = performance.now()
    if (!(await runBatch())) return
    const pauseMs = Math.min((performance.now() - began) * PAUSE_FACTOR, MAX_PAUSE_MS)
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** For jobs that walk all rows: work in batches, at most a tenth of the time. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The pause after a batch, as a multiple of its duration. What follows from a batch, such as reloading servers, runs beside it. */
const PAUSE_FACTOR = 12
/** A longer batch is followed by smaller ones, so that it neither holds its locks nor a core for longer. */
const MAX_BATCH_MS = 200

/** Runs batches of at most `maxSize` rows until one returns false, or until `stopping`. */
export async function runPaced(stopping: AbortSignal, maxSize: number, runBatch: (size: number) => Promise<boolean>): Promise<void> {
  let size = maxSize
  while (!stopping.aborted) {
    const began = performance.now()
    if (!(await runBatch(size))) return
    const tookMs = performance.now() - began
    size = tookMs > MAX_BATCH_MS ? Math.ceil(size / 2) : Math.min(maxSize, size * 2)
    await sleep(tookMs * PAUSE_FACTOR, undefined, { signal: stopping }).catch(() => undefined)
  }
}

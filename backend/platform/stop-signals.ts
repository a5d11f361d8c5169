import { forgetNpm } from './end-with-npm.ts'

/** npm repeats the terminal's Ctrl+C: signals within this time count as one. */
const SAME_SIGNAL_MS = 1000

/**
 * Calls `stop` at the first SIGTERM or SIGINT, or when the terminal closes. A second one ends the process at once with exit code 1.
 * Returns a function that ignores them again.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  let stoppedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      forgetNpm()
      stop(signal)
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  // A program started with nohup ignores SIGHUP and has no terminal; a handler would undo that.
  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', ...(process.stdout.isTTY ? ['SIGHUP' as const] : [])]
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

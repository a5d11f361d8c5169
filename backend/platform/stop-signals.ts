/** npm repeats the terminal's Ctrl+C: signals within this time count as one. */
const SAME_SIGNAL_MS = 1000

/** Calls `stop` at the first SIGTERM or SIGINT. A second one ends the process at once with exit code 1. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let stoppedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      stop(signal)
    } else if (performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

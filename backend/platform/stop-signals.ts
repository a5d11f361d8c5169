/** npm repeats the terminal's Ctrl+C: within this time it counts as the same one. */
const SAME_PRESS_MS = 1000

/** Calls back at the first SIGTERM or SIGINT. A second one ends the process at once with 1. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let askedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      stop(signal)
    } else if (performance.now() - askedAt > SAME_PRESS_MS) process.exit(1)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

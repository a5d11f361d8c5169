/** SIGTERM and SIGINT: the first asks for an orderly end, a second one ends at once. */

/** npm passes on what the terminal has sent already, so one Ctrl+C may come twice; within this time it is the same one. */
const SAME_PRESS_MS = 1000

/** Calls back at the first signal, with its name. From then on another one, unless it is an echo, ends the process with 1. */
export function onStop(stop: (signal: NodeJS.Signals) => void): void {
  let askedAt: number | undefined
  const hear = (signal: NodeJS.Signals) => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      stop(signal)
    } else if (performance.now() - askedAt > SAME_PRESS_MS) process.exit(1)
  }
  process.on('SIGTERM', hear)
  process.on('SIGINT', hear)
}

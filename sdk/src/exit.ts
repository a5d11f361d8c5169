/** Takes the servers of this process off the list when it ends. One set of handlers serves every announcer. */

/** @param cause a sentence for the owner */
type Goodbye = (cause: string) => Promise<void>

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const goodbyes = new Set<Goodbye>()

async function sayGoodbyes(cause: string): Promise<void> {
  await Promise.all([...goodbyes].map((goodbye) => goodbye(cause)))
}

/** A signal with a handler does not end the process. If no one else handles it, it is sent again after the goodbyes. */
function onSignal(signal: NodeJS.Signals): void {
  const isHandledElsewhere = process.listenerCount(signal) > 1
  void sayGoodbyes(`${signal}.`).then(() => {
    if (!isHandledElsewhere) process.kill(process.pid, signal)
  })
}

const onEnd = () => void sayGoodbyes('The program has nothing left to do.')

/** Calls `goodbye` at a signal and at the end of the program. Returns the function that undoes this. Does nothing outside Node, Deno and Bun. */
export function onExit(goodbye: Goodbye): () => void {
  if (typeof process === 'undefined' || typeof process.on !== 'function') return () => undefined
  if (goodbyes.size === 0) {
    // First, because handlers that run once are not counted any more after they ran.
    for (const signal of SIGNALS) process.prependListener(signal, onSignal)
    process.on('beforeExit', onEnd)
  }
  goodbyes.add(goodbye)
  return () => {
    if (!goodbyes.delete(goodbye) || goodbyes.size > 0) return
    for (const signal of SIGNALS) process.off(signal, onSignal)
    process.off('beforeExit', onEnd)
  }
}

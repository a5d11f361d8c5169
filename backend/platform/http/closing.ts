/** The end of listeners, which none of their clients may hold up. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from '#backend/platform/log.ts'

/** Of the 20 seconds that a stop may take: for calls and answers that are under way, and for all that is. The rest is for what is written down then. */
const UNDER_WAY_MS = 5000
const ALL_ENDED_MS = 8000

/**
 * Takes no connection any more, and resolves when what is under way has ended, here and in the `others`, or its time is over. Answers why
 * something of it failed.
 */
export async function endAll(log: Log, listeners: readonly FastifyInstance[], others: readonly unknown[]): Promise<unknown[]> {
  const ending = Promise.allSettled([...listeners.map(closeInTime), ...others])
  const ended = await Promise.race([ending, sleep(ALL_ENDED_MS, undefined, { ref: false })])
  if (ended === undefined) log.warn('Something that was under way has not ended in time; the program ends without it.')
  return (ended ?? []).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
}

/** Who has not read his answer in time, or not sent the rest of his call (node looks after neither once it closes), is cut off. */
async function closeInTime(listener: FastifyInstance): Promise<void> {
  const patience = setTimeout(() => listener.server.closeAllConnections(), UNDER_WAY_MS)
  try {
    await listener.close()
  } finally {
    clearTimeout(patience)
  }
}

/** The size of the cluster tests: small in `npm run test:system`, full with `--full`. */

const numberOf = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

export const SIZE = {
  servers: numberOf('MUSTER_CLUSTER_SERVERS', 60),
  ttlSeconds: numberOf('MUSTER_CLUSTER_TTL_SECONDS', 8),
  /** How long a node is cut off or the database is down. In a small test it exceeds the TTL. */
  outageSeconds: numberOf('MUSTER_CLUSTER_AWAY_SECONDS', 9),
  announceEveryMs: numberOf('MUSTER_CLUSTER_EVERY_MS', 1500),
  /** How soon all lists are equal after announces stop. Without `--full`, only below the TTL. */
  equalWithinMs: numberOf('MUSTER_CLUSTER_WITHIN_MS', 5000),
  webhooks: numberOf('MUSTER_CLUSTER_WEBHOOKS', 30),
  webhookEvents: numberOf('MUSTER_CLUSTER_EVENTS', 400),
  webhookKills: numberOf('MUSTER_CLUSTER_KILLS', 1),
  eventsPerSecond: numberOf('MUSTER_CLUSTER_EVENTS_PER_SECOND', 100),
  /** Only a full run on an idle machine asserts times. */
  isFull: process.env.MUSTER_FULL !== undefined,
  /** How soon an announce to one node is in every other list. */
  propagatedWithinMs: numberOf('MUSTER_CLUSTER_WITHIN_MS', 10_000),
}

/** Prints a measurement. `--full` asserts the promised limits; other runs allow for a busy machine. */
export function note(what: string, milliseconds: number): void {
  process.stdout.write(`  ${what}: ${Math.round(milliseconds)} ms\n`)
}

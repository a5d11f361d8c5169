/** How large the tests of many nodes are: small in `npm test`, as large as what is promised with `npm run test:cluster`. */

const numberOf = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

export const SIZE = {
  servers: numberOf('MUSTER_CLUSTER_SERVERS', 60),
  ttlSeconds: numberOf('MUSTER_CLUSTER_TTL_SECONDS', 8),
  /** How long a node is cut off, or the database away: longer than a server may be silent, where the test is small. */
  awaySeconds: numberOf('MUSTER_CLUSTER_AWAY_SECONDS', 9),
  announceEveryMs: numberOf('MUSTER_CLUSTER_EVERY_MS', 1500),
}

/** The figures that a run prints; they are asserted only where the promise has room on a busy machine. */
export function note(what: string, milliseconds: number): void {
  process.stdout.write(`  ${what}: ${Math.round(milliseconds)} ms\n`)
}

/** How large the tests of many nodes are: small in `npm run test:system`, as large as what is promised with `--full`. */

const numberOf = (name: string, fallback: number) => Number(process.env[name] ?? fallback)

export const SIZE = {
  servers: numberOf('MUSTER_CLUSTER_SERVERS', 60),
  ttlSeconds: numberOf('MUSTER_CLUSTER_TTL_SECONDS', 8),
  /** How long a node is cut off, or the database away: longer than a server may be silent, where the test is small. */
  awaySeconds: numberOf('MUSTER_CLUSTER_AWAY_SECONDS', 9),
  announceEveryMs: numberOf('MUSTER_CLUSTER_EVERY_MS', 1500),
  /** How soon after quiet all lists are alike. Without the promise: what is less than after which a fleet that is quiet is offline. */
  alikeWithinMs: numberOf('MUSTER_CLUSTER_WITHIN_MS', 5000),
  /** How soon what one node hears is in every other list. */
  elsewhereWithinMs: numberOf('MUSTER_CLUSTER_WITHIN_MS', 10_000),
}

/** The figures that a run prints. `--full` asserts what is promised of them, else what a busy machine has room for. */
export function note(what: string, milliseconds: number): void {
  process.stdout.write(`  ${what}: ${Math.round(milliseconds)} ms\n`)
}

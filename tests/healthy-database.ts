/** A database health for tests: always available. */
export const HEALTHY = {
  isLost: false,
  lastResponseAgeMs: 0,
  failures: new Map(),
  pool: () => ({ idle: 0, used: 0, waiting: 0, max: 1 }),
}

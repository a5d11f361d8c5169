/** What a part is told of a database that is there, where a test gives it one. */
export const HEALTHY = {
  isLost: false,
  lastResponseAgeMs: 0,
  failures: new Map(),
  pool: () => ({ idle: 0, used: 0, waiting: 0, max: 1 }),
}

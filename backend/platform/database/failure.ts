/** Database failures, classified by what callers and operators can do about them. */
import pg from 'pg'

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  constructor() {
    super('The database does not answer.')
  }
}

/** `full`: no space. `locked`: another transaction has the lock, or won. */
export const FAILURE_KINDS = ['unreachable', 'read_only', 'full', 'locked', 'timeout'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const KINDS: readonly (readonly [pattern: RegExp, kind: FailureKind])[] = [
  [/^25006$/, 'read_only'],
  // disk_full, and I/O errors while writing
  [/^(53100|58030)$/, 'full'],
  // lock_not_available (lock_timeout), deadlocks and serialization failures
  [/^(55P03$|40)/, 'locked'],
  // query_canceled (statement_timeout)
  [/^57014$/, 'timeout'],
  [/^(08|53|57|58)/, 'unreachable'],
]

const CONNECTION_LOST = /^(ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT)$/
const CONNECTION_LOST_TEXT =
  /connection (terminated|timeout)|timeout expired|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|after calling end on the pool/i

/** Undefined for any other error, such as a violated constraint. */
export function failureKind(error: unknown): FailureKind | undefined {
  if (error instanceof pg.DatabaseError) return KINDS.find(([pattern]) => pattern.test(error.code ?? ''))?.[1]
  if (error instanceof DatabaseUnavailable) return 'unreachable'
  if (!(error instanceof Error)) return undefined
  const isLost = CONNECTION_LOST.test((error as NodeJS.ErrnoException).code ?? '') || CONNECTION_LOST_TEXT.test(error.message)
  return isLost ? 'unreachable' : undefined
}

/** serialization_failure and deadlock_detected: another transaction won, and the next attempt may succeed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

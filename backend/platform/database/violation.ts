/** Rows that a constraint of the database refused. */
import pg from 'pg'

/** Whether this unique constraint refused the row. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether a foreign key kept a row from being deleted or made. */
export function isReferenceViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** What the database says where it refuses a row, because another is there already. */
import pg from 'pg'

/** Whether a row was refused by this constraint of uniqueness. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether a row could not be deleted, or made, because of what refers to it, or to what it refers. */
export function isReferenceViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

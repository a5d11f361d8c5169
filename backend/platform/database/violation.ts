/** Rows that a constraint of the database refused. */
import pg from 'pg'
import type { AppError } from '#backend/platform/errors.ts'

/** Whether this unique constraint refused the row. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether a foreign key kept a row from being deleted or made. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** Runs `act`. What one of these constraints of uniqueness refuses becomes the error under its name. */
export async function translateViolations<T>(act: () => Promise<T>, errors: Readonly<Record<string, () => AppError>>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const [, translated] = Object.entries(errors).find(([constraint]) => isUniqueViolation(error, constraint)) ?? []
    throw translated?.() ?? error
  }
}

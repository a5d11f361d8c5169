/** Rows that a database constraint rejected. */
import pg from 'pg'
import type { AppError } from '#backend/platform/errors.ts'

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}

/** Whether a foreign key rejected an insert or a delete. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** Runs `act` and translates the violation of a unique constraint into the error given for it. */
export async function translateViolations<T>(act: () => Promise<T>, errors: Readonly<Record<string, () => AppError>>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const [, translated] = Object.entries(errors).find(([constraint]) => isUniqueViolation(error, constraint)) ?? []
    throw translated?.() ?? error
  }
}

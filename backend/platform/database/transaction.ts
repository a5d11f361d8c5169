/** A transaction whose deadlocks and serialisation failures are nobody's business: it is begun anew. */
import pg from 'pg'
import type { Db } from './open.ts'

const TRIES = 4
/** Long enough for the other one to end, short enough that nobody notices. */
const WAIT_MS = 15

/** serialization_failure and deadlock_detected: the other one won, and the same may succeed now. */
export function isTriedAgain(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** Runs `act` in one transaction. It may run several times, so it touches nothing but the database. */
export async function transaction<T>(db: Db, act: (trx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(act)
    } catch (error) {
      if (tries >= TRIES || !isTriedAgain(error)) throw error
      await new Promise((resolve) => {
        setTimeout(resolve, WAIT_MS * tries * (0.5 + Math.random()))
      })
    }
  }
}

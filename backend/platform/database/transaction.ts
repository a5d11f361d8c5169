/** Transactions: retried after deadlocks and serialization failures, with hooks that run after the commit. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from './open.ts'

const MAX_TRIES = 4
const RETRY_WAIT_MS = 15

interface Scope {
  readonly db: Db
  readonly hooks: (() => Promise<void>)[]
}

const scopes = new WeakMap<Db, Scope>()

/** serialization_failure and deadlock_detected: another transaction won, and the next try may succeed. */
export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** Runs `act`, perhaps several times, so it changes nothing but the database; then its `afterCommit` hooks. */
export async function transaction<T>(db: Db, act: (trx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const hooks: Scope['hooks'] = []
    let result: T
    try {
      result = await db.transaction().execute((trx) => {
        scopes.set(trx, { db, hooks })
        return act(trx)
      })
    } catch (error) {
      if (tries >= MAX_TRIES || !isRetryable(error)) throw error
      await sleep(RETRY_WAIT_MS * tries * (0.5 + Math.random()))
      continue
    }
    for (const hook of hooks) await hook()
    return result
  }
}

/** Runs the hook once the transaction has committed; never after a rollback. A hook must not throw: its caller's change is committed. */
export function afterCommit(trx: Db, hook: () => Promise<void>): void {
  scopeOf(trx).hooks.push(hook)
}

/** The database on which the transaction began. */
export function databaseOf(trx: Db): Db {
  return scopeOf(trx).db
}

function scopeOf(trx: Db): Scope {
  const scope = scopes.get(trx)
  if (scope === undefined) throw new Error('This needs a transaction that transaction() began.')
  return scope
}

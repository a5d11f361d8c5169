/** Transactions with retries after deadlocks and serialization failures, and with hooks after the commit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isRetryable } from './failure.ts'
import type { Db } from './open.ts'

const MAX_ATTEMPTS = 4
const RETRY_DELAY_MS = 15

interface Scope {
  readonly db: Db
  readonly hooks: (() => Promise<void>)[]
}

const scopes = new WeakMap<Db, Scope>()

/** Runs `act`, then its `afterCommit` hooks. `act` may run several times, so it must change only the database. */
export async function transaction<T>(db: Db, act: (trx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const hooks: Scope['hooks'] = []
    let result: T
    try {
      result = await db.transaction().execute((trx) => {
        scopes.set(trx, { db, hooks })
        return act(trx)
      })
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error
      await sleep(RETRY_DELAY_MS * attempt * (0.5 + Math.random()))
      continue
    }
    for (const hook of hooks) await hook()
    return result
  }
}

/** Runs the hook after the commit, never after a rollback. A hook must not throw, because the change is already committed. */
export function afterCommit(trx: Db, hook: () => Promise<void>): void {
  scopeOf(trx).hooks.push(hook)
}

/** The database on which the transaction began. */
export function databaseOf(trx: Db): Db {
  return scopeOf(trx).db
}

function scopeOf(trx: Db): Scope {
  const scope = scopes.get(trx)
  if (scope === undefined) throw new Error('This needs a transaction started by transaction().')
  return scope
}

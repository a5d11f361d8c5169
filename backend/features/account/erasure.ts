/**
 * The erasure: whose time is over goes, with all that is held on him, in one transaction, so that nobody is ever half erased. His row
 * is held all the while, and whoever finds it held leaves it: with any number of nodes each person is erased once.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { record } from '#backend/features/activity/activity.ts'
import { endManagementsOf } from '#backend/features/managers/managers.ts'
import { lockServers } from '#backend/features/servers/servers.ts'
import { tellBoth } from '#backend/features/transfers/both-sides.ts'
import { type Ended, withdrawTransfersOf } from '#backend/features/transfers/ending.ts'
import { holdCredentials, holdDue, holdPresence, listDue } from './account.queries.ts'
import type { Fate, Holding } from './holding.ts'
import { HOLDINGS } from './holdings.ts'

/** So many at a time: a stop of the program waits for no more than these. */
const AT_A_TIME = 50
/** Who could not be erased is tried again after this long; the others don't wait for him. */
const TRY_AGAIN_MS = 60_000

interface Person {
  readonly userId: string
  /** Stands in for him wherever his id must stay: random, and written down nowhere else. */
  readonly anonymousId: string
}

const FATES: Readonly<Record<Fate, (trx: Db, holding: Holding, person: Person) => Promise<void>>> = {
  async deleted(trx, { table, his }, { userId }) {
    await sql`delete from ${sql.table(table)} where ${his(userId)}`.execute(trx)
  },

  async revoked(trx, { table, his }, { userId }) {
    await sql`
      update ${sql.table(table)} set revoked_at = coalesce(revoked_at, now()), server_id = null, hint = ''
      where ${his(userId)}`.execute(trx)
  },

  async unnamed(trx, { table, his, people }, { userId }) {
    const blanked = people.map((column) => sql`${sql.ref(column)} = null`)
    await sql`update ${sql.table(table)} set ${sql.join(blanked)} where ${his(userId)}`.execute(trx)
  },

  async anonymised(trx, { table, his, people }, { userId, anonymousId }) {
    const stoodIn = people.map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when ${ref} = ${userId}::uuid then ${anonymousId}::uuid else ${ref} end`
    })
    // What others own tells of their things, and is theirs to keep.
    const blanked = ['server_name', 'before', 'after'].map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when owner_id = ${userId}::uuid then null else ${ref} end`
    })
    // A server's id stood beside his name in public: it stays only where somebody else's story needs it.
    blanked.push(sql`server_id = case when owner_id = ${userId}::uuid and other_id is null then null else server_id end`)
    await sql`update ${sql.table(table)} set ${sql.join([...stoodIn, ...blanked])} where ${his(userId)}`.execute(trx)
  },
}

/** What others have to hear of an erasure. */
interface Erased {
  readonly servers: readonly string[]
  readonly transfers: readonly Ended[]
  readonly managements: readonly { readonly owner_id: string; readonly manager_id: string }[]
}

/** Erases a person whose time is over; undefined where it is not (any more), or where another node has him. */
export function erase(db: Db, userId: string): Promise<Erased | undefined> {
  return transaction(db, async (trx) => {
    if (!(await holdDue(trx, userId))) return undefined
    const person: Person = { userId, anonymousId: randomUUID() }
    // One who did much leaves many rows: better a long statement than an account that can never go.
    await sql`set local statement_timeout = '10min'`.execute(trx)
    // The audit log lets nobody else change it.
    await sql`set local muster.erasing = 'on'`.execute(trx)
    // In the order of the master list's writers, so that the two never wait for each other in a circle.
    await holdPresence(trx, userId)
    const servers = await lockServers(trx, userId)
    await holdCredentials(trx, userId)
    // The other sides read how it ended; his name in it goes with the rest below.
    const transfers = await withdrawTransfersOf(trx, userId, { as: 'system', actorId: null })
    const managements = await endManagementsOf(trx, userId)
    for (const holding of HOLDINGS) await FATES[holding.fate](trx, holding, person)
    await record(trx, { action: 'ACCOUNT_ERASED', as: 'system', actorId: null, ownerId: person.anonymousId })
    return { servers, transfers, managements }
  })
}

/** The repeating task: erases those whose time is over, the longest due first. */
export function createErasure({ db, clock, log }: Deps, { tellList, live }: Pick<Doors, 'tellList' | 'live'>): () => Promise<void> {
  const laterAt = new Map<string, number>()

  const tell = async (userId: string, { servers, transfers, managements }: Erased) => {
    await tellList(...servers)
    live.end(userId)
    for (const ended of transfers) tellBoth(live, ended)
    for (const { owner_id: ownerId, manager_id: managerId } of managements) live.account([ownerId, managerId], 'me', 'servers', 'activity')
  }

  return async () => {
    for (const [userId, at] of laterAt) if (clock.uptime() >= at) laterAt.delete(userId)
    for (const userId of await listDue(db, [...laterAt.keys()], AT_A_TIME)) {
      try {
        const erased = await erase(db, userId)
        if (erased !== undefined) await tell(userId, erased)
      } catch (error) {
        laterAt.set(userId, clock.uptime() + TRY_AGAIN_MS)
        log.warn({ err: error, user: userId }, 'An account could not be erased; it will be tried again.')
      }
    }
  }
}

/**
 * Refreshes stored name keys after a change of the rule. Where two existing names now look alike, both stay: the older server gets the new
 * key, the other one keeps its old key and is reported. A name that is now rejected stays too, and is reported.
 */
import { sql } from 'kysely'
import { rejectedInName } from '#contract/text/text.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isUniqueViolation } from '#backend/platform/database/violation.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { runPaced } from '#backend/platform/concurrency/run-paced.ts'
import { NAME_KEY_VERSION, nameKey } from './name-key.ts'

/** Few enough that a batch locks its rows for a fraction of a second. */
const MAX_BATCH = 100

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

interface KeyedServer extends NamedServer {
  readonly name_key: string
}

interface Report {
  /** @param other the older server, whose name looks the same. */
  sameName(server: NamedServer, other: NamedServer): void
  rejectedName(server: NamedServer, character: string): void
  /** Resolves once all that was reported is stored. */
  stored(): Promise<void>
}

/** @param stopping ends it after the current batch; the next run continues. */
export async function refreshNameKeys({ db }: Pick<Deps, 'db'>, stopping: AbortSignal, report: Report): Promise<void> {
  await runPaced(stopping, MAX_BATCH, async (size) => {
    const stale = await db
      .selectFrom('all_servers')
      .select(['public_id', 'name', 'name_key'])
      .where('name_key_version', '<', NAME_KEY_VERSION)
      .orderBy('created_at')
      .limit(size)
      .execute()
    for (const server of stale) {
      const character = rejectedInName(server.name)
      if (character === undefined) continue
      report.rejectedName(server, character)
      await report.stored()
    }
    const holders = await findHolders(db, stale)
    const isFree = (server: KeyedServer) => !holders.has(server)
    for (const [server, holder] of holders) report.sameName(server, holder)
    if (holders.size > 0) await report.stored()
    await saveKeys(db, [...holders.keys()])
    await refreshKeys(db, stale.filter(isFree), report)
    return stale.length === size
  })
}

/** The servers whose new key is taken, each with the server that has it. The oldest of a batch come first. */
async function findHolders(db: Db, stale: readonly KeyedServer[]): Promise<Map<KeyedServer, NamedServer>> {
  const keys = stale.map(({ name }) => nameKey(name))
  const rows = await db
    .selectFrom('all_servers')
    .select(['public_id', 'name', 'name_key', 'name_key_version'])
    .where('name_key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  // The others give their key up when they are refreshed.
  const keeping = rows.filter((row) => row.name_key_version >= NAME_KEY_VERSION || nameKey(row.name) === row.name_key)
  const holderOf = new Map<string, NamedServer>(keeping.map((row) => [row.name_key, row]))
  const taken = new Map<KeyedServer, NamedServer>()
  for (const server of stale) {
    const key = nameKey(server.name)
    const holder = holderOf.get(key) ?? server
    holderOf.set(key, holder)
    if (holder.public_id !== server.public_id) taken.set(server, holder)
  }
  return taken
}

/** Saves new keys. One that another server took meanwhile, or has not given up yet, is reported. */
async function refreshKeys(db: Db, servers: readonly KeyedServer[], report: Report): Promise<void> {
  const keyed = servers.map((server) => ({ ...server, name_key: nameKey(server.name) }))
  if (await saveKeys(db, keyed)) return
  for (const [index, server] of servers.entries()) {
    if (await saveKeys(db, keyed.slice(index, index + 1))) continue
    const holder = await db
      .selectFrom('all_servers')
      .select(['public_id', 'name'])
      .where('name_key', '=', nameKey(server.name))
      .executeTakeFirst()
    // If the other server was deleted in the meantime, a later run retries this one.
    if (holder === undefined) continue
    report.sameName(server, holder)
    await report.stored()
    await saveKeys(db, [server])
  }
}

/**
 * Skips servers that were renamed in the meantime, because their keys are already current. Locks in the order of `lock-order.ts`. False, and
 * nothing is saved, if a key is taken.
 */
async function saveKeys(db: Db, servers: readonly KeyedServer[]): Promise<boolean> {
  const [ids, names, keys] = [servers.map((one) => one.public_id), servers.map((one) => one.name), servers.map((one) => one.name_key)]
  try {
    await sql`
      with locked as materialized (select public_id from all_servers where public_id = any(${ids}::text[]) order by public_id for update)
      update all_servers s set name_key = fresh.name_key, name_key_version = ${NAME_KEY_VERSION}
      from locked join unnest(${ids}::text[], ${names}::text[], ${keys}::text[]) as fresh (public_id, name, name_key) using (public_id)
      where s.public_id = fresh.public_id and s.name = fresh.name`.execute(db)
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'servers_name_key')) return false
    throw error
  }
}

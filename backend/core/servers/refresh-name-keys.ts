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
const BATCH = 100

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

interface KeyedServer extends NamedServer {
  readonly name_key: string
}

/** Each resolves once the finding is stored. */
interface Report {
  /** @param other the older server, whose name looks the same. */
  sameName(server: NamedServer, other: NamedServer): Promise<void>
  rejectedName(server: NamedServer, character: string): Promise<void>
}

/** @param stopping ends it after the current batch; the next run continues. */
export async function refreshNameKeys({ db }: Pick<Deps, 'db'>, stopping: AbortSignal, report: Report): Promise<void> {
  await runPaced(stopping, async () => {
    const stale = await db
      .selectFrom('all_servers')
      .select(['public_id', 'name', 'name_key'])
      .where('name_key_version', '<', NAME_KEY_VERSION)
      .orderBy('created_at')
      .limit(BATCH)
      .execute()
    for (const server of stale) {
      const character = rejectedInName(server.name)
      if (character !== undefined) await report.rejectedName(server, character)
    }
    await refreshKeys(db, stale, report)
    return stale.length === BATCH
  })
}

/** Splits the servers until each part is saved or is one server with a taken key. The oldest come first. */
async function refreshKeys(db: Db, servers: readonly KeyedServer[], report: Report): Promise<void> {
  const [first] = servers
  if (first === undefined) return
  const keyed = servers.map((server) => ({ ...server, name_key: nameKey(server.name) }))
  if (await saveKeys(db, keyed)) return
  if (servers.length > 1) {
    const half = Math.ceil(servers.length / 2)
    await refreshKeys(db, servers.slice(0, half), report)
    await refreshKeys(db, servers.slice(half), report)
    return
  }
  const other = await db
    .selectFrom('all_servers')
    .select(['public_id', 'name'])
    .where('name_key', '=', nameKey(first.name))
    .executeTakeFirst()
  // If the other server was deleted in the meantime, a later run retries this one.
  if (other === undefined) return
  await report.sameName(first, other)
  await saveKeys(db, servers)
}

/** Skips servers that were renamed in the meantime, because their keys are already current. False, and nothing is saved, if a key is taken. */
async function saveKeys(db: Db, servers: readonly KeyedServer[]): Promise<boolean> {
  const [ids, names, keys] = [servers.map((one) => one.public_id), servers.map((one) => one.name), servers.map((one) => one.name_key)]
  try {
    await sql`
      update all_servers set name_key = fresh.name_key, name_key_version = ${NAME_KEY_VERSION}
      from unnest(${ids}::text[], ${names}::text[], ${keys}::text[]) as fresh (public_id, name, name_key)
      where all_servers.public_id = fresh.public_id and all_servers.name = fresh.name`.execute(db)
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'servers_name_key')) return false
    throw error
  }
}

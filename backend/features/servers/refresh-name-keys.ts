/**
 * Refreshes stored name keys after a change of the rule. Where two existing names now look alike, both stay: the older server gets the new
 * key, the other one keeps its old key and is reported. A name that is now rejected stays too, and is reported.
 */
import { rejectedInName } from '#contract/text.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isUniqueViolation } from '#backend/platform/database/violation.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { NAME_KEY_VERSION, nameKey } from './name-key.ts'

const BATCH = 500

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

/** Each resolves once the finding is stored. */
interface Report {
  /** @param other the older server, whose name looks the same. */
  sameName(server: NamedServer, other: NamedServer): Promise<void>
  rejectedName(server: NamedServer, character: string): Promise<void>
}

export async function refreshNameKeys({ db }: Pick<Deps, 'db'>, report: Report): Promise<void> {
  for (;;) {
    const stale = await db
      .selectFrom('all_servers')
      .select(['public_id', 'name', 'name_key'])
      .where('name_key_version', '<', NAME_KEY_VERSION)
      .orderBy('created_at')
      .limit(BATCH)
      .execute()
    if (stale.length === 0) return
    for (const server of stale) {
      const key = nameKey(server.name)
      const character = rejectedInName(server.name)
      if (character !== undefined) await report.rejectedName(server, character)
      try {
        await saveKey(db, server, key)
      } catch (error) {
        if (!isUniqueViolation(error, 'servers_name_key')) throw error
        const other = await db.selectFrom('all_servers').select(['public_id', 'name']).where('name_key', '=', key).executeTakeFirst()
        // If the other server was deleted in the meantime, the next batch retries this one.
        if (other === undefined) continue
        await report.sameName(server, other)
        await saveKey(db, server, server.name_key)
      }
    }
  }
}

/** Skips a server that was renamed in the meantime, because its key is already current. */
async function saveKey(db: Db, { public_id: id, name }: NamedServer, key: string): Promise<void> {
  const columns = { name_key: key, name_key_version: NAME_KEY_VERSION }
  await db.updateTable('all_servers').set(columns).where('public_id', '=', id).where('name', '=', name).execute()
}

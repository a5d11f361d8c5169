/**
 * Refreshes stored name keys after a change of the rule. Where two existing names now look alike, both stay: the older server gets the new
 * key, the other one keeps its old key and is reported. A name that is now rejected stays too, and is reported.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { rejectedInName } from '#contract/text/text.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isUniqueViolation } from '#backend/platform/database/violation.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { NAME_KEY_VERSION, nameKey } from './name-key.ts'

const MAX_BATCH = 100
/** A server takes one or two milliseconds of CPU, so this keeps the job below a tenth of a core. */
const PAUSE_MS = 15

interface NamedServer {
  readonly public_id: string
  readonly name: string
}

interface Report {
  /** @param other the older server, whose name looks the same. */
  sameName(server: NamedServer, other: NamedServer): void
  rejectedName(server: NamedServer, character: string): void
  /** Resolves once all that was reported is stored. */
  stored(): Promise<void>
}

/** @param stopping ends it after the current server; the next run continues. */
export async function refreshNameKeys({ db }: Pick<Deps, 'db'>, stopping: AbortSignal, report: Report): Promise<void> {
  for (;;) {
    const stale = await db
      .selectFrom('all_servers')
      .select(['public_id', 'name', 'name_key'])
      .where('name_key_version', '<', NAME_KEY_VERSION)
      .orderBy('created_at')
      .limit(MAX_BATCH)
      .execute()
    for (const server of stale) {
      if (stopping.aborted) return
      await refreshKey(db, server, report)
      await sleep(PAUSE_MS)
    }
    if (stale.length < MAX_BATCH) return
  }
}

/** @param mayRefreshHolder whether another server that holds the key, but gives it up, may be refreshed first. */
async function refreshKey(
  db: Db,
  server: NamedServer & { readonly name_key: string },
  report: Report,
  mayRefreshHolder = true,
): Promise<void> {
  const key = nameKey(server.name)
  const holder = await db
    .selectFrom('all_servers')
    .select(['public_id', 'name', 'name_key'])
    .where('name_key', '=', key)
    .where('public_id', '<>', server.public_id)
    .executeTakeFirst()
  if (holder !== undefined && mayRefreshHolder && nameKey(holder.name) !== key) {
    await refreshKey(db, holder, report, false)
    return await refreshKey(db, server, report, false)
  }
  const character = rejectedInName(server.name)
  if (character !== undefined) report.rejectedName(server, character)
  if (holder !== undefined) report.sameName(server, holder)
  await report.stored()
  // A server that was renamed in the meantime has a current key.
  await db
    .updateTable('all_servers')
    .set({ name_key: holder === undefined ? key : server.name_key, name_key_version: NAME_KEY_VERSION })
    .where('public_id', '=', server.public_id)
    .where('name', '=', server.name)
    .execute()
    .catch((error: unknown) => {
      // Another server took the key in the meantime. The next run finds it.
      if (!isUniqueViolation(error, 'servers_name_key')) throw error
    })
}

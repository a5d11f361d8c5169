/** Stops a migration while nodes run that can't work on the schema after it (docs/decisions/0002). */
import { sql } from 'kysely'
import { isFolderLocked } from './embedded-host.ts'
import type { Db } from './open.ts'
import { isNewerVersion } from './version-order.ts'

/** A node without a heartbeat for this long has stopped or crashed. The bus applies the same limit (postgres-link.ts). */
const LIVE_SECONDS = 10

export class OlderNodesError extends Error {
  override readonly name = 'OlderNodesError'
}

/**
 * Throws OlderNodesError while a node older than `version` is live. It locks `nodes` until the transaction ends, so no node can register
 * between this check and the migration.
 */
export async function rejectOlderNodes(trx: Db, version: string): Promise<void> {
  const { rows: tables } = await sql<{ has_nodes: boolean; has_versions: boolean }>`
    select to_regclass('nodes') is not null as has_nodes,
      exists (select from pg_attribute where attrelid = to_regclass('nodes') and attname = 'version') as has_versions`.execute(trx)
  if (tables[0]?.has_nodes !== true) return
  await sql`lock table nodes in exclusive mode`.execute(trx)
  const live = sql`clock_timestamp() - make_interval(secs => ${sql.lit(LIVE_SECONDS)})`
  // Before 0008 a node stored no version.
  const { rows } = await (
    tables[0].has_versions
      ? sql<{ version: string | null }>`select version from nodes where heartbeat_at > ${live}`
      : sql<{ version: string | null }>`select null as version from nodes where seen_at > ${live}`
  ).execute(trx)
  const older = rows.map((node) => node.version).filter((one) => one === null || isNewerVersion(version, one))
  if (older.length > 0) throw new OlderNodesError(describe(older))
}

/** Throws OlderNodesError if a program runs on this embedded database. For command-line tools. */
export async function rejectRunningProgram(trx: Db): Promise<void> {
  if (await isFolderLocked(trx))
    throw new OlderNodesError('An older version of Muster still uses this database. Stop it, then run this command again.')
}

function describe(versions: readonly (string | null)[]): string {
  const known = [...new Set(versions.filter((version) => version !== null))].toSorted()
  const which = known.length === 0 ? 'an older version' : `an older version (${known.join(', ')})`
  const [nodes, verb, them] = versions.length === 1 ? ['1 node', 'uses', 'it'] : [`${versions.length} nodes`, 'use', 'them']
  return (
    `${nodes} of ${which} still ${verb} this database. Stop ${them}, then start this version. ` +
    `A node that crashed counts for ${LIVE_SECONDS} seconds.`
  )
}

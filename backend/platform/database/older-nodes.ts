/** Stops a migration while nodes run that can't work on the schema after it (docs/decisions/0002). */
import { sql } from 'kysely'
import { isFolderLocked } from './embedded-host.ts'
import type { Db } from './open.ts'

/** A node without a heartbeat for this long has stopped or crashed. The bus applies the same limit (postgres-link.ts). */
export const LIVE_SECONDS = 10

export class OlderNodesError extends Error {
  override readonly name = 'OlderNodesError'
}

/**
 * Throws OlderNodesError while a node below this level is live. It locks `nodes` until the transaction ends, so no node can register
 * between this check and the migration.
 * @param unknownLevel the level of nodes that store none.
 */
export async function rejectOlderNodes(trx: Db, level: number, unknownLevel: number): Promise<void> {
  const { rows: tables } = await sql<{ has_nodes: boolean }>`select to_regclass('nodes') is not null as has_nodes`.execute(trx)
  if (tables[0]?.has_nodes !== true) return
  await sql`lock table nodes in exclusive mode`.execute(trx)
  // As JSON, because older schemas lack some columns: `heartbeat_at` was `seen_at` before 0008.
  const { rows } = await sql<{ version: string | null; level: number | null }>`
    select node->>'version' as version, (node->>'schema_level')::int as level from (select to_jsonb(nodes) as node from nodes) rows
    where coalesce(node->>'heartbeat_at', node->>'seen_at')::timestamptz > clock_timestamp() - make_interval(secs => ${sql.lit(LIVE_SECONDS)})
  `.execute(trx)
  const older = rows.filter((node) => (node.level ?? unknownLevel) < level)
  if (older.length > 0) throw new OlderNodesError(describe(older.map((node) => node.version)))
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

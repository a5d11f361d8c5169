/**
 * After a time in which this node may not have heard what the others committed: what the database says of all servers is compared with
 * what is known here, and whatever differs is read anew. A credential that was revoked meanwhile must not live on.
 */
import { isDeepStrictEqual } from 'node:util'
import { setImmediate as turn } from 'node:timers/promises'
import type { Deps } from '#backend/deps.ts'
import { credentialOf, fieldsOf } from './loading.ts'
import type { RunningMasterList } from './masterlist.ts'
import { type CredentialRow, listServers, listWorkingCredentials } from './masterlist.queries.ts'
import type { LiveCredential, ServerRecord } from './server-record.ts'

/** Compared in one go; between two of them announces have their turn. */
const MOST_AT_ONCE = 500
/** Each is two queries. */
const READ_AT_ONCE = 4

/** Rejects where the database can't be asked, or not all could be read. */
export async function catchUp({ db, env }: Pick<Deps, 'db' | 'env'>, list: Pick<RunningMasterList, 'registry' | 'refresh'>): Promise<void> {
  const { registry } = list
  const [rows, credentials] = await Promise.all([listServers(db), listWorkingCredentials(db)])
  const byServer = Map.groupBy(credentials, (row) => row.server_id ?? '')
  const there = new Set(rows.map((row) => row.public_id))
  const changed = [...registry.all()].map(({ publicId }) => publicId).filter((publicId) => !there.has(publicId))
  for (const [index, row] of rows.entries()) {
    if (index % MOST_AT_ONCE === 0) await turn()
    const known = registry.get(row.public_id)
    const isSame =
      known !== undefined && isDeepStrictEqual(known.fields, fieldsOf(row, env)) && hasThese(known, byServer.get(row.public_id) ?? [])
    if (!isSame) changed.push(row.public_id)
  }
  // One that was made or deleted since is told of, or read in vain: that does no harm.
  await Promise.all(
    Array.from({ length: READ_AT_ONCE }, async () => {
      for (let publicId = changed.pop(); publicId !== undefined; publicId = changed.pop()) await list.refresh(publicId, true)
    }),
  )
}

/** As far as the database decides it. */
function hasThese({ publicId, credentials }: ServerRecord, rows: readonly CredentialRow[]): boolean {
  const decided = (all: readonly LiveCredential[]) =>
    all.map(({ id, key, graceUntil, boundAddress }) => ({ id, key, graceUntil, boundAddress })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return isDeepStrictEqual(decided(credentials), decided(rows.map((row) => credentialOf(row, publicId, undefined))))
}

/** What the database says, beside what is known here: page by page, so that nothing waits for it. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { credentialOf, fieldsOf } from './loading.ts'
import { type CredentialRow, type LiveStateRow, listWorkingCredentialsOf, pagePresence, pageServers } from './masterlist.queries.ts'

const SERVERS_IN_A_PAGE = 500
const STATES_IN_A_PAGE = 2000

/** The ids of servers that are not here as they are there, because they are new, changed or gone. */
export async function* differingServers(
  { db, env }: Pick<Deps, 'db' | 'env'>,
  registry: Pick<Registry, 'get' | 'all'>,
): AsyncGenerator<readonly string[]> {
  const there = new Set<string>()
  for (let after = ''; ;) {
    const rows = await pageServers(db, after, SERVERS_IN_A_PAGE)
    const credentials = Map.groupBy(
      await listWorkingCredentialsOf(db, ...rows.map((row) => row.public_id)),
      (credential) => credential.server_id ?? '',
    )
    const differing = rows.filter((row) => {
      there.add(row.public_id)
      const known = registry.get(row.public_id)
      if (known === undefined || JSON.stringify(known.fields) !== JSON.stringify(fieldsOf(row, env))) return true
      return !areSame(known, credentials.get(row.public_id) ?? [])
    })
    if (differing.length > 0) yield differing.map((row) => row.public_id)
    after = rows.at(-1)?.public_id ?? ''
    if (rows.length < SERVERS_IN_A_PAGE) break
  }
  const gone = Array.from(registry.all(), (server) => server.publicId).filter((publicId) => !there.has(publicId))
  if (gone.length > 0) yield gone
}

/** Every saved live state. */
export async function* liveStatesInPages(db: Deps['db']): AsyncGenerator<readonly LiveStateRow[]> {
  for (let after = ''; ;) {
    const rows = await pagePresence(db, after, STATES_IN_A_PAGE)
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.server_id ?? ''
    if (rows.length < STATES_IN_A_PAGE) return
  }
}

function areSame(known: ServerRecord, rows: readonly CredentialRow[]): boolean {
  if (rows.length !== known.credentials.length) return false
  return rows.every((row) => {
    const old = known.credentials.find((credential) => credential.id === row.id)
    return old !== undefined && isSame(old, credentialOf(row, known.publicId, old))
  })
}

function isSame(old: LiveCredential, now: LiveCredential): boolean {
  return old.graceUntil === now.graceUntil && old.boundAddress === now.boundAddress
}

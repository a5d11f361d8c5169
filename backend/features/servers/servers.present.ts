/** A server as its owner gets it: the row, its credentials' facts, and what the master list knows now. */
import type { Server } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type Appearance, appearancesOf } from './appearance.ts'
import type { ServerState, ServerStates } from './server-services.ts'
import { type CredentialRow, type ServerRow, listWorkingCredentials } from './servers.queries.ts'

const time = (date: Date | null | undefined) => date?.toISOString() ?? null

function latest(...dates: readonly (Date | null | undefined)[]): Date | null {
  return dates.reduce<Date | null>((last, date) => (date != null && (last === null || date > last) ? date : last), null)
}

/** A server that the list has not read yet has not announced either. */
function unseen(row: ServerRow): ServerState {
  const reason = { code: 'NEVER_ANNOUNCED', message: 'No announce has arrived yet.', since: row.created_at.toISOString() }
  return { status: 'never_seen', live: null, listing: { listed: false, reasons: [reason] }, lastUsedAt: new Map() }
}

const PLAIN: Appearance = { icon_url: null, group: null, dormant: [] }

function present(row: ServerRow, credentials: readonly CredentialRow[], state: ServerState, appearance: Appearance): Server {
  const [current, ...older] = credentials
  const lastUse = (credential: CredentialRow | undefined) =>
    credential === undefined ? null : latest(credential.last_used_at, state.lastUsedAt.get(credential.id))
  const graceUntil = latest(...older.map((credential) => credential.grace_until))
  // Until the new credential has announced, the old one's address is the one that counts.
  const bound = [current, ...older].find((credential) => credential?.bound_address != null)
  return {
    public_id: row.public_id,
    user_id: row.owner_id,
    name: row.name,
    description: row.description,
    language: row.language,
    tags: row.tags,
    game_mode: row.game_mode,
    website: row.website,
    visible: row.visible,
    vanity_url: row.vanity_url,
    group_id: row.group_id,
    promoted: row.promoted,
    icon_image_id: row.icon_image_id,
    ...appearance,
    credential_hint: current?.hint ?? '',
    credential_issued_at: (current?.issued_at ?? row.created_at).toISOString(),
    credential_last_used_at: time(lastUse(current)),
    credential_grace_until: time(graceUntil),
    previous_credential_last_used_at: time(latest(...older.map(lastUse))),
    bound_address: bound?.bound_address ?? null,
    bound_at: time(bound?.bound_at),
    banned: row.banned,
    ban_reason: row.ban_reason,
    banned_until: time(row.banned_until),
    verified: row.verified,
    status: state.status,
    live: state.live,
    listing: state.listing,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

type Presenting = Pick<Deps, 'db' | 'env'>

/** Presents rows in their order. */
export async function presentServers(deps: Presenting, list: ServerStates, rows: readonly ServerRow[]): Promise<Server[]> {
  if (rows.length === 0) return []
  const publicIds = rows.map((row) => row.public_id)
  const appearances = await appearancesOf(deps, publicIds)
  const credentials = Map.groupBy(await listWorkingCredentials(deps.db, publicIds), (credential) => credential.server_id)
  return rows.map((row) => {
    const id = row.public_id
    return present(row, credentials.get(id) ?? [], list.stateOf(id) ?? unseen(row), appearances.get(id) ?? PLAIN)
  })
}

export async function presentServer(deps: Presenting, list: ServerStates, row: ServerRow): Promise<Server> {
  const [server] = await presentServers(deps, list, [row])
  if (server === undefined) throw new Error('A row was given and none presented.')
  return server
}

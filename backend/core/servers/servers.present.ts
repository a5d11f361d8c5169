/** Builds API replies for servers from their row, credentials, owner's benefits and live state. */
import { m } from '#api-messages'
import type { Permission } from '#contract/servers/permissions.ts'
import { BENEFIT_FIELDS, isInitial } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { ManagedServer, Server } from '#contract/servers/servers.ts'
import type { PublicUser } from '#contract/users/users.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import { benefitKeysOf } from '#backend/core/users/users.ts'
import { type CredentialRow, listWorkingCredentials } from './credentials.queries.ts'
import type { ServerState, ServerStateSource } from './server-state.ts'
import { type ServerRow, listAppearances } from './servers.queries.ts'

type PresentDeps = Pick<Deps, 'db' | 'env'>

export async function presentServers({ db, env }: PresentDeps, list: ServerStateSource, rows: readonly ServerRow[]): Promise<Server[]> {
  if (rows.length === 0) return []
  const publicIds = rows.map((row) => row.public_id)
  const appearances = new Map((await listAppearances(db, publicIds)).map((row) => [row.public_id, row]))
  const credentials = Map.groupBy(await listWorkingCredentials(db, publicIds), (credential) => credential.server_id)
  return rows.map((row) => {
    const id = row.public_id
    const { lastUsedAt, ...state } = list.stateOf(id) ?? neverAnnouncedState(row)
    return {
      ...row,
      user_id: row.owner_id,
      ...presentAppearance(env, appearances.get(id)),
      ...presentCredentials(row, credentials.get(id) ?? [], lastUsedAt),
      ...state,
      banned_until: toIsoString(row.banned_until),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  })
}

export async function presentServer(deps: PresentDeps, list: ServerStateSource, row: ServerRow): Promise<Server> {
  const [server] = await presentServers(deps, list, [row])
  if (server === undefined) throw new Error('presentServers returned no server for a row')
  return server
}

/** Adds the owners. Leaves out servers whose owner no longer exists. */
export async function presentWithOwners(
  deps: PresentDeps,
  list: ServerStateSource,
  rows: readonly ServerRow[],
): Promise<(Server & { owner: PublicUser })[]> {
  const ownerIds = rows.map((row) => row.owner_id)
  const [servers, owners] = await Promise.all([presentServers(deps, list, rows), publicUsers(deps.db, ownerIds)])
  return servers.flatMap((server) => {
    const owner = owners.get(server.user_id)
    return owner === undefined ? [] : [{ ...server, owner }]
  })
}

type ManagedRow = ServerRow & { readonly permissions: readonly string[] }

export async function presentManaged(deps: PresentDeps, list: ServerStateSource, rows: readonly ManagedRow[]): Promise<ManagedServer[]> {
  const permissions = new Map(rows.map((row) => [row.public_id, row.permissions]))
  const servers = await presentWithOwners(deps, list, rows)
  return servers.map((server) => ({ ...server, permissions: (permissions.get(server.public_id) ?? []) as Permission[] }))
}

/** For a server that the master list has not loaded yet, which therefore has not announced. */
function neverAnnouncedState(row: ServerRow): ServerState {
  const reason = { code: 'NEVER_ANNOUNCED', message: m.listing_no_announce_yet(), since: row.created_at.toISOString() }
  return {
    status: 'never_seen',
    offline_since: null,
    banner_url: null,
    live: null,
    last_announced: null,
    listing: { listed: false, reasons: [reason] },
    lastUsedAt: new Map(),
  }
}

/** The fields that depend on the owner's benefits. `dormant` names those that are set but hidden from players. */
function presentAppearance(
  env: Deps['env'],
  row: Awaited<ReturnType<typeof listAppearances>>[number] | undefined,
): Pick<Server, 'icon_url' | 'group' | 'dormant'> {
  if (row === undefined) return { icon_url: null, group: null, dormant: [] }
  const held = benefitKeysOf(row, row.grants)
  return {
    icon_url: imageUrl(env, row.icon_file),
    group: row.group_id === null || row.group_name === null ? null : { id: row.group_id, name: row.group_name },
    dormant: BENEFIT_FIELDS.filter((field) => !isInitial(field, row[field]) && !held.has(SERVER_FIELDS[field].benefit)),
  }
}

function presentCredentials(row: ServerRow, credentials: readonly CredentialRow[], lastUsedAt: ServerState['lastUsedAt']) {
  const [current, ...older] = credentials
  const lastUses = (of: readonly CredentialRow[]) => latest(...of.flatMap(({ id, last_used_at }) => [last_used_at, lastUsedAt.get(id)]))
  // Until the new credential announces, the old one's bound addresses count.
  const bound = credentials.find((credential) => credential.bound_addresses !== null)?.bound_addresses ?? []
  return {
    credential_hint: current?.hint ?? '',
    credential_issued_at: (current?.issued_at ?? row.created_at).toISOString(),
    credential_last_used_at: toIsoString(lastUses(credentials.slice(0, 1))),
    credential_grace_until: toIsoString(latest(...older.map((credential) => credential.grace_until))),
    previous_credential_last_used_at: toIsoString(lastUses(older)),
    bound_address: bound[0]?.address ?? null,
    bound_at: toIsoString(bound[0] && new Date(bound[0].bound_at)),
    bound_addresses: bound.map((each) => ({ ...each, bound_at: new Date(each.bound_at).toISOString() })),
  }
}

const toIsoString = (date: Date | null | undefined) => date?.toISOString() ?? null

function latest(...dates: readonly (Date | null | undefined)[]): Date | null {
  return dates.reduce<Date | null>((last, date) => (date != null && (last === null || date > last) ? date : last), null)
}

/** What the master list reads from the database. */
import { type RawBuilder, sql } from 'kysely'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { SERVER_FIELD_NAMES } from '#contract/servers/server-field-shapes.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type LauncherParts, appliesToServer, launcherParts } from '#backend/core/benefits/settings-scope.ts'
import type { Proof } from '#backend/masterlist/registry/endpoint.ts'
import type { Bindings } from '#backend/masterlist/registry/server-record.ts'
import type { ActiveIssue } from '#backend/core/protection/enforcement.ts'

function serversWithOwners(db: Db) {
  return db
    .selectFrom('servers as s')
    .innerJoin('users as u', 'u.id', 's.owner_id')
    .select(SERVER_FIELD_NAMES.map((field) => `s.${field}` as const))
    .select(['s.public_id', 's.owner_id', 's.verified', 's.created_at', 's.updated_at', 's.hidden_at'])
    .select(['s.banned', 's.ban_reason', 's.banned_at', 's.banned_until', 'u.owned_tier', 'u.forced_tier'])
    .select(['u.banned as owner_banned', 'u.ban_reason as owner_ban_reason'])
    .select(['u.banned_at as owner_banned_at', 'u.banned_until as owner_banned_until'])
    .select(sql<string[]>`array(select key from benefit_grants g where g.user_id = u.id)`.as('grants'))
    .select(sql<string | null>`(select name from server_groups g where g.id = s.group_id)`.as('group_name'))
    .select(sql<string | null>`(select file from images i where i.id = s.icon_image_id)`.as('icon_file'))
    .select(imageOf('CUSTOM_BANNER').as('banner_file'))
    .select(imageOf('CUSTOM_JOIN_BACKGROUND').as('join_background_file'))
    .select(
      sql<LauncherParts | null>`(select ${launcherParts} from benefit_settings b where ${appliesTo('CUSTOM_LAUNCHER')})`.as('launcher'),
    )
    .select(openIssues.as('issues'))
    .select(proof.as('proof'))
}

/** Only issues of the current owner that they can see, because replies to announces name them. */
const openIssues = sql<ActiveIssue[] | null>`(
  select json_agg(json_build_object('id', p.id, 'kind', p.kind, 'consequence', p.consequence, 'since', p.consequence_at, 'summary', p.summary)
    order by p.first_seen_at, p.id)
  from protection_issues p where p.server_id = s.public_id and p.user_id = s.owner_id and p.is_visible_to_owner
    and p.status in ('OPEN', 'ACKNOWLEDGED'))`

interface StoredProof extends Omit<Proof, 'isNameProven' | 'failedAt'> {
  readonly is_name_proven: boolean
  readonly failed_at: string | null
}

/** Not `proven_at`, which changes with each proof. */
const proof = sql<StoredProof | null>`(
  select json_build_object('host', e.host, 'port', e.port, 'addresses', array(select host(a) from unnest(e.addresses) a),
    'is_name_proven', e.is_name_proven, 'failure', e.failure, 'failed_at', e.failed_at)
  from endpoint_proofs e where e.server_id = s.public_id)`

/** Whether an owner's benefit settings `b` apply to the server `s`. */
function appliesTo(key: SettingsKey): RawBuilder<boolean> {
  return sql<boolean>`b.user_id = s.owner_id and b.key = ${key} and ${appliesToServer('s.public_id')}`
}

function imageOf(key: SettingsKey): RawBuilder<string | null> {
  return sql<string | null>`(select i.file from benefit_settings b join images i on i.id = b.image_id where ${appliesTo(key)})`
}

export type ServerRow = NonNullable<Awaited<ReturnType<typeof findServer>>>

/** All servers in pages, ordered by ID. */
export function pagesOfServers(db: Db, rowsPerPage: number) {
  const page = (after: string) => serversWithOwners(db).where('s.public_id', '>', after).orderBy('s.public_id').limit(rowsPerPage).execute()
  return pagesOf(page, rowsPerPage, (row) => row.public_id)
}

/** Keyset pagination: each page starts after the key of the previous page's last row. */
async function* pagesOf<Row>(read: (after: string) => Promise<readonly Row[]>, rowsPerPage: number, keyOf: (row: Row) => string) {
  for (let after = ''; ;) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < rowsPerPage) return
    after = keyOf(last)
  }
}

export function findServer(db: Db, publicId: string) {
  return serversWithOwners(db).where('s.public_id', '=', publicId).executeTakeFirst()
}

function credentialsWithUses(db: Db) {
  return db
    .selectFrom('credentials as c')
    .leftJoin('credential_uses as x', 'x.credential_id', 'c.id')
    .select(['c.id', 'c.server_id', 'c.hash', 'c.issued_at', 'c.grace_until', 'c.revoked_at', 'x.last_used_at'])
    .select(
      sql<Bindings | null>`(select json_object_agg('ipv' || a.family, host(a.address)) from credential_addresses a where a.credential_id = c.id)`.as(
        'bound',
      ),
    )
}

export type CredentialRow = Awaited<ReturnType<typeof listValidCredentialsOf>>[number]

/** Includes a minute after the grace period: each announce checks the exact end by this node's clock, which may be behind the database's. */
const mayBeValid = sql<boolean>`c.revoked_at is null and c.server_id is not null and (c.grace_until is null or c.grace_until > now() - interval '1 minute')`

export function listValidCredentialsOf(db: Db, publicIds: readonly string[]) {
  return credentialsWithUses(db)
    .where(sql<boolean>`c.server_id = any(${publicIds}::text[])`)
    .where(mayBeValid)
    .execute()
}

export function findCredentialByHash(db: Db, hash: Buffer) {
  return db.selectFrom('credentials').select(['id', 'server_id', 'grace_until', 'revoked_at']).where('hash', '=', hash).executeTakeFirst()
}

function liveStates(db: Db) {
  return db
    .selectFrom('presence')
    .select(['server_id', 'online', 'since', 'ended_by', 'last_announce_at', 'endpoint_since', 'credential_id', 'announce', 'changed_at'])
    .select([sql<string>`host(address)`.as('address'), sql<string | null>`host(other_address)`.as('other_address')])
}

export type LiveStateRow = Awaited<ReturnType<typeof listPresenceOf>>[number]

export function listPresenceOf(db: Db, publicIds: readonly string[]) {
  return liveStates(db)
    .where(sql<boolean>`server_id = any(${publicIds}::text[])`)
    .execute()
}

/** All live states in pages, ordered by server ID. */
export function pagesOfPresence(db: Db, rowsPerPage: number) {
  const page = (after: string) => liveStates(db).where('server_id', '>', after).orderBy('server_id').limit(rowsPerPage).execute()
  return pagesOf(page, rowsPerPage, (row) => row.server_id)
}

/** The newest attempt of each server, by one index lookup per server instead of a sort. */
export async function listNewestAttempts(db: Db, publicIds: readonly string[]) {
  const { rows } = await sql<{ server_id: string; at: Date; code: string; detail: string; address: string }>`
    select s.public_id as server_id, a.at, a.code, a.detail, host(a.address) as address
    from servers s
    cross join lateral (select at, code, detail, address from announce_attempts where server_id = s.public_id order by id desc limit 1) a
    where s.public_id = any(${publicIds}::text[])`.execute(db)
  return rows
}

export function listAttempts(db: Db, publicId: string, max: number) {
  return db
    .selectFrom('announce_attempts')
    .select(['at', 'code', 'detail'])
    .select(sql<string>`host(address)`.as('address'))
    .where('server_id', '=', publicId)
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

/** What the master list reads when it starts and when a server changes. What it writes: `masterlist.writes.ts`. */
import { type RawBuilder, sql } from 'kysely'
import type { SettingsKey } from '#contract/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type LauncherSet, isForServer, launcherSet } from '#backend/features/benefits/applies-to.ts'
import type { IssueInForce } from '#backend/features/protection/standing.ts'

const serverColumns = [
  's.public_id',
  's.owner_id',
  's.name',
  's.description',
  's.language',
  's.tags',
  's.game_mode',
  's.website',
  's.visible',
  's.vanity_url',
  's.promoted',
  's.verified',
  's.banned',
  's.ban_reason',
  's.banned_at',
  's.banned_until',
  's.created_at',
  's.updated_at',
  's.hidden_at',
  's.group_id',
  'u.banned as owner_banned',
  'u.ban_reason as owner_ban_reason',
  'u.banned_at as owner_banned_at',
  'u.banned_until as owner_banned_until',
  'u.owned_tier',
  'u.forced_tier',
] as const

function serversWithOwners(db: Db) {
  return db
    .selectFrom('servers as s')
    .innerJoin('users as u', 'u.id', 's.owner_id')
    .select(serverColumns)
    .select(sql<string[]>`array(select key from benefit_grants g where g.user_id = u.id)`.as('grants'))
    .select(sql<string | null>`(select name from server_groups g where g.id = s.group_id)`.as('group_name'))
    .select(sql<string | null>`(select file from images i where i.id = s.icon_image_id)`.as('icon_file'))
    .select(pictureOf('CUSTOM_BANNER').as('banner_file'))
    .select(pictureOf('CUSTOM_JOIN_BACKGROUND').as('join_background_file'))
    .select(sql<LauncherSet | null>`(select ${launcherSet} from benefit_settings b where ${appliesTo('CUSTOM_LAUNCHER')})`.as('launcher'))
    .select(openIssues.as('issues'))
}

/** A former owner's are not held against the present one. */
const openIssues = sql<IssueInForce[] | null>`(
  select json_agg(json_build_object('id', p.id, 'kind', p.kind, 'consequence', p.consequence, 'since', p.consequence_at, 'summary', p.summary)
    order by p.first_seen_at, p.id)
  from protection_issues p where p.server_id = s.public_id and p.user_id = s.owner_id and p.status in ('OPEN', 'ACKNOWLEDGED'))`

/** Whether an owner's settings `b` of a benefit are for the server `s`. */
function appliesTo(key: SettingsKey): RawBuilder<boolean> {
  return sql<boolean>`b.user_id = s.owner_id and b.key = ${key} and ${isForServer('s.public_id')}`
}

function pictureOf(key: SettingsKey): RawBuilder<string | null> {
  return sql<string | null>`(select i.file from benefit_settings b join images i on i.id = b.image_id where ${appliesTo(key)})`
}

export type ServerRow = Awaited<ReturnType<typeof pageServers>>[number]

/** The next servers after `after`, by their ids. */
export function pageServers(db: Db, after: string, most: number) {
  return serversWithOwners(db).where('s.public_id', '>', after).orderBy('s.public_id').limit(most).execute()
}

export function findServer(db: Db, publicId: string) {
  return serversWithOwners(db).where('s.public_id', '=', publicId).executeTakeFirst()
}

function credentialsWithUses(db: Db) {
  return db
    .selectFrom('credentials as c')
    .leftJoin('credential_uses as x', 'x.credential_id', 'c.id')
    .select(['c.id', 'c.server_id', 'c.hash', 'c.issued_at', 'c.grace_until', 'c.revoked_at', 'x.last_used_at'])
    .select(sql<string | null>`host(x.bound_address)`.as('bound_address'))
}

export type CredentialRow = Awaited<ReturnType<typeof listWorkingCredentialsOf>>[number]

const mayWork = sql<boolean>`c.revoked_at is null and c.server_id is not null and (c.grace_until is null or c.grace_until > now() - interval '1 minute')`

export function listWorkingCredentialsOf(db: Db, ...publicIds: readonly string[]) {
  return credentialsWithUses(db)
    .where(sql<boolean>`c.server_id = any(${publicIds}::text[])`)
    .where(mayWork)
    .execute()
}

export function findCredentialByHash(db: Db, hash: Buffer) {
  return db.selectFrom('credentials').select(['id', 'server_id', 'grace_until', 'revoked_at']).where('hash', '=', hash).executeTakeFirst()
}

function liveStates(db: Db) {
  return db
    .selectFrom('presence')
    .select(['server_id', 'online', 'since', 'ended_by', 'last_announce_at', 'credential_id', 'announce', 'changed_at'])
    .select(sql<string>`host(address)`.as('address'))
}

export type LiveStateRow = Awaited<ReturnType<typeof listPresenceOf>>[number]

export function listPresenceOf(db: Db, publicIds: readonly string[]) {
  return liveStates(db)
    .where(sql<boolean>`server_id = any(${publicIds}::text[])`)
    .execute()
}

/** The next live states after `after`, by their servers' ids. */
export function pagePresence(db: Db, after: string, most: number) {
  return liveStates(db).where('server_id', '>', after).orderBy('server_id').limit(most).execute()
}

/** What is another one once the live states were lost; undefined where nobody has seen to that yet. */
export async function findPresenceLife(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('presence_life').select('id').executeTakeFirst())?.id
}

interface NewestAttempt {
  readonly server_id: string
  readonly at: Date
  readonly code: string
  readonly detail: string
  readonly address: string
}

/** The newest kept attempt of each server: one look into the index a server, not a sort of all attempts. */
export async function listNewestAttempts(db: Db, publicIds: readonly string[]): Promise<NewestAttempt[]> {
  const { rows } = await sql<NewestAttempt>`
    select s.public_id as server_id, a.at, a.code, a.detail, host(a.address) as address
    from servers s
    cross join lateral (select at, code, detail, address from announce_attempts where server_id = s.public_id order by id desc limit 1) a
    where s.public_id = any(${publicIds}::text[])`.execute(db)
  return rows
}

export function listAttempts(db: Db, publicId: string, most: number) {
  return db
    .selectFrom('announce_attempts')
    .select(['at', 'code', 'detail'])
    .select(sql<string>`host(address)`.as('address'))
    .where('server_id', '=', publicId)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

/** The list of personal data covers every table and column, and an erasure leaves no trace of the user. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as apiKeys from '#contract/api-keys.ts'
import type { Export } from '#contract/account.ts'
import * as benefitSettings from '#contract/benefit-settings.ts'
import * as groups from '#contract/groups.ts'
import * as managers from '#contract/managers.ts'
import { banServer } from '#contract/servers-admin.ts'
import * as preferences from '#contract/preferences.ts'
import * as servers from '#contract/servers.ts'
import * as users from '#contract/users.ts'
import * as usersAdmin from '#contract/users-admin.ts'
import * as webhooks from '#contract/webhooks.ts'
import { checkCredential } from '#backend/features/servers/credential.ts'
import { announce, buildServer, grant, newName, offer, setTier } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { announceFrom } from '#tests/list/send.ts'
import { PERSONAL_DATA, IMPERSONAL_TABLES } from './personal-data.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function allTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.db)
  // The migrator's own tables.
  return rows.map((row) => row.name).filter((name) => !name.startsWith('kysely_'))
}

describe('the list', () => {
  test('names every table, with or without personal data', async () => {
    expect([...PERSONAL_DATA.map((entry) => entry.table as string), ...IMPERSONAL_TABLES].toSorted()).toEqual(
      (await allTables()).toSorted(),
    )
  })

  test('names every column that refers to a user', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select k.conrelid::regclass::text as "table", a.attname as "column"
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confrelid = 'users'::regclass`.execute(app.db)
    expect(rows.length).toBeGreaterThan(5)
    const named = PERSONAL_DATA.flatMap(({ table, personColumns }) => personColumns.map((column) => `${table}.${column}`))
    expect(rows.map((row) => `${row.table}.${row.column}`).filter((column) => !named.includes(column))).toEqual([])
  })

  test('exports or withholds every column', async () => {
    for (const { table, exportedColumns, withheldColumns } of PERSONAL_DATA) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(app.db)
      expect([...exportedColumns, ...withheldColumns].toSorted(), table).toEqual(rows.map((row) => row.name).toSorted())
    }
  })

  test('withholds every bytea column: they are hashes of secrets', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`.execute(app.db)
    const exported = rows.filter(({ table, column }) =>
      PERSONAL_DATA.find((entry) => entry.table === table)?.exportedColumns.includes(column),
    )
    expect(exported).toEqual([])
  })

  test('relies on no cascading foreign key', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where contype = 'f' and confrelid = 'users'::regclass and confdeltype <> 'a'`.execute(
      app.db,
    )
    expect(rows).toEqual([])
  })
})

interface Fixture {
  readonly user: SignedInUser
  readonly session: string
  readonly admin: SignedInUser
  /** Texts that identify the user. */
  readonly traces: readonly string[]
  readonly secrets: readonly string[]
}

/** Creates a user with rows in every table and in every role. */
async function buildFixture(username: string): Promise<Fixture> {
  const [user, friend, owner, admin] = [
    await app.signIn(username),
    await app.signIn(`${username}friend`),
    await app.signIn(`${username}owner`),
    await app.signIn('admin'),
  ]
  await setTier(app, user.id, 'DIAMOND_ALTRUIST')
  await app.db.insertInto('benefit_grants').values({ user_id: user.id, key: 'CUSTOM_BANNER' }).execute()
  const text = `${username} wrote this`
  const newKey = { name: `${username} bot`, scopes: ['servers:write' as const], expires_in_days: 30 }
  const program = app.withKey((await user.call(apiKeys.create, { body: newKey })).data.key)
  const ownServer = await buildServer(user, {
    description: text,
    website: `https://${username}.example`,
    vanity_url: `${username}-vanity`,
  })
  const params = { id: ownServer.public_id }
  await announceFrom(app, ownServer.credential, {}, { from: '127.0.0.77' })
  await announceFrom(app, ownServer.credential, {}, { from: '127.0.0.78' })
  // A detector finds this and records it asynchronously.
  await app.findings.flush()
  const { data: reissued } = await user.call(servers.reissue, { params, body: { grace_seconds: 3600 } })
  await announceFrom(app, reissued.credential, {}, { from: '127.0.0.79' })
  await user.call(servers.change, { params, body: { game_mode: username, tags: [username] } })
  const deleted = await buildServer(program)
  await announceFrom(app, deleted.credential, {}, { from: '127.0.0.80' })
  await admin.call(banServer, { params: { id: deleted.public_id }, body: { reason: `${username} cheated` } })
  await user.call(servers.remove, { params: { id: deleted.public_id } })
  const theirs = await buildServer(owner)
  await grant(user, friend.id, ['EDIT_DETAILS'])
  await grant(owner, user.id, ['EDIT_DETAILS'])
  await friend.call(managers.changeManaged, {
    params: { ownerId: user.id, serverId: ownServer.public_id },
    body: { description: `${text}, and a friend fixed it` },
  })
  await program.call(managers.changeManaged, { params: { ownerId: owner.id, serverId: theirs.public_id }, body: { name: newName() } })
  await admin.call(usersAdmin.banUser, { params: { id: user.id }, body: { banned: true, banReason: `${username} was rude` } })
  await admin.call(usersAdmin.banUser, { params: { id: user.id }, body: { banned: false } })
  await admin.call(usersAdmin.changeLimits, { params: { id: user.id }, body: { max_managers: 7 } })
  await applyBenefits(user, ownServer.public_id)
  await addIssues(user, ownServer.public_id, owner)
  const webhookSecret = await addWebhook(user)
  await offer(user, ownServer.public_id, friend.id)
  await app.db.insertInto('pinned_servers').values({ user_id: user.id, server_id: ownServer.public_id }).execute()
  await app.db
    .insertInto('server_reports')
    .values([reportOf(user, theirs.public_id, `${text} about another server`), reportOf(friend, ownServer.public_id, text)])
    .execute()
  await offer(owner, theirs.public_id, user.id)
  await app.runJob('notify-of-server-changes')
  const { discord } = (await user.call(users.me)).data
  const hashes = await app.db.selectFrom('sessions').select('id_hash').where('user_id', '=', user.id).execute()
  const credentials = await app.db.selectFrom('credentials').select('hash').where('server_id', '=', ownServer.public_id).execute()
  const bytes = [...hashes.map((row) => row.id_hash), ...credentials.map((row) => row.hash)]
  return {
    user,
    admin,
    session: hashes[0]?.id_hash.toString('hex') ?? '',
    traces: [user.id, discord.discord_id, username, ownServer.name, '127.0.0.77', '127.0.0.78', '127.0.0.79', '127.0.0.80'],
    secrets: [
      ownServer.credential,
      reissued.credential,
      webhookSecret,
      ...bytes.flatMap((part) => [part.toString('hex'), part.toString('base64'), part.toString('base64url')]),
    ],
  }
}

function reportOf({ id: userId }: SignedInUser, publicId: string, details: string) {
  const undecided = { issue_id: null, is_counted: true }
  return { id: randomUUID(), user_id: userId, server_id: publicId, reason: 'other' as const, details, created_at: new Date(), ...undecided }
}

/** Adds a webhook with a delivery and the states of the user's servers. Returns its secret. */
async function addWebhook(user: SignedInUser): Promise<string> {
  const { username } = (await user.call(users.me)).data.discord
  const { data } = await user.call(webhooks.create, {
    body: { name: username, kind: 'standard', url: `https://${username}.example/`, events: ['server.offline'] },
  })
  await user.call(webhooks.sendTest, { params: { id: data.id } })
  return data.secret ?? ''
}

/** Adds player samples, an issue of the user, and a note as a former administrator on another user's issue. */
async function addIssues(user: SignedInUser, publicId: string, other: SignedInUser): Promise<void> {
  const { username } = (await user.call(users.me)).data.discord
  await app.db
    .insertInto('player_buckets')
    .values({ server_id: publicId, bucket_minutes: 5, at: new Date(0), players: 5, highest: 1, online: 5, sampled: 5 })
    .execute()
  await app.db
    .insertInto('server_restarts')
    .values({ server_id: publicId, at: new Date(0), version: '2', previous_version: '1', offline_since: null })
    .execute()
  const [own, others] = [randomUUID(), randomUUID()]
  const evidence = JSON.stringify({
    items: [{ at: new Date(0), observed: `seen of ${username}`, expected: '', address: '127.0.0.78' }],
    series: [],
  })
  const common = { kind: 'UNREACHABLE', severity: 'HIGH', evidence, first_seen_at: new Date(), last_seen_at: new Date() }
  const issue = { ...common, server_id: publicId, server_name: username, summary: `Found of ${username}` }
  await app.db
    .insertInto('protection_issues')
    .values([
      { ...issue, id: own, user_id: user.id },
      { ...common, id: others, user_id: other.id, summary: 'Found', evidence: '{"items":[],"series":[]}' },
    ])
    .execute()
  await app.db
    .insertInto('protection_timeline')
    .values([
      { issue_id: own, kind: 'REPLY', by: 'owner', actor_id: user.id, text: `${username} answered` },
      { issue_id: own, kind: 'NOTE', by: 'administrator', actor_id: other.id, text: `A note on ${username}` },
      { issue_id: others, kind: 'NOTE', by: 'administrator', actor_id: user.id, text: 'Looked at it' },
    ])
    .execute()
}

/** Adds images, a group, settings for one server, a released vanity ID and a membership. */
async function applyBenefits(user: SignedInUser, publicId: string): Promise<void> {
  const { username, discord_id: discordId } = (await user.call(users.me)).data.discord
  const picture = { owner_id: user.id, width: 1, height: 1, mime: 'image/png', bytes: 1 }
  const [icon, banner] = [randomUUID(), randomUUID()]
  await app.db
    .insertInto('images')
    .values([
      { ...picture, id: icon, purpose: 'SERVER_ICON', file: `${icon}.png` },
      { ...picture, id: banner, purpose: 'BANNER', file: `${banner}.png` },
    ])
    .execute()
  const { data: group } = await user.call(groups.create, { body: { name: `${username} and friends` } })
  const params = { id: publicId }
  await user.call(servers.change, { params, body: { icon_image_id: icon, group_id: group.id, vanity_url: `${username}-other` } })
  await user.call(benefitSettings.changeSettings, {
    params: { key: 'CUSTOM_BANNER' },
    body: { image_id: banner, server_ids: [publicId] },
  })
  await user.call(benefitSettings.changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body: { name: `${username} launcher` } })
  await user.call(preferences.change, { body: { theme: 'light', notifications: { 'server.offline': false } } })
  await app.db
    .insertInto('supporters')
    .values({ provider: 'patreon', member_id: `${username}-member`, discord_id: discordId, tier: 'GOLD' })
    .execute()
}

/** The tables with a text in any column: casts whole rows to text. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of await allTables()) {
    const { rows } = await sql`select from ${sql.table(table)} t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`.execute(
      app.db,
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}

/** Makes the deletion due and waits until no trace is left. */
async function erase(id: string): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await expect.poll(() => tablesWith(id), { timeout: 10_000 }).toEqual([])
}

describe('an erasure', () => {
  test('leaves no trace of the user in any column, and keeps everything that belongs to others', async () => {
    const { user, traces, session } = await buildFixture('zorblatt')
    await expect.poll(() => tablesWith('127.0.0.78')).toContain('announce_attempts')
    await expect.poll(() => tablesWith('127.0.0.79')).toContain('presence')
    expect(await tablesWith(user.id)).toEqual(
      expect.arrayContaining(['activity', 'benefit_grants', 'manager_grants', 'all_servers', 'sessions', 'transfers', 'users']),
    )
    expect(await tablesWith('zorblatt')).toEqual(expect.arrayContaining(['activity', 'all_servers', 'users']))
    expect(await tablesWith(session)).toEqual(['sessions'])
    const [userCount, credentialCount, activityCount] = [await countOf('users'), await countOf('credentials'), await countOf('activity')]
    await erase(user.id)
    // The friend's and the owner's names contain the user's name.
    await app.db
      .updateTable('users')
      .set({ username: sql`replace(username, 'zorblatt', '')` })
      .execute()
    for (const trace of traces) expect(await tablesWith(trace), trace).toEqual([])
    expect(await countOf('users')).toBe(userCount - 1)
    // Credentials stay, so that announces get "revoked". The activity gains the ends of two grants and two offers, and the erasure.
    expect(await countOf('credentials')).toBe(credentialCount)
    expect(await countOf('activity')).toBe(activityCount + 5)
    expect(await countOf('servers')).toBe(1)
  })

  test('replaces a user by one random ID, so that rows of the same user can still be recognized as such', async () => {
    const { user } = await buildFixture('quibbler')
    const before = await app.db
      .selectFrom('activity')
      .select('id')
      .where((q) => q.or([q('owner_id', '=', user.id), q('other_id', '=', user.id), q('actor_id', '=', user.id)]))
      .execute()
    expect(before.length).toBeGreaterThan(8)
    await erase(user.id)
    const erasure = await app.db
      .selectFrom('activity')
      .selectAll()
      .where('action', '=', 'ACCOUNT_ERASED')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(erasure).toMatchObject({ role: 'system', actor_id: null, server_id: null, before: null, after: null })
    const { rows } = await sql<{ id: string }>`
      select id from activity where ${erasure.owner_id}::uuid in (owner_id, other_id, actor_id)`.execute(app.db)
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(before.map((row) => row.id)))
    expect(rows.length).toBe(before.length + 5)
    expect(await countOf('activity')).toBeGreaterThan(rows.length)
    const { rows: remaining } = await sql`
      select from activity where owner_id = ${erasure.owner_id}::uuid
        and (server_name is not null or before is not null or after is not null)`.execute(app.db)
    expect(remaining).toEqual([])
  })
})

async function countOf(table: 'users' | 'credentials' | 'activity' | 'servers'): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(app.db)
  return Number(rows[0]?.n)
}

describe('the export', () => {
  const exportOf = async (user: TestUser) => user.call(account.exportData)

  test('has every row of every table, as an uncacheable file', async () => {
    const { user } = await buildFixture('wimbleton')
    await expect.poll(() => tablesWith('127.0.0.79')).toContain('presence')
    await expect.poll(() => tablesWith('127.0.0.78')).toContain('announce_attempts')
    const answer = await exportOf(user)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="muster-export-\d{4}-\d\d-\d\d\.json"$/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { data } = answer
    expect(data).toMatchObject({ format: 'muster-export-1', me: { id: user.id, discord: { username: 'wimbleton' } } })
    expect(Math.abs(Date.parse(data.exported_at) - Date.now())).toBeLessThan(10_000)
    expect(data.me).toEqual((await user.call(users.me)).data)
    expect(Object.keys(data.held).toSorted()).toEqual(PERSONAL_DATA.map((entry) => entry.exportedAs).toSorted())
    const sizes = Object.fromEntries(Object.entries(data.held).map(([table, rows]) => [table, rows.length]))
    expect(sizes).toMatchObject({
      users: 1,
      // One is in the bin.
      servers: 2,
      credentials: 2,
      credential_uses: 2,
      transfers: 2,
      manager_grants: 2,
      benefit_grants: 1,
      sessions: 1,
      preferences: 1,
      images: 2,
      server_groups: 1,
      benefit_settings: 2,
      benefit_settings_servers: 1,
      supporters: 1,
      player_buckets: 1,
      server_restarts: 1,
      server_reports: 1,
    })
    // Notes of administrators are not in it.
    expect(data.held.protection_timeline?.map((row) => row.kind)).not.toContain('NOTE')
    expect(data.held.protection_timeline?.map((row) => row.text)).toContain('wimbleton answered')
    for (const { exportedAs } of PERSONAL_DATA) expect(sizes[exportedAs], exportedAs).toBeGreaterThan(0)
    expect(data.held.servers?.find((row) => row.deleted_at === null)).toMatchObject({
      description: 'wimbleton wrote this, and a friend fixed it',
      tags: ['wimbleton'],
    })
    expect(data.held.credential_uses?.map((row) => row.bound_address)).toEqual(expect.arrayContaining(['127.0.0.77', '127.0.0.79']))
    expect(actionsIn(data)).toEqual(expect.arrayContaining(['ACCOUNT_CREATED', 'SERVER_DELETED', 'ACCOUNT_BANNED', 'LIMITS_CHANGED']))
  })

  test('has no secrets, no hashes, no administrator, and only public data of others', async () => {
    const { user, admin, secrets } = await buildFixture('plumbob')
    const { text } = await exportOf(user)
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
    for (const credential of text.match(/mst_\w+/g) ?? []) expect(checkCredential(credential)).toBe('malformed')
    expect(text).not.toContain('hash')
    expect(text).not.toContain(admin.id)
  })

  test('of an administrator omits their actions on other users', async () => {
    const { user, admin } = await buildFixture('snarfle')
    const { data, text } = await exportOf(admin)
    expect(text).not.toContain(user.id)
    expect(text).not.toContain('snarfle was rude')
    expect(actionsIn(data)).toContain('ACCOUNT_CREATED')
  })

  test('of a new user is nearly empty, and only they can get it', async () => {
    const user = await app.signIn('freshling')
    const { data } = await exportOf(user)
    expect(
      Object.entries(data.held)
        .filter(([, rows]) => rows.length > 0)
        .map(([table]) => table),
    ).toEqual(['sessions', 'activity', 'users'])
    expect((await exportOf(app.anonymous)).status).toBe(403)
  })

  test('is limited to a burst of three and then one a minute, per user', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const [user, other] = [await limited.signIn('often'), await limited.signIn('seldom')]
    const answers = await Promise.all(Array.from({ length: 5 }, () => exportOf(user)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array.from({ length: 3 }, () => 200), 429, 429])
    const rejected = answers.find((answer) => answer.status === 429)
    expect(Number(rejected?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await exportOf(other)).status).toBe(200)
    limited.clock.advance(61_000)
    expect((await exportOf(user)).status).toBe(200)
  })

  test('succeeds during announces', async () => {
    const user = await app.signIn('busy')
    const { credential } = await buildServer(user)
    const [answer] = await Promise.all([exportOf(user), announce(app, credential)])
    expect(answer.status).toBe(200)
    expect(answer.data.held.servers).toHaveLength(1)
  })
})

function actionsIn(exported: Export): unknown[] {
  return exported.held.activity?.map((row) => row.action) ?? []
}

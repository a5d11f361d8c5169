/** A user with rows in every table, and a search for their traces. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as apiKeys from '#contract/users/api-keys.ts'
import * as benefitSettings from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import * as managers from '#contract/servers/managers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as preferences from '#contract/users/preferences.ts'
import * as servers from '#contract/servers/servers.ts'
import * as users from '#contract/users/users.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { createRecoveryLink } from '#backend/core/auth/recovery.ts'
import { buildServer, grant, newName, offer, setTier } from '#tests/factories.ts'
import type { SignedInUser, TestApp } from '#tests/harness.ts'
import { announceFrom } from '#tests/list/send.ts'

export async function allTables(app: TestApp): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.db)
  // The migrator's own tables.
  return rows.map((row) => row.name).filter((name) => !name.startsWith('kysely_'))
}

export interface Fixture {
  readonly user: SignedInUser
  readonly session: string
  readonly admin: SignedInUser
  /** Texts that identify the user. */
  readonly traces: readonly string[]
  readonly secrets: readonly string[]
}

/** Creates a user with rows in every table and in every role. */
export async function buildFixture(app: TestApp, username: string): Promise<Fixture> {
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
  await applyBenefits(app, user, ownServer.public_id)
  await addIssues(app, user, ownServer.public_id, owner)
  const webhookSecret = await addWebhook(user)
  await offer(user, ownServer.public_id, friend.id)
  await app.db.insertInto('pinned_servers').values({ user_id: user.id, server_id: ownServer.public_id }).execute()
  await app.db
    .insertInto('server_reports')
    .values([reportOf(user, theirs.public_id, `${text} about another server`), reportOf(friend, ownServer.public_id, text)])
    .execute()
  await offer(owner, theirs.public_id, user.id)
  const proof = { server_id: ownServer.public_id, host: `${username}.example`, port: 7788, addresses: ['127.0.0.79'], is_name_proven: true }
  await app.db
    .insertInto('endpoint_proofs')
    .values({ ...proof, proven_at: new Date() })
    .execute()
  const identity = { issuer: 'https://id.example', subject: `${username}-subject`, user_id: user.id, name: username }
  await app.db.insertInto('identities').values(identity).execute()
  const { token } = await createRecoveryLink(app.db, user.id)
  await app.runJob('watch-servers')
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
      token,
      ...bytes.flatMap((part) => [part.toString('hex'), part.toString('base64'), part.toString('base64url')]),
    ],
  }
}

export function reportOf({ id: userId }: SignedInUser, publicId: string, details: string) {
  const undecided = { issue_id: null, is_counted: true }
  return { id: randomUUID(), user_id: userId, server_id: publicId, reason: 'other' as const, details, created_at: new Date(), ...undecided }
}

/** Adds a webhook with a delivery and the states of the user's servers. Returns its secret. */
export async function addWebhook(user: SignedInUser): Promise<string> {
  const { username } = (await user.call(users.me)).data.discord
  const { data } = await user.call(webhooks.create, {
    body: { name: username, kind: 'standard', url: `https://${username}.example/`, events: ['server.offline'] },
  })
  await user.call(webhooks.sendTest, { params: { id: data.id } })
  return data.secret ?? ''
}

/** Adds player samples, an issue of the user, and a note as a former administrator on another user's issue. */
export async function addIssues(app: TestApp, user: SignedInUser, publicId: string, other: SignedInUser): Promise<void> {
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
export async function applyBenefits(app: TestApp, user: SignedInUser, publicId: string): Promise<void> {
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
export async function tablesWith(app: TestApp, text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of await allTables(app)) {
    const { rows } = await sql`select from ${sql.table(table)} t where strpos(lower(t::text), ${text.toLowerCase()}) > 0 limit 1`.execute(
      app.db,
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}

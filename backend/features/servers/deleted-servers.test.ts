/** The bin: a deleted server can be restored for seven days, and appears nowhere else. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount, ofServer } from '#contract/activity.ts'
import * as benefitSettings from '#contract/benefit-settings.ts'
import * as bin from '#contract/deleted-servers.ts'
import * as groups from '#contract/groups.ts'
import * as history from '#contract/history.ts'
import * as managers from '#contract/managers.ts'
import * as protection from '#contract/protection.ts'
import * as admin from '#contract/servers-admin.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import * as usersAdmin from '#contract/users-admin.ts'
import { announce, ban, buildServer, emptyBin, grant, newName, offer, scheduleDeletion, setTier, storeImage } from '#tests/factories.ts'
import { issuesOf, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { readList } from '#tests/list/send.ts'
import { listen } from '#tests/listen.ts'

const DAY_MS = 86_400_000

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { pool: 16 })
  administrator = await app.signIn('admin')
})

const remove = async (owner: SignedInUser, id: string) => {
  expect((await owner.call(servers.remove, { params: { id } })).status).toBe(204)
}
const restore = (owner: SignedInUser, id: string) => owner.call(bin.restore, { params: { id } })
const binOf = async (owner: SignedInUser) => (await owner.call(bin.list)).data
const setLimit = (owner: SignedInUser, max: number) =>
  administrator.call(usersAdmin.changeLimits, { params: { id: owner.id }, body: { max_masterlist_tokens: max } })

async function deletedServer(body: Partial<Parameters<typeof buildServer>[1]> = {}) {
  const owner = await app.newUser()
  const server = await buildServer(owner, body)
  await remove(owner, server.public_id)
  return { owner, server, id: server.public_id }
}

async function moveDeletion(id: string, ageMs: number): Promise<void> {
  await app.db
    .updateTable('all_servers')
    .set({ deleted_at: new Date(Date.now() - ageMs) })
    .where('public_id', '=', id)
    .execute()
}

describe('a deleted server', () => {
  test('is in the bin of its owner only, with the time until it can be restored', async () => {
    const { owner, server, id } = await deletedServer()
    const [row] = await binOf(owner)
    expect(row).toEqual({
      public_id: id,
      name: server.name,
      vanity_url: null,
      banned: false,
      deleted_at: expect.any(String),
      restorable_until: expect.any(String),
    })
    expect(Date.parse(row?.restorable_until ?? '') - Date.parse(row?.deleted_at ?? '')).toBe(7 * DAY_MS)
    expect(await binOf(await app.newUser())).toEqual([])
    expect(await binOf(administrator)).toEqual([])
  })

  test('appears nowhere else: not for its owner, managers and administrators, and not on the list', async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    await setTier(app, owner.id, 'GOLD')
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    const group = (await owner.call(groups.create, { body: { name: newName() } })).data
    const { public_id: id, credential, name } = await buildServer(owner, { group_id: group.id })
    expect((await announce(app, credential)).status).toBe(200)
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).toContain(id)
    await remove(owner, id)

    expect((await owner.call(servers.list)).data.owned).toEqual([])
    expect((await manager.call(servers.list)).data.management).toEqual([])
    expect((await owner.call(groups.list)).data[0]?.servers).toEqual([])
    expect((await owner.call(benefitSettings.overview)).data.flatMap((benefit) => benefit.used_by)).toEqual([])
    const params = { id }
    for (const call of [servers.get, servers.announces, ofServer, history.ofServer] as const)
      expect((await owner.call(call, { params })).status, call.route).toBe(404)
    for (const call of [admin.adminServer, admin.adminAnnounces, admin.resetAdminServerAddress, admin.removeAdminServer] as const)
      expect((await administrator.call(call, { params })).status, call.route).toBe(404)
    const ofManager = { params: { ownerId: owner.id, serverId: id } }
    expect((await manager.call(managers.managed, ofManager)).status).toBe(404)
    const found = await administrator.call(admin.adminServers, { query: { search: name } })
    expect(found.text).not.toContain(id)
    expect((await administrator.call(usersAdmin.adminUser, { params: { id: owner.id } })).data.masterListTokens).toEqual([])
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).not.toContain(id)
    expect((await announce(app, credential)).status).toBe(401)
    await app.restart()
    expect((await readList(app)).map((row) => row.publicId)).not.toContain(id)
  })

  test('cannot be changed, reissued, transferred, promoted or deleted again', async () => {
    const { owner, id } = await deletedServer()
    const recipient = await app.newUser()
    const params = { id }
    const replies = await Promise.all([
      owner.call(servers.change, { params, body: { description: 'x' } }),
      owner.call(servers.reissue, { params, body: {} }),
      owner.call(servers.resetAddress, { params }),
      owner.call(servers.remove, { params }),
      owner.call(transfers.offer, { body: { token_id: id, user_id: recipient.id } }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })

  test('keeps its name: others get the usual conflict, its owner learns where it is', async () => {
    const { owner, server } = await deletedServer()
    const [stranger, other] = [await app.newUser(), await buildServer(owner)]
    const body = { name: server.name.toUpperCase() }
    const taken = await stranger.call(servers.create, { body })
    expect([taken.status, taken.error.businessStatus, taken.error.errors]).toEqual([
      409,
      'NAME_ALREADY_EXISTS',
      ['Another server has this name, or one that looks like it. Choose a different name.'],
    ])
    const sentence = 'A server that you deleted has this name, or one that looks like it. Restore that server, or choose a different name.'
    const own = await owner.call(servers.create, { body })
    expect([own.status, own.error.businessStatus, own.error.errors]).toEqual([409, 'NAME_ALREADY_EXISTS', [sentence]])
    const renamed = await owner.call(servers.change, { params: { id: other.public_id }, body })
    expect([renamed.status, renamed.error.errors]).toEqual([409, [sentence]])
    const byAdministrator = await administrator.call(admin.changeAdminServer, { params: { id: other.public_id }, body })
    expect(byAdministrator.error.errors).toEqual(taken.error.errors)
  })

  test('frees its place in the limit', async () => {
    const { owner } = await deletedServer()
    await setLimit(owner, 1)
    await buildServer(owner)
    expect((await owner.call(servers.list)).data.owned).toHaveLength(1)
  })

  test('ends a pending transfer, and its issues', async () => {
    const [owner, recipient] = [await app.newUser(), await app.newUser()]
    const { public_id: id } = await buildServer(owner)
    const { id: offerId } = await offer(owner, id, recipient.id)
    await remove(owner, id)
    expect((await recipient.call(transfers.accept, { params: { id: offerId } })).status).toBe(404)
    expect((await restore(owner, id)).status).toBe(200)
    expect((await owner.call(servers.list)).data.outgoing_transfers).toEqual([])
    expect((await recipient.call(transfers.accept, { params: { id: offerId } })).status).toBe(404)
  })
})

describe('restoring', () => {
  test('brings back the server with its ID, name, texts, icon, group and activity, without a credential', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'PLATINUM')
    const group = (await owner.call(groups.create, { body: { name: newName() } })).data
    const icon = await storeImage(app, owner.id, 'SERVER_ICON')
    await administrator.call(usersAdmin.grantBenefit, { params: { id: owner.id, key: 'SERVER_ICON' } })
    const fields = { description: 'Kept', tags: ['a', 'b'], visible: false, group_id: group.id, icon_image_id: icon.id }
    const { credential, ...server } = await buildServer(owner, fields)
    await remove(owner, server.public_id)
    await app.runJob('delete-unused-images')
    const restored = await restore(owner, server.public_id)
    expect(restored.status, restored.text).toBe(200)
    const { version, updated_at, credential_issued_at, credential_hint, ...same } = server
    expect(restored.data).toMatchObject({ ...same, ...fields, listing: expect.anything(), credential_hint: '' })
    const [reason] = restored.data.listing.reasons
    expect(reason?.message).toContain('because the last one was revoked.')
    expect(restored.data.version).toBeGreaterThan(version)
    expect(await binOf(owner)).toEqual([])
    const actions = (await owner.call(ofServer, { params: { id: server.public_id } })).data.map((entry) => entry.action)
    expect(actions).toEqual(['SERVER_RESTORED', 'SERVER_DELETED', 'SERVER_CREATED'])
    expect((await announce(app, credential)).status).toBe(401)
    const reissued = await owner.call(servers.reissue, { params: { id: server.public_id }, body: {} })
    expect((await announce(app, reissued.data.credential)).status).toBe(200)
    void [updated_at, credential_issued_at, credential_hint]
  })

  test('is for its owner only, and only once', async () => {
    const { owner, id } = await deletedServer()
    const manager = await app.newUser()
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    for (const other of [manager, administrator]) expect((await restore(other, id)).status).toBe(404)
    for (const malformed of ['x', 'AAAAAAA', 'ÄÖÜäöüß']) expect((await restore(owner, malformed)).status).toBe(404)
    const replies = await Promise.all(Array.from({ length: 10 }, () => restore(owner, id)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(9)
    expect((await restore(owner, id)).error.errors).toEqual(['There is no such deleted server. It may have been deleted for good.'])
  })

  test('is rejected at the limit, with a sentence, and changes nothing', async () => {
    const { owner, id } = await deletedServer()
    await setLimit(owner, 1)
    await buildServer(owner)
    const rejected = await restore(owner, id)
    expect([rejected.status, rejected.error.errors]).toEqual([
      403,
      ['You have reached your limit of 1 servers. Delete another server before you restore this one.'],
    ])
    expect((await binOf(owner)).map((row) => row.public_id)).toEqual([id])
  })

  test('of concurrent restores and creates, as many succeed as the limit has room', async () => {
    const owner = await app.newUser()
    await setLimit(owner, 5)
    const ids = []
    for (let index = 0; index < 5; index += 1) ids.push((await buildServer(owner)).public_id)
    for (const id of ids) await remove(owner, id)
    await setLimit(owner, 3)
    const replies = await Promise.all([
      ...ids.map((id) => restore(owner, id)),
      ...Array.from({ length: 5 }, () => owner.call(servers.create, { body: { name: newName() } })),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(7)
    expect((await owner.call(servers.list)).data.owned).toHaveLength(3)
  })

  test('brings back the vanity ID unless the owner gave it to another server; others cannot take it meanwhile', async () => {
    const [owner, stranger] = [await app.newUser(), await app.newUser()]
    for (const one of [owner, stranger]) await setTier(app, one.id, 'RUBY')
    const first = await buildServer(owner, { vanity_url: 'rests-here' })
    await remove(owner, first.public_id)
    const rejected = await stranger.call(servers.create, { body: { name: newName(), vanity_url: 'rests-here' } })
    expect([rejected.status, rejected.error.businessStatus]).toEqual([409, 'VANITY_URL_ALREADY_EXISTS'])
    expect((await restore(owner, first.public_id)).data.vanity_url).toBe('rests-here')
    await remove(owner, first.public_id)
    const second = await buildServer(owner, { vanity_url: 'rests-here' })
    expect((await restore(owner, first.public_id)).data.vanity_url).toBeNull()
    expect((await owner.call(servers.get, { params: { id: second.public_id } })).data.vanity_url).toBe('rests-here')
  })

  test('keeps one promoted server', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'RUBY')
    const first = await buildServer(owner, { promoted: true })
    await remove(owner, first.public_id)
    expect((await restore(owner, first.public_id)).data.promoted).toBe(true)
    await remove(owner, first.public_id)
    await buildServer(owner, { promoted: true })
    expect((await restore(owner, first.public_id)).data.promoted).toBe(false)
  })

  test('clears the group if it was deleted meanwhile', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'GOLD')
    const group = (await owner.call(groups.create, { body: { name: newName() } })).data
    const { public_id: id } = await buildServer(owner, { group_id: group.id })
    await remove(owner, id)
    expect((await owner.call(groups.remove, { params: { id: group.id } })).status).toBe(204)
    expect((await restore(owner, id)).data.group_id).toBeNull()
  })

  test('chooses the server again in the settings that chose it', async () => {
    const owner = await app.newUser()
    await administrator.call(usersAdmin.grantBenefit, { params: { id: owner.id, key: 'CUSTOM_BANNER' } })
    const { public_id: id } = await buildServer(owner)
    const params = { key: 'CUSTOM_BANNER' }
    await owner.call(benefitSettings.changeSettings, { params, body: { image_id: null, server_ids: [id] } })
    const chosen = async () => (await owner.call(benefitSettings.settings, { params })).data
    await remove(owner, id)
    expect(await chosen()).toMatchObject({ server_ids: [], all_servers: false })
    const other = await buildServer(owner)
    const body = { image_id: null, server_ids: [other.public_id] }
    expect((await owner.call(benefitSettings.changeSettings, { params, body })).status).toBe(200)
    await restore(owner, id)
    expect(await chosen()).toMatchObject({ server_ids: [id, other.public_id].toSorted(), all_servers: false })
  })

  test('brings back the open and acknowledged issues with their consequences, but not those that were closed before or in the bin', async () => {
    const owner = await app.newUser()
    const { public_id: id } = await buildServer(owner)
    const raise = (fingerprint: string) => raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId: id, fingerprint })
    const moderate = async (issueId: string, body: protection.IssueChanges) =>
      expect((await administrator.call(protection.changeIssue, { params: { id: issueId }, body })).status).toBe(200)
    const [open, seen] = [await raise('open'), await raise('seen')]
    const [closed, dismissed] = [await raise('closed'), await raise('dismissed')]
    await moderate(open.id, { consequence: 'UNLISTED' })
    await moderate(seen.id, { status: 'ACKNOWLEDGED' })
    await moderate(closed.id, { status: 'RESOLVED' })
    const statuses = async () => new Map((await issuesOf(owner)).map((issue) => [issue.id, [issue.status, issue.consequence]]))
    const reasons = async () => (await owner.call(servers.get, { params: { id } })).data.listing.reasons.map(({ code }) => code)
    expect(await reasons()).toContain('HELD_BACK')
    for (let round = 0; round < 2; round += 1) {
      await remove(owner, id)
      expect((await statuses()).get(open.id)).toEqual(['RESOLVED', 'UNLISTED'])
      if (round === 0) await moderate(dismissed.id, { status: 'DISMISSED' })
      expect((await restore(owner, id)).status).toBe(200)
      expect(await statuses()).toEqual(
        new Map([
          [open.id, ['OPEN', 'UNLISTED']],
          [seen.id, ['ACKNOWLEDGED', 'NOTICE']],
          [closed.id, ['RESOLVED', 'NOTICE']],
          [dismissed.id, ['DISMISSED', 'NOTICE']],
        ]),
      )
      expect(await reasons()).toContain('HELD_BACK')
    }
    const { timeline } = (await owner.call(protection.issue, { params: { userId: owner.id, issueId: open.id } })).data
    expect(timeline.at(-1)).toMatchObject({ by: 'system', status: 'OPEN', text: 'The server was restored.' })
    await remove(owner, id)
    await emptyBin(app)
    expect((await statuses()).get(open.id)).toEqual(['RESOLVED', 'UNLISTED'])
  })

  test('continues the escalation of an issue where it stopped', async () => {
    const owner = await app.newUser()
    const { public_id: id } = await buildServer(owner)
    const issue = await raiseIssue(app, owner, { kind: 'ADDRESS_MISMATCH', publicId: id })
    const row = () => app.db.selectFrom('protection_issues').selectAll().where('id', '=', issue.id).executeTakeFirstOrThrow()
    const before = await row()
    await remove(owner, id)
    const closedAt = new Date(Date.now() - 5 * DAY_MS)
    await app.db.updateTable('protection_issues').set({ closed_at: closedAt }).where('id', '=', issue.id).execute()
    await restore(owner, id)
    const after = await row()
    for (const column of ['opened_at', 'consequence_at'] as const)
      expect((after[column].getTime() - before[column].getTime()) / DAY_MS).toBeCloseTo(5, 2)
  })

  test('keeps the ban, with its reason, and the ban still ends', async () => {
    const owner = await app.newUser()
    const { public_id: id, name } = await buildServer(owner)
    const until = new Date(Date.now() + DAY_MS).toISOString()
    await administrator.call(admin.banServer, { params: { id }, body: { reason: 'Fake players', banned_until: until } })
    await remove(owner, id)
    expect(await binOf(owner)).toMatchObject([{ banned: true }])
    expect((await restore(owner, id)).data).toMatchObject({ name, banned: true, ban_reason: 'Fake players', banned_until: until })
    await app.db
      .updateTable('servers')
      .set({ banned_until: new Date(Date.now() - 1000) })
      .where('public_id', '=', id)
      .execute()
    await app.runJob('expire-bans')
    expect((await owner.call(servers.get, { params: { id } })).data.banned).toBe(false)
  })

  test('does not evade a ban: an administrator can ban a server in the bin, and lift the ban', async () => {
    const { owner, server, id } = await deletedServer()
    const ban = (body: object) => administrator.call(admin.banServer, { params: { id }, body })
    const banned = await ban({ reason: 'Fake players' })
    expect([banned.status, banned.data.banned]).toEqual([200, true])
    expect(banned.text).not.toContain('deleted_at')
    expect(await binOf(owner)).toMatchObject([{ public_id: id, banned: true }])
    expect((await owner.call(servers.get, { params: { id } })).status).toBe(404)
    expect((await restore(owner, id)).data).toMatchObject({ banned: true, ban_reason: 'Fake players' })
    await remove(owner, id)
    expect((await ban({ banned: false })).data.banned).toBe(false)
    expect((await restore(owner, id)).data.banned).toBe(false)
    await remove(owner, id)
    await ban({ reason: 'Again' })
    await emptyBin(app)
    expect((await ban({})).status).toBe(404)
    expect((await owner.call(servers.create, { body: { name: server.name } })).data).toMatchObject({ banned: true, ban_reason: 'Again' })
  })

  test('works after an administrator deleted the server, too', async () => {
    const owner = await app.newUser()
    const { public_id: id } = await buildServer(owner)
    expect((await administrator.call(admin.removeAdminServer, { params: { id } })).status).toBe(204)
    expect((await restore(owner, id)).status).toBe(200)
  })

  test('is rejected for a banned owner and for one whose account is about to be deleted', async () => {
    const [banned, leaving] = [await deletedServer(), await deletedServer()]
    await ban(app, banned.owner.id)
    await scheduleDeletion(app, leaving.owner.id)
    for (const { owner, id } of [banned, leaving]) {
      expect((await restore(owner, id)).status).toBe(403)
      expect((await owner.call(bin.list)).status).toBe(403)
    }
  })

  test('reloads the open panels of the owner', async () => {
    const { owner, id } = await deletedServer()
    const stream = await listen(owner)
    await restore(owner, id)
    const change = await stream.until(
      ({ event, data }) => event === 'account' && (data as { changed: string[] }).changed.includes('servers'),
    )
    expect(change.event).toBe('account')
    stream.close()
  })
})

describe('the bin', () => {
  const purgesOf = async (owner: SignedInUser) =>
    (await owner.call(ofAccount)).data.filter(({ action }) => action === 'SERVER_PURGED').map(({ server }) => server?.public_id)

  /** Creates and deletes servers, the first one first. */
  async function deletedServersOf(owner: SignedInUser, count: number): Promise<{ id: string; name: string }[]> {
    const deleted = []
    for (let n = 0; n < count; n += 1) {
      const { public_id: id, name } = await buildServer(owner)
      await remove(owner, id)
      deleted.push({ id, name })
    }
    return deleted
  }

  test('holds five servers of an account with a smaller limit: a further deletion purges the oldest and frees its name', async () => {
    const [owner, stranger] = [await app.newUser(), await app.newUser()]
    const [oldest, ...others] = await deletedServersOf(owner, 5)
    expect(await binOf(owner)).toHaveLength(5)
    expect((await stranger.call(servers.create, { body: { name: oldest?.name ?? '' } })).status).toBe(409)
    const [latest] = await deletedServersOf(owner, 1)
    expect((await binOf(owner)).map((row) => row.public_id)).toEqual([latest, ...others.toReversed()].map((server) => server?.id))
    expect((await stranger.call(servers.create, { body: { name: oldest?.name ?? '' } })).status).toBe(200)
    expect(await purgesOf(owner)).toEqual([oldest?.id])
    expect((await owner.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_PURGED', actor: null, server: { name: oldest?.name } })
    expect((await restore(owner, oldest?.id ?? '')).status).toBe(404)
    expect(
      await app.db
        .selectFrom('all_servers')
        .selectAll()
        .where('public_id', '=', oldest?.id ?? '')
        .execute(),
    ).toEqual([])
  })

  test('holds as many servers as a larger limit allows, also when an administrator deletes them', async () => {
    const owner = await app.newUser()
    await setLimit(owner, 6)
    const deleted = await deletedServersOf(owner, 6)
    const { public_id: id } = await buildServer(owner)
    expect(await binOf(owner)).toHaveLength(6)
    expect((await administrator.call(admin.removeAdminServer, { params: { id } })).status).toBe(204)
    expect(await binOf(owner)).toHaveLength(6)
    expect(await purgesOf(owner)).toEqual([deleted[0]?.id])
  })

  test('of concurrent deletions, never holds more than its limit', async () => {
    const owner = await app.newUser()
    await setLimit(owner, 12)
    const ids = []
    for (let n = 0; n < 12; n += 1) ids.push((await buildServer(owner)).public_id)
    await setLimit(owner, 1)
    await Promise.all(ids.map((id) => remove(owner, id)))
    expect(await binOf(owner)).toHaveLength(5)
    expect(await purgesOf(owner)).toHaveLength(7)
  })

  test('does not hold a server longer that was restored and deleted again', async () => {
    const { owner, id } = await deletedServer()
    await moveDeletion(id, 6 * DAY_MS)
    const before = await binOf(owner)
    await restore(owner, id)
    await remove(owner, id)
    expect(await binOf(owner)).toEqual(before)
    // Also if another one is newer: the one that was just deleted can still be restored.
    for (const other of await deletedServersOf(owner, 4)) expect((await binOf(owner)).map((row) => row.public_id)).toContain(other.id)
    await restore(owner, id)
    await deletedServersOf(owner, 1)
    await remove(owner, id)
    expect((await binOf(owner)).map((row) => row.public_id)).toContain(id)
  })

  test('holds a server for seven days again once those of its first deletion are over', async () => {
    const { owner, id } = await deletedServer()
    await restore(owner, id)
    await app.db
      .updateTable('all_servers')
      .set({ last_deleted_at: new Date(Date.now() - 7 * DAY_MS) })
      .where('public_id', '=', id)
      .execute()
    await remove(owner, id)
    const [row] = await binOf(owner)
    expect(Date.parse(row?.restorable_until ?? '')).toBeGreaterThan(Date.now() + 6.9 * DAY_MS)
  })
})

describe('after seven days', () => {
  test('a server cannot be restored, and the job deletes it for good and frees its name', async () => {
    const { owner, server, id } = await deletedServer()
    await moveDeletion(id, 7 * DAY_MS - 60_000)
    await app.runJob('purge-deleted-servers')
    expect((await binOf(owner)).map((row) => row.public_id)).toEqual([id])
    await moveDeletion(id, 7 * DAY_MS + 1000)
    expect(await binOf(owner)).toEqual([])
    expect((await restore(owner, id)).status).toBe(404)
    await app.runJob('purge-deleted-servers')
    expect(await app.db.selectFrom('all_servers').selectAll().where('public_id', '=', id).execute()).toEqual([])
    expect((await (await app.newUser()).call(servers.create, { body: { name: server.name } })).status).toBe(200)
    const [latest] = (await owner.call(ofAccount)).data
    expect(latest).toMatchObject({ action: 'SERVER_PURGED', actor: null, server: { public_id: id, name: server.name } })
  })

  test('the job run by several nodes at once records one purge', async () => {
    const { owner, id } = await deletedServer()
    await moveDeletion(id, 8 * DAY_MS)
    await Promise.all(Array.from({ length: 4 }, () => app.runJob('purge-deleted-servers')))
    const rows = await app.db
      .selectFrom('activity')
      .select('id')
      .where('action', '=', 'SERVER_PURGED')
      .where('owner_id', '=', owner.id)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('a restore and the job at the same time have one winner', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { owner, id } = await deletedServer()
      await moveDeletion(id, 7 * DAY_MS - 30)
      const [restored] = await Promise.all([
        restore(owner, id),
        new Promise((resolve) => setTimeout(resolve, 30)).then(() => app.runJob('purge-deleted-servers')),
      ])
      expect([200, 404]).toContain(restored.status)
      expect((await owner.call(servers.get, { params: { id } })).status).toBe(restored.status)
      await emptyBin(app)
    }
  })

  test('one that fails is logged, and does not stop the others', async () => {
    const [bad, good] = [await deletedServer(), await deletedServer()]
    await moveDeletion(bad.id, 9 * DAY_MS)
    await moveDeletion(good.id, 8 * DAY_MS)
    await sql`create function fail_to_purge() returns trigger language plpgsql as $$ begin
      if old.public_id = ${sql.lit(bad.id)} then raise 'no purge now'; end if; return old; end $$`.execute(app.db)
    await sql`create trigger fail_to_purge before delete on all_servers for each row execute function fail_to_purge()`.execute(app.db)
    await app.runJob('purge-deleted-servers')
    await sql`drop function fail_to_purge cascade`.execute(app.db)
    expect(app.takeLogs().filter((line) => line.includes('purge of a deleted server failed'))).toHaveLength(1)
    const left = await app.db.selectFrom('all_servers').select('public_id').where('public_id', 'in', [bad.id, good.id]).execute()
    expect(left).toEqual([{ public_id: bad.id }])
  })

  test('the cooldown of its vanity ID counts from the deletion', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'RUBY')
    const { public_id: id } = await buildServer(owner, { vanity_url: 'counts-once' })
    await remove(owner, id)
    const released = () => app.db.selectFrom('released_vanity_ids').select('released_at').where('released_by', '=', owner.id).execute()
    const before = await released()
    expect(before).toHaveLength(1)
    await emptyBin(app)
    expect(await released()).toEqual(before)
  })
})

test('the export and the erasure of an account include the bin', async () => {
  const { owner, id, server } = await deletedServer()
  const exported = JSON.parse(await (await owner.fetch('/api/auth/me/export')).text()) as { data: { held: { servers: unknown[] } } }
  expect(exported.data.held.servers).toEqual([
    expect.objectContaining({ public_id: id, name: server.name, deleted_at: expect.any(String) }),
  ])
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(Date.now() - 1000) })
    .where('id', '=', owner.id)
    .execute()
  await app.runJob('erase-due-accounts')
  expect(await app.db.selectFrom('all_servers').selectAll().where('public_id', '=', id).execute()).toEqual([])
  expect(await app.db.selectFrom('users').selectAll().where('id', '=', owner.id).execute()).toEqual([])
})

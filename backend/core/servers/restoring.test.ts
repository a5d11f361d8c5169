/** Restoring a deleted server: what comes back, and what does not. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofServer } from '#contract/events/activity.ts'
import * as benefitSettings from '#contract/benefits/benefit-settings.ts'
import * as bin from '#contract/servers/deleted-servers.ts'
import * as groups from '#contract/servers/groups.ts'
import * as protection from '#contract/protection/protection.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { announce, ban, buildServer, emptyBin, grant, newName, scheduleDeletion, setTier, storeImage } from '#tests/factories.ts'
import { issuesOf, raiseIssue } from '#tests/findings.ts'
import { binOf, deletedServer, remove, restore, setLimit } from '#tests/deleted-servers.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

const DAY_MS = 86_400_000

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { pool: 16 })
  administrator = await app.signIn('admin')
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
    // It waits for an announce since it has a credential, not since it was created.
    const { data: waiting } = await owner.call(servers.get, { params: { id: server.public_id } })
    expect(waiting.listing.reasons).toContainEqual(
      expect.objectContaining({ code: 'NEVER_ANNOUNCED', since: waiting.credential_issued_at }),
    )
    expect((await announce(app, reissued.data.credential)).status).toBe(200)
    void [updated_at, credential_issued_at, credential_hint]
  })

  test('is for its owner only, and only once', async () => {
    const { owner, id } = await deletedServer(app)
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
    const { owner, id } = await deletedServer(app)
    await setLimit(administrator, owner, 1)
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
    await setLimit(administrator, owner, 5)
    const ids = []
    for (let index = 0; index < 5; index += 1) ids.push((await buildServer(owner)).public_id)
    for (const id of ids) await remove(owner, id)
    await setLimit(administrator, owner, 3)
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
    const { owner, server, id } = await deletedServer(app)
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
    const [banned, leaving] = [await deletedServer(app), await deletedServer(app)]
    await ban(app, banned.owner.id)
    await scheduleDeletion(app, leaving.owner.id)
    for (const { owner, id } of [banned, leaving]) {
      expect((await restore(owner, id)).status).toBe(403)
      expect((await owner.call(bin.list)).status).toBe(403)
    }
  })

  test('reloads the open panels of the owner', async () => {
    const { owner, id } = await deletedServer(app)
    const stream = await listen(owner)
    await restore(owner, id)
    const change = await stream.until(
      ({ event, data }) => event === 'account' && (data as { changed: string[] }).changed.includes('servers'),
    )
    expect(change.event).toBe('account')
    stream.close()
  })
})

/** The appearance that benefits unlock: who may set it, what players see, and what the loss of a benefit hides. */
import { hash, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeSettings } from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import type { Purpose } from '#contract/servers/images.ts'
import * as managers from '#contract/servers/managers.ts'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerChanges } from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { deleteExpiredCooldowns } from './vanity.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function ownerWith(tier: 'GOLD' | 'DIAMOND_ALTRUIST' | null): Promise<SignedInUser> {
  const owner = await app.newUser()
  if (tier !== null) await setForcedTier(owner, tier)
  return owner
}

const setForcedTier = async (user: SignedInUser, tier: 'BRONZE' | 'GOLD' | 'RUBY' | 'DIAMOND_ALTRUIST' | null) => {
  const forced = await admin.call(usersAdmin.forceTier, { params: { id: user.id }, body: { tier_id: tier } })
  expect(forced.status, forced.text).toBe(200)
}

const change = (owner: SignedInUser, id: string, body: ServerChanges) => owner.call(servers.change, { params: { id }, body })
const readServer = async (owner: SignedInUser, id: string) => (await owner.call(servers.get, { params: { id } })).data

async function listed(id: string): Promise<ListedServer> {
  return (await (await fetch(`${app.listUrl}/servers/${id}`)).json()) as ListedServer
}

/** Inserts an image as an upload does. */
async function uploadedImage(owner: SignedInUser, purpose: Purpose = 'SERVER_ICON'): Promise<{ id: string; file: string }> {
  const [id, file] = [randomUUID(), `${randomUUID()}.png`]
  const size = { width: 256, height: 256, mime: 'image/png', bytes: 100 }
  await app.db
    .insertInto('images')
    .values({ id, owner_id: owner.id, purpose, file, ...size })
    .execute()
  return { id, file }
}

const createGroup = async (owner: SignedInUser, name: string) => (await owner.call(groups.create, { body: { name } })).data

/** Creates a server with every field that benefits unlock. */
async function createFullServer(owner: SignedInUser, vanity: string) {
  const server = await buildServer(owner)
  const [icon, set] = [await uploadedImage(owner), await createGroup(owner, `Group of ${vanity}`)]
  const body = { icon_image_id: icon.id, group_id: set.id, vanity_url: vanity, promoted: true }
  const changed = await change(owner, server.public_id, body)
  expect(changed.status, changed.text).toBe(200)
  return { server, icon, set, changed: changed.data }
}

describe('a server with everything that benefits give', () => {
  test('is returned to its owner and published on the list', async () => {
    const owner = await ownerWith('DIAMOND_ALTRUIST')
    const { server, icon, set, changed } = await createFullServer(owner, 'full-appearance')
    expect(changed).toMatchObject({
      icon_image_id: icon.id,
      group_id: set.id,
      group: { id: set.id, name: set.name },
      vanity_url: 'full-appearance',
      promoted: true,
      dormant: [],
    })
    expect(changed.icon_url).toMatch(new RegExp(`/images/${icon.file}$`))
    await announce(app, server.credential)
    for (const id of [server.public_id, 'full-appearance', '@full-appearance', '@Full-Appearance', `@${server.public_id}`]) {
      expect(await listed(id), id).toMatchObject({
        publicId: server.public_id,
        vanityUrl: 'full-appearance',
        promoted: true,
        masterlist_icon_url: changed.icon_url,
        group: { id: set.id, name: set.name, iconUrl: '', pinned: false },
      })
    }
  })

  test('hides the fields of lost benefits, reports them as dormant, and restores them with the benefits', async () => {
    const owner = await ownerWith('DIAMOND_ALTRUIST')
    const { server, set } = await createFullServer(owner, 'now-and-then')
    const id = server.public_id
    await setForcedTier(owner, null)
    expect(await listed(id)).toMatchObject({ vanityUrl: '', promoted: false, masterlist_icon_url: null, group: null })
    expect((await fetch(`${app.listUrl}/servers/now-and-then`)).status).toBe(404)
    const kept = await readServer(owner, id)
    expect(kept).toMatchObject({ vanity_url: 'now-and-then', promoted: true, group_id: set.id })
    expect(kept.dormant).toEqual(['icon_image_id', 'group_id', 'vanity_url', 'promoted'])
    expect(kept.icon_url).not.toBeNull()
    await setForcedTier(owner, 'BRONZE')
    expect((await readServer(owner, id)).dormant).toEqual(['group_id', 'vanity_url', 'promoted'])
    expect(await listed(id)).toMatchObject({ vanityUrl: '', masterlist_icon_url: kept.icon_url })
    await setForcedTier(owner, 'RUBY')
    expect(await listed('now-and-then')).toMatchObject({ publicId: id, promoted: true, group: { id: set.id } })
    expect((await readServer(owner, id)).dormant).toEqual([])
  })

  test('lets the owner clear or resend the fields of a lost benefit, but not change them', async () => {
    const owner = await ownerWith('DIAMOND_ALTRUIST')
    const { server, changed } = await createFullServer(owner, 'sent-again')
    const id = server.public_id
    await setForcedTier(owner, null)
    const { vanity_url, group_id, promoted, icon_image_id } = changed
    expect((await change(owner, id, { vanity_url, group_id, promoted, icon_image_id })).status).toBe(200)
    const rejected = await change(owner, id, { vanity_url: 'another-one' })
    expect(rejected.status).toBe(403)
    expect(rejected.error.errors).toEqual(['This needs the benefit Custom Vanity URL, which you do not have.'])
    const cleared = await change(owner, id, { vanity_url: null, group_id: null, promoted: false, icon_image_id: null })
    expect(cleared.data).toMatchObject({ vanity_url: null, group: null, promoted: false, icon_url: null, dormant: [] })
  })
})

describe('an icon', () => {
  test.each([
    ['another user’s', async () => (await uploadedImage(await app.newUser())).id],
    ['one of another purpose', async (owner: SignedInUser) => (await uploadedImage(owner, 'BANNER')).id],
    ['none at all', async () => randomUUID()],
    ['no id', async () => 'x'],
  ])('that is %s is rejected, and nothing changes', async (_name, imageOf) => {
    const owner = await ownerWith('GOLD')
    const { public_id: id } = await buildServer(owner)
    const rejected = await change(owner, id, { icon_image_id: await imageOf(owner), description: 'Changed' })
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors).toHaveLength(1)
    expect(await readServer(owner, id)).toMatchObject({ icon_url: null, description: '' })
  })
})

describe('a group', () => {
  test('of another user is rejected as unknown', async () => {
    const [owner, other] = [await ownerWith('GOLD'), await ownerWith('GOLD')]
    const theirs = await createGroup(other, 'Their group')
    const { public_id: id } = await buildServer(owner)
    expect((await change(owner, id, { group_id: theirs.id })).status).toBe(400)
    expect((await change(owner, id, { group_id: 'x' })).status).toBe(400)
    expect((await readServer(owner, id)).group).toBeNull()
  })
})

test('a vanity ID cannot be another server’s public ID in lower case', async () => {
  const owner = await ownerWith('GOLD')
  const [mine, other] = [await buildServer(owner), await buildServer(owner)]
  const rejected = await change(owner, mine.public_id, { vanity_url: other.public_id.toLowerCase() })
  expect(rejected.error).toMatchObject({ statusCode: 409, businessStatus: 'VANITY_URL_ALREADY_EXISTS' })
  expect((await readServer(owner, mine.public_id)).vanity_url).toBeNull()
})

test('a vanity ID that is reserved since then stays with its server, and cannot be chosen', async () => {
  const [owner, other] = [await ownerWith('GOLD'), await ownerWith('GOLD')]
  const [{ public_id: id }, { public_id: otherId }] = [await buildServer(owner, { vanity_url: 'signed-1' }), await buildServer(other)]
  await app.db.updateTable('all_servers').set({ vanity_url: 'signed' }).where('public_id', '=', id).execute()
  expect((await change(owner, id, { description: 'Still here.' })).data.vanity_url).toBe('signed')
  expect((await change(other, otherId, { vanity_url: 'signed' })).status).toBe(400)
})

describe('a released vanity ID', () => {
  test('has a cooldown of 30 days for others, and none for its previous owner', async () => {
    const [owner, other] = [await ownerWith('GOLD'), await ownerWith('GOLD')]
    const [mine, theirs] = [await buildServer(owner, { vanity_url: 'cooling-town' }), await buildServer(other)]
    await change(owner, mine.public_id, { vanity_url: 'new-town' })
    const rejected = await change(other, theirs.public_id, { vanity_url: 'cooling-town' })
    expect(rejected.error).toMatchObject({ statusCode: 409, businessStatus: 'VANITY_URL_ALREADY_EXISTS' })
    expect(rejected.error.errors[0]).toMatch(/reserved until \d+ \w+\./)
    const created = await other.call(servers.create, { body: { name: 'Another name', vanity_url: 'cooling-town' } })
    expect(created.error.businessStatus).toBe('VANITY_URL_ALREADY_EXISTS')
    expect((await change(owner, mine.public_id, { vanity_url: 'cooling-town' })).data.vanity_url).toBe('cooling-town')
    // The reclaimed vanity ID has no cooldown any more, but new-town has one.
    expect((await change(other, theirs.public_id, { vanity_url: 'new-town' })).status).toBe(409)
    await app.db
      .updateTable('released_vanity_ids')
      .set({ released_at: new Date(Date.now() - 30.1 * 86_400_000) })
      .execute()
    expect((await change(other, theirs.public_id, { vanity_url: 'new-town' })).data.vanity_url).toBe('new-town')
  })

  test('is deleted when its cooldown ends, and not a day before', async () => {
    const released = (name: string, days: number) => ({
      digest: hash('sha256', name, 'buffer'),
      released_by: null,
      released_at: new Date(Date.now() - days * 86_400_000),
    })
    await app.db.deleteFrom('released_vanity_ids').execute()
    await app.db
      .insertInto('released_vanity_ids')
      .values([released('in-cooldown', 29), released('cooldown-ended', 31)])
      .execute()
    await deleteExpiredCooldowns(app)
    const left = await app.db.selectFrom('released_vanity_ids').select('digest').execute()
    expect(left.map((row) => row.digest)).toEqual([hash('sha256', 'in-cooldown', 'buffer')])
  })

  test('is held with two others per account: a fourth one frees the oldest at once', async () => {
    const [owner, other] = [await ownerWith('GOLD'), await ownerWith('GOLD')]
    const [mine, theirs] = [await buildServer(owner, { vanity_url: 'town-0' }), await buildServer(other)]
    for (const n of [1, 2, 3]) await change(owner, mine.public_id, { vanity_url: `town-${n}` })
    expect((await change(other, theirs.public_id, { vanity_url: 'town-0' })).status).toBe(409)
    await owner.call(servers.remove, { params: { id: mine.public_id } })
    for (const n of [1, 2, 3]) expect((await change(other, theirs.public_id, { vanity_url: `town-${n}` })).status).toBe(409)
    expect((await change(other, theirs.public_id, { vanity_url: 'town-0' })).data.vanity_url).toBe('town-0')
  })

  test('released by concurrent changes, is held with two others per account', async () => {
    const owner = await ownerWith('GOLD')
    const ids = []
    for (let n = 0; n < 6; n += 1) ids.push((await buildServer(owner, { vanity_url: `crowd-${n}` })).public_id)
    await Promise.all(ids.map((id) => change(owner, id, { vanity_url: null })))
    expect(await app.db.selectFrom('released_vanity_ids').select('digest').where('released_by', '=', owner.id).execute()).toHaveLength(3)
  })

  test('has a cooldown after its server is deleted, even once its owner is erased', async () => {
    const [owner, other] = [await ownerWith('GOLD'), await ownerWith('GOLD')]
    const mine = await buildServer(owner, { vanity_url: 'deleted-town' })
    await owner.call(servers.remove, { params: { id: mine.public_id } })
    const theirs = await buildServer(other)
    expect((await change(other, theirs.public_id, { vanity_url: 'deleted-town' })).status).toBe(409)
    await app.db.updateTable('released_vanity_ids').set({ released_by: null }).execute()
    expect((await change(other, theirs.public_id, { vanity_url: 'deleted-town' })).status).toBe(409)
  })
})

describe('a transfer', () => {
  test('copies the icon, clears the group, and hides what the new owner lacks the benefit for', async () => {
    const [owner, recipient] = [await ownerWith('DIAMOND_ALTRUIST'), await ownerWith(null)]
    const { server, icon } = await createFullServer(owner, 'handed-on')
    const banner = await uploadedImage(owner, 'BANNER')
    const saved = await owner.call(changeSettings, { params: { key: 'CUSTOM_BANNER' }, body: { image_id: banner.id, server_ids: [] } })
    expect(saved.status, saved.text).toBe(200)
    const { id } = await offer(owner, server.public_id, recipient.id)
    const offered = (await recipient.call(servers.list)).data.incoming_transfers.find((transfer) => transfer.id === id)
    expect(offered?.effects.map((effect) => effect.code)).toEqual(
      expect.arrayContaining([
        'GROUP_CLEARED',
        'SETTINGS_END',
        'MASTERLIST_TOKEN_CARD_ICONS_MISSING',
        'CUSTOM_VANITY_URL_MISSING',
        'PROMOTED_MISSING',
      ]),
    )
    const accepted = await recipient.call(transfers.accept, { params: { id } })
    expect(accepted.status, accepted.text).toBe(204)
    const got = await readServer(recipient, server.public_id)
    expect(got).toMatchObject({ group: null, group_id: null, vanity_url: 'handed-on' })
    expect(got.dormant).toEqual(['icon_image_id', 'vanity_url', 'promoted'])
    expect(got.icon_image_id).not.toBe(icon.id)
    expect(got.icon_url).toMatch(new RegExp(`/images/${icon.file}$`))
    await expect
      .poll(() => listed(server.public_id))
      .toMatchObject({ masterlist_icon_url: null, vanityUrl: '', promoted: false, bannerUrl: '' })
    await setForcedTier(recipient, 'GOLD')
    expect(await listed('handed-on')).toMatchObject({ masterlist_icon_url: got.icon_url, vanityUrl: 'handed-on', promoted: false })
  })
})

describe('a manager', () => {
  test('with the permission to edit the appearance can set their own image and the owner’s group', async () => {
    const [owner, manager] = [await ownerWith('GOLD'), await app.newUser()]
    const { public_id: serverId } = await buildServer(owner)
    const set = await createGroup(owner, 'Managed group')
    await grant(owner, manager.id, ['EDIT_APPEARANCE'])
    const params = { ownerId: owner.id, serverId }
    const seen = await manager.call(managers.appearance, { params: { ownerId: owner.id } })
    expect(seen.data).toEqual({
      benefits: ['MASTERLIST_TOKEN_CARD_ICONS', 'MASTERLIST_GROUPS', 'CUSTOM_VANITY_URL'],
      groups: [{ id: set.id, name: 'Managed group' }],
    })
    const icon = await uploadedImage(manager)
    const body = { icon_image_id: icon.id, group_id: set.id }
    const changed = await manager.call(managers.changeManaged, { params, body })
    expect(changed.data.icon_url).toMatch(new RegExp(`/images/${icon.file}$`))
    expect(changed.data.icon_image_id).not.toBe(icon.id)
    expect((await manager.call(managers.changeManaged, { params, body })).data.icon_image_id).toBe(changed.data.icon_image_id)
    expect((await manager.call(managers.changeManaged, { params, body: { promoted: true } })).error.errors).toEqual([
      'This needs the benefit Promotion, which the owner of this server does not have.',
    ])
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    expect((await manager.call(managers.appearance, { params: { ownerId: owner.id } })).status).toBe(403)
    await owner.call(managers.revoke, { body: { user_id: manager.id } })
    expect((await manager.call(managers.appearance, { params: { ownerId: owner.id } })).status).toBe(404)
  })

  test('sees nothing of owners they do not manage for', async () => {
    const [owner, stranger] = [await ownerWith('GOLD'), await app.newUser()]
    for (const ownerId of [owner.id, 'x', stranger.id])
      expect((await stranger.call(managers.appearance, { params: { ownerId } })).status, ownerId).toBe(404)
  })
})

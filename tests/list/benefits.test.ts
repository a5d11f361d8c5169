/** Benefit settings on the public list: which servers show them, and only while the owner has the benefit. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import * as benefitSettings from '#contract/benefits/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import * as groups from '#contract/servers/groups.ts'
import type { Purpose } from '#contract/servers/images.ts'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import * as servers from '#contract/servers/servers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const force = (id: string, tier: 'RUBY' | 'GOLD' | 'DIAMOND_ALTRUIST' | null) =>
  admin.call(usersAdmin.forceTier, { params: { id }, body: { tier_id: tier } })

async function storeImage(owner: SignedInUser, purpose: Purpose): Promise<string> {
  const id = randomUUID()
  const size = { width: 1, height: 1, mime: 'image/png', bytes: 1 }
  await app.db
    .insertInto('images')
    .values({ id, owner_id: owner.id, purpose, file: `${id}.png`, ...size })
    .execute()
  return id
}

async function save(owner: SignedInUser, key: SettingsKey, body: object): Promise<void> {
  const saved = await owner.call(benefitSettings.changeSettings, { params: { key }, body })
  expect(saved.status, saved.text).toBe(200)
}

async function listById(): Promise<Map<string, ListedServer>> {
  const rows = (await (await fetch(`${app.listUrl}/servers`)).json()) as ListedServer[]
  return new Map(rows.map((row) => [row.publicId, row]))
}

const onList = async (id: string) => (await listById()).get(id)

/** One server, always current; the whole list may be a moment old. */
async function listed(id: string): Promise<ListedServer> {
  return (await (await fetch(`${app.listUrl}/servers/${id}`)).json()) as ListedServer
}

test('banner, join background and skin apply to all or selected servers of the owner, follow the benefit and survive a restart', async () => {
  const owner = await app.newUser()
  await force(owner.id, 'DIAMOND_ALTRUIST')
  const [one, two] = [await buildServer(owner), await buildServer(owner)]
  for (const server of [one, two]) await announce(app, server.credential)
  const bystander = await buildServer(await app.newUser())
  await announce(app, bystander.credential)
  const [banner, background] = [await storeImage(owner, 'BANNER'), await storeImage(owner, 'JOIN_BACKGROUND')]

  await save(owner, 'CUSTOM_BANNER', { image_id: banner, server_ids: [] })
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background, server_ids: [two.public_id] })
  await save(owner, 'CUSTOM_LAUNCHER', { name: 'Two Towns', server_ids: [two.public_id] })
  const bannerUrl = expect.stringMatching(new RegExp(`/images/${banner}.png$`)) as string
  const joinBackgroundUrl = expect.stringMatching(new RegExp(`/images/${background}.png$`)) as string
  const nothing = { bannerUrl: '', masterlist_banner_url: null, joinBackgroundUrl: '', hasCustomSkin: false }
  await expect.poll(() => onList(one.public_id)).toMatchObject({ ...nothing, bannerUrl, masterlist_banner_url: bannerUrl })
  await expect
    .poll(() => onList(two.public_id))
    .toMatchObject({ bannerUrl, masterlist_banner_url: bannerUrl, joinBackgroundUrl, hasCustomSkin: true })
  await expect.poll(() => onList(bystander.public_id)).toMatchObject(nothing)

  await force(owner.id, 'GOLD')
  await expect.poll(() => onList(two.public_id)).toMatchObject({ ...nothing, bannerUrl, masterlist_banner_url: bannerUrl })
  await force(owner.id, null)
  await expect.poll(() => onList(one.public_id)).toMatchObject(nothing)
  await expect.poll(() => onList(two.public_id)).toMatchObject(nothing)
  await force(owner.id, 'DIAMOND_ALTRUIST')
  await expect.poll(() => onList(two.public_id)).toMatchObject({ bannerUrl, joinBackgroundUrl, hasCustomSkin: true })

  // The list after a restart shows all of it.
  await app.restart()
  expect((await listById()).get(two.public_id)).toMatchObject({ bannerUrl, joinBackgroundUrl, hasCustomSkin: true })
})

test('settings moved to other servers or to none leave the former servers at once', async () => {
  const owner = await app.newUser()
  await force(owner.id, 'DIAMOND_ALTRUIST')
  const [one, two] = [await buildServer(owner), await buildServer(owner)]
  for (const server of [one, two]) await announce(app, server.credential)
  const [image_id, background] = [await storeImage(owner, 'BANNER'), await storeImage(owner, 'JOIN_BACKGROUND')]
  const seen = async () => {
    const both = await Promise.all([one, two].map((server) => listed(server.public_id)))
    return both.map(({ bannerUrl, joinBackgroundUrl }) => [bannerUrl !== '', joinBackgroundUrl !== ''])
  }
  await save(owner, 'CUSTOM_BANNER', { image_id })
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background, server_ids: [two.public_id] })
  expect(await seen()).toEqual([
    [true, false],
    [true, true],
  ])
  await save(owner, 'CUSTOM_BANNER', { image_id, server_ids: [one.public_id] })
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background, all_servers: false })
  expect(await seen()).toEqual([
    [true, false],
    [false, false],
  ])
})

test('a server shows the current name of its group, but not without the benefit or after the group is deleted', async () => {
  const owner = await app.newUser()
  await force(owner.id, 'GOLD')
  const server = await buildServer(owner)
  await announce(app, server.credential)
  const { id } = (await owner.call(groups.create, { body: { name: 'Before' } })).data
  await owner.call(servers.change, { params: { id: server.public_id }, body: { group_id: id } })
  const seen = async () => (await listed(server.public_id)).group?.name
  expect(await seen()).toBe('Before')
  await owner.call(groups.rename, { params: { id }, body: { name: 'After' } })
  expect(await seen()).toBe('After')
  await force(owner.id, null)
  expect(await seen()).toBeUndefined()
  await force(owner.id, 'GOLD')
  expect(await seen()).toBe('After')
  await owner.call(groups.remove, { params: { id } })
  expect(await seen()).toBeUndefined()
})

test('settings for one deleted server apply to no server instead of all', async () => {
  const owner = await app.newUser()
  await force(owner.id, 'DIAMOND_ALTRUIST')
  const [chosen, other] = [await buildServer(owner), await buildServer(owner)]
  await announce(app, other.credential)
  await save(owner, 'CUSTOM_LAUNCHER', { name: 'Only one', server_ids: [chosen.public_id] })
  await owner.call(servers.remove, { params: { id: chosen.public_id } })
  const { data } = await owner.call(benefitSettings.settings, { params: { key: 'CUSTOM_LAUNCHER' } })
  expect(data).toMatchObject({ server_ids: [], all_servers: false })
  await owner.call(servers.change, { params: { id: other.public_id }, body: { description: 'Changed' } })
  await expect.poll(() => onList(other.public_id)).toMatchObject({ description: 'Changed', hasCustomSkin: false })
})

test('settings with only a launcher page URL are a skin only while the owner has both benefits', async () => {
  const owner = await app.newUser()
  await force(owner.id, 'DIAMOND_ALTRUIST')
  const server = await buildServer(owner)
  await announce(app, server.credential)
  await save(owner, 'CUSTOM_LAUNCHER', { ui_url: 'https://ui.example.com' })
  await expect.poll(() => onList(server.public_id)).toMatchObject({ hasCustomSkin: true })
  await force(owner.id, 'RUBY')
  await admin.call(usersAdmin.grantBenefit, { params: { id: owner.id, key: 'CUSTOM_LAUNCHER' } })
  await expect.poll(() => onList(server.public_id)).toMatchObject({ hasCustomSkin: false })
})

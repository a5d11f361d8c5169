/** What a change of settings or groups does to what players see, once it has answered. */
import { beforeAll, expect, test } from 'vitest'
import * as benefits from '#contract/benefit-settings.ts'
import * as groups from '#contract/groups.ts'
import type { ListedServer } from '#contract/masterlist.ts'
import * as servers from '#contract/servers.ts'
import { forceTier } from '#contract/users-admin.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import { announce, buildServer, setTier, storeImage } from '#tests/factories.ts'
import { type SignedIn, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function supporter(): Promise<SignedIn> {
  const person = await app.someone()
  await setTier(app, person.id, 'PLATINUM')
  return person
}

/** A server that is on the list. */
async function online(owner: SignedIn): Promise<string> {
  const { public_id: id, credential } = await buildServer(owner)
  expect((await announce(app, credential)).status).toBe(200)
  return id
}

async function listed(id: string): Promise<ListedServer> {
  return (await (await fetch(`${app.listUrl}/servers/${id}`)).json()) as ListedServer
}

async function save(owner: SignedIn, key: string, body: unknown): Promise<void> {
  const saved = await owner.call(benefits.changeSettings, { params: { key }, body })
  expect(saved.status, saved.text).toBe(200)
}

test('banner and join background are seen on the servers they are for, and on no other any more', async () => {
  const owner = await supporter()
  const [one, two] = [await online(owner), await online(owner)]
  const [banner, background] = [await storeImage(app, owner.id, 'BANNER'), await storeImage(app, owner.id, 'JOIN_BACKGROUND')]
  const [shown, filled] = [imageUrl(app.env, banner.file), imageUrl(app.env, background.file)]
  const both = async () => (await Promise.all([listed(one), listed(two)])).map((server) => [server.bannerUrl, server.joinBackgroundUrl])
  await save(owner, 'CUSTOM_BANNER', { image_id: banner.id })
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background.id, server_ids: [two] })
  expect(await both()).toEqual([
    [shown, ''],
    [shown, filled],
  ])
  await save(owner, 'CUSTOM_BANNER', { image_id: banner.id, server_ids: [one] })
  await save(owner, 'CUSTOM_JOIN_BACKGROUND', { image_id: background.id, all_servers: false })
  expect(await both()).toEqual([
    [shown, ''],
    ['', ''],
  ])
})

test('what lapsed is hidden, and is seen again when the benefit comes back', async () => {
  const owner = await supporter()
  const id = await online(owner)
  const banner = await storeImage(app, owner.id, 'BANNER')
  const { id: groupId } = (await owner.call(groups.create, { body: { name: 'Ours' } })).data
  await save(owner, 'CUSTOM_BANNER', { image_id: banner.id })
  await owner.call(servers.change, { params: { id }, body: { group_id: groupId } })
  const seen = async () => {
    const { bannerUrl, group } = await listed(id)
    return [bannerUrl, group?.name]
  }
  const force = (tier: 'BRONZE' | null) => admin.call(forceTier, { params: { id: owner.id }, body: { tier_id: tier } })
  expect(await seen()).toEqual([imageUrl(app.env, banner.file), 'Ours'])
  await force('BRONZE')
  expect(await seen()).toEqual(['', undefined])
  await force(null)
  expect(await seen()).toEqual([imageUrl(app.env, banner.file), 'Ours'])
})

test('a renamed group has its new name on the list, and a deleted one is gone from it', async () => {
  const owner = await supporter()
  const id = await online(owner)
  const { id: groupId } = (await owner.call(groups.create, { body: { name: 'Before' } })).data
  await owner.call(servers.change, { params: { id }, body: { group_id: groupId } })
  expect((await listed(id)).group).toMatchObject({ name: 'Before' })
  await owner.call(groups.rename, { params: { id: groupId }, body: { name: 'After' } })
  expect((await listed(id)).group).toMatchObject({ name: 'After' })
  await owner.call(groups.remove, { params: { id: groupId } })
  expect((await listed(id)).group).toBeNull()
})

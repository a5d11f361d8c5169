/** Benefit settings: keys, images, scope, and what is recorded and published. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import { PURPOSE_KEYS } from '#contract/servers/images.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { forceTier } from '#contract/users/users-admin.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { buildServer, offer, setTier, storeImage } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

/** A user with the banner and join background benefits. */
async function createSupporter(tier = 'PLATINUM'): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, tier)
  return user
}

const read = (user: SignedInUser, key = 'CUSTOM_BANNER') => user.call(benefits.settings, { params: { key } })
const save = (user: SignedInUser, body: unknown, key = 'CUSTOM_BANNER') => user.call(benefits.changeSettings, { params: { key }, body })
const banner = async (user: SignedInUser) => (await storeImage(app, user.id, 'BANNER')).id
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })

async function expectSaved(user: SignedInUser, body: unknown, key?: string): Promise<benefits.SettingsView> {
  const saved = await save(user, body, key)
  expect(saved.status, saved.text).toBe(200)
  expect((await read(user, key)).data).toEqual(saved.data)
  return saved.data
}

describe('a key', () => {
  test.each(['custom_banner', 'Custom_Banner', 'CUSTOM_BANNER', 'cUsToM_bAnNeR'])('is accepted as %s', async (key) => {
    const owner = await createSupporter()
    expect((await read(owner, key)).data.key).toBe('CUSTOM_BANNER')
    expect((await save(owner, { image_id: await banner(owner) }, key)).data.key).toBe('CUSTOM_BANNER')
  })

  test.each(['cuſtom_banner', 'CUSTOM-BANNER', 'custom_banner ', 'CUSTOM_BANNER\0', 'constructor', '__proto__', '%', 'x'.repeat(90)])(
    'that is no benefit (%j) is rejected with the exact message',
    async (key) => {
      const owner = await createSupporter()
      for (const rejected of [await read(owner, key), await save(owner, {}, key)])
        expect(rejection(rejected)).toEqual({ status: 400, errors: ['Invalid benefit key'] })
    },
  )

  test.each([
    ['de', 'Ungültiger Vorteilsschlüssel'],
    ['tr', 'Geçersiz avantaj anahtarı'],
  ])('that is no benefit is rejected in %s with the word for key', async (language, sentence) => {
    const response = await (await app.newUser()).fetch('/api/users/benefits/nothing/settings', { headers: { 'accept-language': language } })
    expect(await response.json()).toMatchObject({ errors: [sentence] })
  })

  test.each(['PROMOTED', 'promoted', 'Custom_Ui_Url', 'ADMIN', 'client_cloud_auth'])(
    'of a benefit without settings (%s) is rejected with the exact message, held or not',
    async (key) => {
      for (const user of [await createSupporter('DIAMOND_ALTRUIST'), await app.newUser()]) {
        for (const rejected of [await read(user, key), await save(user, {}, key)])
          expect(rejection(rejected)).toEqual({ status: 400, errors: ['Benefit does not have a settings page'] })
      }
    },
  )

  test.each(['CUSTOM_LAUNCHER', 'custom_launcher', 'CUSTOM_BANNER', 'Custom_Join_Background'])(
    'of a benefit that is not held (%s) is rejected with the exact message, for any body',
    async (key) => {
      const user = await createSupporter('SILVER')
      for (const rejected of [await read(user, key), await save(user, { nonsense: 1 }, key), await save(user, { image_id: null }, key)])
        expect(rejection(rejected)).toEqual({ status: 403, errors: ['User does not have this benefit'] })
    },
  )
})

test('shows defaults if nothing was saved', async () => {
  const owner = await createSupporter('DIAMOND_ALTRUIST')
  const chosen = { server_ids: [], all_servers: true, version: 0, updated_at: null }
  expect((await read(owner)).data).toEqual({ key: 'CUSTOM_BANNER', image_id: null, image_url: null, ...chosen })
  expect((await read(owner, 'CUSTOM_JOIN_BACKGROUND')).data).toMatchObject({ key: 'CUSTOM_JOIN_BACKGROUND', image_id: null, ...chosen })
})

test('saves, shows, replaces and removes an image, separately for each key', async () => {
  const owner = await createSupporter()
  const [first, second] = [await storeImage(app, owner.id, 'BANNER'), await storeImage(app, owner.id, 'BANNER')]
  const saved = await expectSaved(owner, { image_id: first.id })
  expect(saved).toMatchObject({ image_id: first.id, image_url: imageUrl(app.env, first.file), server_ids: [], all_servers: true })
  expect(saved.updated_at).not.toBeNull()
  expect(await expectSaved(owner, { image_id: second.id.toUpperCase() })).toMatchObject({ image_url: imageUrl(app.env, second.file) })
  expect((await read(owner, 'CUSTOM_JOIN_BACKGROUND')).data).toMatchObject({ image_id: null, updated_at: null })
  expect(await expectSaved(owner, { image_id: null })).toMatchObject({ image_id: null, image_url: null })
})

describe('an image', () => {
  const notFound = 'Image: there is no such uploaded image. Upload it again.'

  test('of another user, or unknown, is rejected', async () => {
    const [owner, other] = [await createSupporter(), await createSupporter()]
    for (const id of [await banner(other), randomUUID()])
      expect(rejection(await save(owner, { image_id: id }))).toEqual({ status: 400, errors: [notFound] })
    expect((await read(owner)).data).toMatchObject({ image_id: null, updated_at: null })
  })

  test.each(PURPOSE_KEYS.filter((purpose) => purpose !== 'BANNER'))('uploaded as %s is rejected as a banner', async (purpose) => {
    const owner = await createSupporter()
    const rejected = await save(owner, { image_id: (await storeImage(app, owner.id, purpose)).id })
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors).toEqual([
      expect.stringMatching(/^Image: this image was uploaded as ".+"\. Upload it again as "Banner"\.$/),
    ])
  })
})

describe('rejects a body', () => {
  test.each([
    [undefined, 'The body must be a JSON object.'],
    [[], 'The body must be a JSON object.'],
    ['text', 'The body must be a JSON object.'],
    [{}, 'Image must be the ID of an uploaded image, or null.'],
    [{ image_id: 'x' }, 'Image must be the ID of an uploaded image, or null.'],
    [{ image_id: 7 }, 'Image must be the ID of an uploaded image, or null.'],
    [{ image_id: null, name: 'x' }, 'Unknown field “name”. Leave it out.'],
    [{ image_id: null, server_ids: 'all' }, 'server_ids must be a list of public IDs.'],
    [{ image_id: null, server_ids: [7] }, 'server_ids must be a list of public IDs.'],
    [{ image_id: null, server_ids: Array.from({ length: 1001 }, () => 'AAAAAAA') }, 'server_ids can name at most 1000 servers.'],
    [{ image_id: null, all_servers: 'yes' }, 'all_servers must be true or false.'],
    [{ image_id: null, all_servers: null }, 'all_servers must be true or false.'],
  ])('%#: %j', async (body, sentence) => {
    expect(rejection(await save(await createSupporter(), body))).toEqual({ status: 400, errors: [sentence] })
  })
})

describe('the scope of settings', () => {
  test('is all servers by default, the named ones, or none', async () => {
    const owner = await createSupporter()
    const image = await banner(owner)
    const ids = [(await buildServer(owner)).public_id, (await buildServer(owner)).public_id].toSorted()
    const saveScope = async (choice: object) => {
      const { server_ids: chosen, all_servers: isAll } = await expectSaved(owner, { image_id: image, ...choice })
      return [chosen, isAll]
    }
    expect(await saveScope({})).toEqual([[], true])
    expect(await saveScope({ server_ids: [...ids.toReversed(), ...ids] })).toEqual([ids, false])
    expect(await saveScope({ server_ids: [ids[1]], all_servers: false })).toEqual([[ids[1]], false])
    expect(await saveScope({ server_ids: [], all_servers: false })).toEqual([[], false])
    expect(await saveScope({ server_ids: [], all_servers: true })).toEqual([[], true])
    expect(await saveScope({ all_servers: false })).toEqual([[], false])
    expect(await saveScope({ server_ids: [] })).toEqual([[], true])
  })

  test('cannot be all servers and named ones', async () => {
    const owner = await createSupporter()
    const { public_id: id } = await buildServer(owner)
    const errors = ['all_servers can be true only if server_ids is empty. Leave one of them out.']
    expect(rejection(await save(owner, { image_id: null, server_ids: [id], all_servers: true }))).toEqual({ status: 400, errors })
  })

  test("rejects another user's server and an unknown one", async () => {
    const [owner, other] = [await createSupporter(), await createSupporter()]
    const [own, foreign] = [await buildServer(owner), await buildServer(other)]
    for (const id of [foreign.public_id, 'AAAAAAA', 'x', '', '\0', own.public_id.toLowerCase() + own.public_id]) {
      const rejected = await save(owner, { image_id: null, server_ids: [own.public_id, id] })
      expect(rejection(rejected)).toEqual({ status: 400, errors: [`Servers: you have no server ${id}.`] })
    }
    expect((await read(owner)).data).toMatchObject({ server_ids: [], updated_at: null })
  })

  test('drops a deleted or transferred server, and is none, not all, without the last one', async () => {
    const [owner, recipient] = [await createSupporter(), await createSupporter()]
    const [unselected, transferred, deleted] = [await buildServer(owner), await buildServer(owner), await buildServer(owner)]
    await expectSaved(owner, { image_id: await banner(owner), server_ids: [transferred.public_id, deleted.public_id] })
    await owner.call(servers.remove, { params: { id: deleted.public_id } })
    expect((await read(owner)).data).toMatchObject({ server_ids: [transferred.public_id], all_servers: false })
    const { id } = await offer(owner, transferred.public_id, recipient.id)
    const accepted = await recipient.call(transfers.accept, { params: { id } })
    expect(accepted.status, accepted.text).toBeLessThan(300)
    expect((await read(owner)).data).toMatchObject({ server_ids: [], all_servers: false })
    const used = (await owner.call(benefits.overview)).data.find((benefit) => benefit.key === 'CUSTOM_BANNER')?.used_by
    expect(used, `not even ${unselected.name}`).toEqual([])
  })
})

test('settings stay when the benefit is lost, and are the same when it is restored', async () => {
  const [owner, admin] = [await createSupporter(), await app.signIn('admin')]
  const { public_id: id } = await buildServer(owner)
  const saved = await expectSaved(owner, { image_id: await banner(owner), server_ids: [id] })
  const force = (tier: 'BRONZE' | null) => admin.call(forceTier, { params: { id: owner.id }, body: { tier_id: tier } })
  await force('BRONZE')
  for (const rejected of [await read(owner), await save(owner, { image_id: null })])
    expect(rejection(rejected)).toEqual({ status: 403, errors: ['User does not have this benefit'] })
  await force(null)
  expect((await read(owner)).data).toEqual(saved)
})

test('records changes with the key, and nothing for identical settings', async () => {
  const owner = await createSupporter()
  const image = await banner(owner)
  const { public_id: id } = await buildServer(owner)
  await expectSaved(owner, { image_id: null })
  const { updated_at: savedAt } = await expectSaved(owner, { image_id: image })
  expect((await expectSaved(owner, { image_id: image, all_servers: true })).updated_at).toBe(savedAt)
  await expectSaved(owner, { image_id: image, server_ids: [id] })
  const recorded = (await owner.call(activity.ofAccount)).data.filter((entry) => entry.action === 'BENEFIT_SETTINGS_CHANGED')
  expect(recorded.map(({ as, actor, before, after }) => ({ as, actor: actor?.id, before, after }))).toEqual([
    {
      as: 'self',
      actor: owner.id,
      before: { benefit: 'CUSTOM_BANNER', server_ids: [], all_servers: true },
      after: { benefit: 'CUSTOM_BANNER', server_ids: [id], all_servers: false },
    },
    {
      as: 'self',
      actor: owner.id,
      before: { benefit: 'CUSTOM_BANNER', image_id: null },
      after: { benefit: 'CUSTOM_BANNER', image_id: image },
    },
  ])
})

test('invalidates open panels after a change, and not without one', async () => {
  const owner = await createSupporter()
  const image = await banner(owner)
  const stream = await listen(owner)
  const isAccount = (event: StreamEvent) => event.event === 'account'
  await expectSaved(owner, { image_id: image })
  expect((await stream.until(isAccount)).data).toEqual({ changed: ['servers', 'activity', 'benefits'] })
  stream.received.length = 0
  await expectSaved(owner, { image_id: image })
  await expectSaved(owner, { image_id: null })
  await stream.until(isAccount)
  expect(stream.received.filter(isAccount)).toHaveLength(1)
  stream.close()
})

/** Benefit settings of a user, changed by administrators. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import { forceTier, takeBenefit } from '#contract/users/users-admin.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { ban, buildServer, scheduleDeletion, setTier, storeImage } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function createSupporter(): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, 'DIAMOND_ALTRUIST')
  return user
}

const read = (user: SignedInUser, id: string, key = 'CUSTOM_BANNER') => user.call(benefits.adminSettings, { params: { id, key } })
const save = (user: SignedInUser, id: string, body: unknown, key = 'CUSTOM_BANNER') =>
  user.call(benefits.changeAdminSettings, { params: { id, key }, body })
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })

test("an administrator reads and replaces a user's settings, with the user's images and servers", async () => {
  const owner = await createSupporter()
  const [image, { public_id: id }] = [await storeImage(app, owner.id, 'BANNER'), await buildServer(owner)]
  const stream = await listen(owner)
  const saved = await save(admin, owner.id, { image_id: image.id, server_ids: [id] }, 'custom_banner')
  expect(saved.status, saved.text).toBe(200)
  expect(saved.data).toMatchObject({ image_id: image.id, image_url: imageUrl(app.env, image.file), server_ids: [id], all_servers: false })
  expect((await read(admin, owner.id)).data).toEqual(saved.data)
  expect((await owner.call(benefits.settings, { params: { key: 'CUSTOM_BANNER' } })).data).toEqual(saved.data)
  await stream.until((event: StreamEvent) => event.event === 'account' && (event.data['changed'] as string[]).includes('benefits'))
  stream.close()
  const [recorded] = (await owner.call(activity.ofAccount)).data
  expect(recorded).toMatchObject({
    action: 'BENEFIT_SETTINGS_CHANGED',
    as: 'administrator',
    actor: null,
    owner: { id: owner.id },
    after: { benefit: 'CUSTOM_BANNER', image_id: image.id, server_ids: [id], all_servers: false },
  })
})

test("an administrator's own image becomes the user's, once", async () => {
  const owner = await createSupporter()
  const image = await storeImage(app, admin.id, 'BANNER')
  const saved = await save(admin, owner.id, { image_id: image.id })
  expect(saved.status, saved.text).toBe(200)
  expect(saved.data).toMatchObject({ image_url: imageUrl(app.env, image.file) })
  const again = await save(admin, owner.id, { image_id: image.id })
  expect(again.data).toEqual(saved.data)
  const rows = await app.db.selectFrom('images').select(['id', 'owner_id']).where('file', '=', image.file).orderBy('owner_id').execute()
  expect(rows.map((row) => row.owner_id).toSorted()).toEqual([admin.id, owner.id].toSorted())
  expect(saved.data).toMatchObject({ image_id: rows.find((row) => row.owner_id === owner.id)?.id })
})

test('rejects images and servers of a third user, and servers of the administrator', async () => {
  const [owner, third] = [await createSupporter(), await createSupporter()]
  const foreign = await storeImage(app, third.id, 'BANNER')
  const notFound = 'Image: there is no such uploaded image. Upload it again.'
  expect(rejection(await save(admin, owner.id, { image_id: foreign.id }))).toEqual({ status: 400, errors: [notFound] })
  for (const { public_id: id } of [await buildServer(third), await buildServer(admin)]) {
    const rejected = await save(admin, owner.id, { image_id: null, server_ids: [id] })
    expect(rejection(rejected)).toEqual({ status: 400, errors: [`Servers: this user has no server ${id}.`] })
  }
  const wrong = await save(admin, owner.id, { image_id: (await storeImage(app, admin.id, 'SERVER_ICON')).id })
  expect(wrong.status).toBe(400)
})

test('returns the same three rejections as to the user, and 404 for an unknown user', async () => {
  const [owner, withoutBenefit] = [await createSupporter(), await app.newUser()]
  const both = async (id: string, key: string) => [
    rejection(await read(admin, id, key)),
    rejection(await save(admin, id, { image_id: null }, key)),
  ]
  const twice = (status: number, text: string) => [
    { status, errors: [text] },
    { status, errors: [text] },
  ]
  expect(await both(owner.id, 'cuſtom_banner')).toEqual(twice(400, 'Invalid benefit key'))
  expect(await both(owner.id, 'promoted')).toEqual(twice(400, 'Benefit does not have a settings page'))
  expect(await both(withoutBenefit.id, 'Custom_Banner')).toEqual(twice(403, 'User does not have this benefit'))
  for (const id of [randomUUID(), 'x', '%00']) expect(await both(id, 'custom_banner')).toEqual(twice(404, 'There is no such user.'))
  expect(await both(admin.id, 'custom_banner')).toEqual(twice(403, 'User does not have this benefit'))
})

test("ui_url needs the user's benefit, even if the administrator has it", async () => {
  const owner = await app.newUser()
  await admin.call(forceTier, { params: { id: admin.id }, body: { tier_id: 'DIAMOND_ALTRUIST' } })
  await app.db.insertInto('benefit_grants').values({ user_id: owner.id, key: 'CUSTOM_LAUNCHER' }).execute()
  const rejected = await save(admin, owner.id, { ui_url: 'https://ui.example.com' }, 'custom_launcher')
  const errors = ['This needs the benefit Custom Launcher UI, which the user does not have.']
  expect(rejection(rejected)).toEqual({ status: 403, errors })
  await admin.call(forceTier, { params: { id: admin.id }, body: { tier_id: null } })
})

test('an administrator can change the settings of a banned or leaving user', async () => {
  const [banned, leaving] = [await createSupporter(), await createSupporter()]
  await ban(app, banned.id)
  await scheduleDeletion(app, leaving.id)
  for (const { id } of [banned, leaving]) {
    const image = await storeImage(app, id, 'BANNER')
    expect((await save(admin, id, { image_id: image.id })).data).toMatchObject({ image_id: image.id })
  }
})

test('users and former administrators can neither read nor change', async () => {
  const [owner, other] = [await createSupporter(), await app.newUser()]
  await app.db.insertInto('benefit_grants').values({ user_id: other.id, key: 'ADMIN' }).execute()
  expect((await read(other, owner.id)).status).toBe(200)
  await admin.call(takeBenefit, { params: { id: other.id, key: 'ADMIN' } })
  for (const user of [other, owner]) {
    expect((await read(user, owner.id)).status).toBe(403)
    expect((await save(user, owner.id, { image_id: null })).status).toBe(403)
  }
})

/** Settings of the launcher benefits. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import type { LauncherView } from '#contract/benefits/benefit-settings.ts'
import type { Purpose } from '#contract/servers/images.ts'
import { grantBenefit, takeBenefit } from '#contract/users/users-admin.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { buildServer, setTier, storeImage } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

/** A user with the launcher benefit and the given ones. */
async function createSupporter(...keys: string[]): Promise<SignedInUser> {
  const user = await app.newUser()
  for (const key of ['CUSTOM_LAUNCHER', ...keys]) await grantTo(user, key)
  return user
}

async function grantTo(user: SignedInUser, key: string): Promise<void> {
  expect((await admin.call(grantBenefit, { params: { id: user.id, key } })).status).toBe(200)
}

const params = { key: 'custom_launcher' }
const save = (user: SignedInUser, body: unknown) => user.call(benefits.changeSettings, { params, body })
const read = async (user: SignedInUser) => (await user.call(benefits.settings, { params })).data as LauncherView
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })

async function expectSaved(user: SignedInUser, body: unknown): Promise<LauncherView> {
  const saved = await save(user, body)
  expect(saved.status, saved.text).toBe(200)
  expect(await read(user)).toEqual(saved.data)
  return saved.data as LauncherView
}

const DEFAULTS = {
  key: 'CUSTOM_LAUNCHER',
  name: null,
  primary_color: null,
  background_image_id: null,
  background_image_url: null,
  logo_image_id: null,
  logo_image_url: null,
  ui_background_image_id: null,
  ui_background_image_url: null,
  rss_url: null,
  ui_url: null,
  server_ids: [],
  all_servers: true,
  updated_at: null,
  version: 0,
}

test('saves all launcher settings at once and clears omitted fields', async () => {
  const owner = await createSupporter('CUSTOM_UI_URL')
  expect(await read(owner)).toEqual(DEFAULTS)
  const { public_id: id } = await buildServer(owner)
  const image = (purpose: Purpose) => storeImage(app, owner.id, purpose)
  const [background, logo, ui] = [await image('LAUNCHER_BACKGROUND'), await image('LAUNCHER_LOGO'), await image('LAUNCHER_UI_BACKGROUND')]
  const saved = await expectSaved(owner, {
    name: '  Our town ',
    primary_color: '#3FA2E9',
    background_image_id: background.id,
    logo_image_id: logo.id,
    ui_background_image_id: ui.id,
    rss_url: 'news.example.com/feed.xml',
    ui_url: 'https://ui.example.com/',
    server_ids: [id],
  })
  expect(saved).toEqual({
    key: 'CUSTOM_LAUNCHER',
    name: 'Our town',
    primary_color: '#3fa2e9',
    background_image_id: background.id,
    background_image_url: imageUrl(app.env, background.file),
    logo_image_id: logo.id,
    logo_image_url: imageUrl(app.env, logo.file),
    ui_background_image_id: ui.id,
    ui_background_image_url: imageUrl(app.env, ui.file),
    rss_url: 'https://news.example.com/feed.xml',
    ui_url: 'https://ui.example.com/',
    server_ids: [id],
    all_servers: false,
    updated_at: saved.updated_at,
    version: 1,
  })
  const { updated_at: _at, version: _version, ...cleared } = await expectSaved(owner, {})
  const { updated_at: _never, version: _zero, ...nothing } = DEFAULTS
  expect(cleared).toEqual(nothing)
})

test('an empty text clears a field', async () => {
  const owner = await createSupporter()
  expect(await expectSaved(owner, { name: 'Ours', rss_url: 'https://example.com/rss' })).toMatchObject({ name: 'Ours' })
  expect(await expectSaved(owner, { name: ' ', rss_url: '', ui_url: '' })).toMatchObject({ name: null, rss_url: null, ui_url: null })
})

describe('rejects a field', () => {
  const color = 'Colour must be six hexadecimal digits after a #, such as #3fa2e9.'
  test.each([
    [{ name: 'x'.repeat(65) }, 'Name can be at most 64 characters long.'],
    [{ name: 'a\u200Bb' }, "Name can't contain U+200B: it is an invisible, control or undefined character."],
    [{ primary_color: '3fa2e9' }, color],
    [{ primary_color: '#fff' }, color],
    [{ primary_color: '#3fa2e9\n' }, color],
    [{ primary_color: 'red' }, color],
    [{ rss_url: 'http://example.com/rss' }, 'News feed must begin with https://.'],
    [{ rss_url: 'ftp://example.com' }, 'News feed must be a web address such as https://example.com.'],
    [{ ui_url: 'http://example.com' }, 'UI address must begin with https://.'],
    [{ ui_url: 'javascript:alert(1)' }, 'UI address must be a web address such as https://example.com.'],
    [{ ui_url: `https://example.com/${'x'.repeat(255)}` }, 'UI address can be at most 255 characters long.'],
    [{ background_image_id: 'x' }, 'Background must be the ID of an uploaded image, or null.'],
    [{ image_id: null }, 'Unknown field “image_id”. Leave it out.'],
  ])('%#: %j', async (body, sentence) => {
    expect(rejection(await save(await createSupporter('CUSTOM_UI_URL'), body))).toEqual({ status: 400, errors: [sentence] })
  })

  test('that is an image of another purpose or another user', async () => {
    const [owner, other] = [await createSupporter(), await createSupporter()]
    const fields = [
      ['background_image_id', 'LAUNCHER_BACKGROUND', 'Background'],
      ['logo_image_id', 'LAUNCHER_LOGO', 'Logo'],
      ['ui_background_image_id', 'LAUNCHER_UI_BACKGROUND', 'UI background'],
    ] as const
    const banner = await storeImage(app, owner.id, 'BANNER')
    for (const [field, purpose, label] of fields) {
      const wrong = await save(owner, { [field]: banner.id })
      expect([wrong.status, wrong.error.errors[0]]).toEqual([
        400,
        expect.stringContaining(`${label}: this image was uploaded as "Banner".`),
      ])
      const foreign = await save(owner, { [field]: (await storeImage(app, other.id, purpose)).id })
      expect(rejection(foreign)).toEqual({ status: 400, errors: [`${label}: there is no such uploaded image. Upload it again.`] })
    }
    expect(await read(owner)).toEqual(DEFAULTS)
  })
})

test('ui_url needs its own benefit; a saved one stays when the benefit is lost, but cannot change', async () => {
  const owner = await createSupporter()
  const rejected = { status: 403, errors: ['This needs the benefit Custom Launcher UI, which you do not have.'] }
  const page = { ui_url: 'https://ui.example.com' }
  expect(rejection(await save(owner, page))).toEqual(rejected)
  await grantTo(owner, 'CUSTOM_UI_URL')
  await expectSaved(owner, page)
  await admin.call(takeBenefit, { params: { id: owner.id, key: 'CUSTOM_UI_URL' } })
  expect(await expectSaved(owner, { ...page, name: 'Renamed' })).toMatchObject({ ...page, name: 'Renamed' })
  expect(rejection(await save(owner, { ui_url: 'https://other.example.com' }))).toEqual(rejected)
  expect(await expectSaved(owner, {})).toMatchObject({ ui_url: null })
  expect(rejection(await save(owner, page))).toEqual(rejected)
})

test('ui_url cannot be set without the launcher benefit', async () => {
  const user = await app.newUser()
  await setTier(app, user.id, 'RUBY')
  await grantTo(user, 'CUSTOM_UI_URL')
  expect(rejection(await save(user, { ui_url: 'https://ui.example.com' }))).toEqual({
    status: 403,
    errors: ['User does not have this benefit'],
  })
})

/** Launcher themes: who has one, and what it contains. */
import { beforeAll, expect, test } from 'vitest'
import type { Skin } from '#contract/masterlist/masterlist.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { banUser, grantBenefit, takeBenefit } from '#contract/users/users-admin.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { base64, createSupporter, saveSettings, setTier, uploadImage } from '#tests/launcher-themes.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function bringOnline(server: ServerWithCredential, port = 7788): Promise<ServerWithCredential> {
  expect((await announce(app, server.credential, { port })).status).toBe(200)
  return server
}

const request = (id: string, init: RequestInit = {}) => fetch(`${app.listUrl}/servers/${id}/skin`, init)

async function themeOf(id: string): Promise<Skin> {
  const response = await request(id)
  expect(response.status).toBe(200)
  return (await response.json()) as Skin
}

async function expectNoTheme(id: string, code = 'NO_SKIN'): Promise<void> {
  const rejected = await request(id)
  expect(rejected.status).toBe(404)
  expect(rejected.headers.get('cache-control')).toBe('no-store')
  expect(rejected.headers.get('access-control-allow-origin')).toBe('*')
  expect(await rejected.json()).toMatchObject({ statusCode: 404, isBusiness: false, code })
}

test('a theme has the owner’s settings, and only strings', async () => {
  const owner = await createSupporter(app, admin)
  const server = await bringOnline(await buildServer(owner))
  const [splash, logo, background] = [
    await uploadImage(app, owner.id, 'LAUNCHER_BACKGROUND', 'the splash'),
    await uploadImage(app, owner.id, 'LAUNCHER_LOGO', 'the logo'),
    await uploadImage(app, owner.id, 'LAUNCHER_UI_BACKGROUND', 'the background'),
  ]
  await saveSettings(owner, {
    name: 'My town',
    primary_color: '#3fa2e9',
    background_image_id: splash.id,
    logo_image_id: logo.id,
    ui_background_image_id: background.id,
    rss_url: 'https://town.example/news.xml',
    ui_url: 'https://town.example/launcher',
  })
  const response = await request(server.public_id)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Age, X-Request-Id',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers.get('age')).toBeNull()
  expect(await response.json()).toEqual({
    id: server.public_id,
    name: 'My town',
    rss: 'https://town.example/news.xml',
    uiUrl: 'https://town.example/launcher',
    primaryColor: '3FA2E9',
    servers: [{ id: server.public_id, name: server.name, url: '127.0.0.1:7788' }],
    imageSplash64: base64('the splash'),
    imageLogo64: base64('the logo'),
    imageBackground64: base64('the background'),
    splashUrl: imageUrl(app.env, splash.file),
    logoUrl: imageUrl(app.env, logo.file),
    backgroundUrl: imageUrl(app.env, background.file),
  })
})

test('unset fields are empty, and the name defaults to the server’s name', async () => {
  const owner = await createSupporter(app, admin)
  const server = await buildServer(owner)
  await saveSettings(owner, { primary_color: '#ABCDEF' })
  expect(await themeOf(server.public_id)).toEqual({
    id: server.public_id,
    name: server.name,
    rss: '',
    uiUrl: '',
    primaryColor: 'ABCDEF',
    servers: [],
    imageSplash64: '',
    imageLogo64: '',
    imageBackground64: '',
    splashUrl: '',
    logoUrl: '',
    backgroundUrl: '',
  })
})

test('there is no theme without a server, without settings or with empty settings', async () => {
  await expectNoTheme('zzzzzzz', 'NO_SUCH_SERVER')
  await expectNoTheme('%00', 'NO_SUCH_SERVER')
  await expectNoTheme("'--", 'NO_SUCH_SERVER')
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await expectNoTheme(id)
  await saveSettings(owner, { name: 'x' })
  expect((await themeOf(id)).name).toBe('x')
  await saveSettings(owner, { name: '', rss_url: '', ui_url: null })
  await expectNoTheme(id)
  const stranger = await buildServer(await app.newUser())
  await expectNoTheme(stranger.public_id)
})

test('a theme disappears with the benefit and returns unchanged with it', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { name: 'Town', ui_url: 'https://town.example/' })
  const before = await themeOf(id)
  await setTier(admin, owner.id, 'RUBY')
  await expectNoTheme(id)
  await setTier(admin, owner.id, 'DIAMOND_ALTRUIST')
  expect(await themeOf(id)).toEqual(before)
  await setTier(admin, owner.id, 'RUBY')
  expect((await admin.call(grantBenefit, { params: { id: owner.id, key: 'CUSTOM_LAUNCHER' } })).status).toBeLessThan(300)
  // The custom page is another benefit.
  expect(await themeOf(id)).toEqual({ ...before, uiUrl: '' })
  expect((await admin.call(takeBenefit, { params: { id: owner.id, key: 'CUSTOM_LAUNCHER' } })).status).toBeLessThan(300)
  await expectNoTheme(id)
})

test('a custom page alone is a theme only with its own benefit', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { ui_url: 'https://town.example/' })
  expect((await themeOf(id)).uiUrl).toBe('https://town.example/')
  await setTier(admin, owner.id, null)
  await admin.call(grantBenefit, { params: { id: owner.id, key: 'CUSTOM_LAUNCHER' } })
  await expectNoTheme(id)
  await admin.call(grantBenefit, { params: { id: owner.id, key: 'CUSTOM_UI_URL' } })
  expect((await themeOf(id)).uiUrl).toBe('https://town.example/')
})

test('settings for selected servers apply only to these, and the theme lists those that are online and visible', async () => {
  const owner = await createSupporter(app, admin)
  const [first, second, hidden, other] = [
    await bringOnline(await buildServer(owner), 1),
    await buildServer(owner),
    await bringOnline(await buildServer(owner, { visible: false }), 3),
    await bringOnline(await buildServer(owner), 4),
  ]
  await saveSettings(owner, { name: 'Town', server_ids: [first.public_id, second.public_id, hidden.public_id] })
  const firstEntry = { id: first.public_id, name: first.name, url: '127.0.0.1:1' }
  for (const { public_id: id } of [first, second, hidden])
    expect(await themeOf(id)).toMatchObject({ id, name: 'Town', servers: [firstEntry] })
  await expectNoTheme(other.public_id)
  await bringOnline(second, 2)
  const both = [firstEntry, { id: second.public_id, name: second.name, url: '127.0.0.1:2' }].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect((await themeOf(first.public_id)).servers).toEqual(both)
  await saveSettings(owner, { name: 'Town' })
  const all = (await themeOf(other.public_id)).servers.map((server) => server.id)
  expect(all.toSorted()).toEqual([first, second, other].map((server) => server.public_id).toSorted())
  await saveSettings(owner, { name: 'Town', all_servers: false })
  for (const { public_id: id } of [first, second, hidden, other]) await expectNoTheme(id)
})

test('banned servers and servers of banned owners have no theme until the ban ends', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { name: 'Town' })
  const setBan = (banned: boolean) =>
    admin.call(banUser, { params: { id: owner.id }, body: banned ? { banned, banReason: 'Testing' } : { banned } })
  expect((await setBan(true)).status).toBeLessThan(300)
  await expectNoTheme(id)
  expect((await setBan(false)).status).toBeLessThan(300)
  expect((await themeOf(id)).name).toBe('Town')
  await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', id).execute()
  await expectNoTheme(id)
})

test('a deleted server has no theme', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { name: 'Town' })
  expect((await owner.call(servers.remove, { params: { id } })).status).toBeLessThan(300)
  await expectNoTheme(id, 'NO_SUCH_SERVER')
})

test('a vanity id finds the same theme, with or without @', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner, { vanity_url: 'skin-town' })
  await saveSettings(owner, { name: 'Town' })
  for (const vanityId of ['skin-town', '@skin-town']) expect((await themeOf(vanityId)).id).toBe(id)
})

test('an unchanged theme gets 304', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { name: 'Town' })
  const etag = (await request(id)).headers.get('etag') ?? ''
  expect(etag).toMatch(/^(?:W\/)?".+"$/)
  const revalidate = (tag: string) => request(id, { headers: { 'if-none-match': tag } })
  const unchanged = await revalidate(etag)
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect(unchanged.headers.get('etag')).toBe(etag)
  expect(unchanged.headers.get('cache-control')).toBe('public, max-age=60')
  expect((await revalidate('"other"')).status).toBe(200)
  await saveSettings(owner, { name: 'City' })
  const changed = await revalidate(etag)
  expect(changed.status).toBe(200)
  expect(((await changed.json()) as Skin).name).toBe('City')
})

test('other methods get 405 with Allow', async () => {
  const { public_id: id } = await buildServer(await createSupporter(app, admin))
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const rejected = await request(id, { method })
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await rejected.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
  }
  const preflight = await request(id, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

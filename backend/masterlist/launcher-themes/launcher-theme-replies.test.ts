/** Replies with a theme: encodings, images, limits and outages. */
import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import type { Skin } from '#contract/masterlist/masterlist.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { buildServer, storeImage } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { base64, createSupporter, saveSettings, storeBytes, uploadImage } from '#tests/launcher-themes.ts'
import { send } from '#tests/list/send.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const request = (id: string, init: RequestInit = {}) => fetch(`${app.listUrl}/servers/${id}/skin`, init)

async function themeOf(id: string): Promise<Skin> {
  const response = await request(id)
  expect(response.status).toBe(200)
  return (await response.json()) as Skin
}

test('a theme is compressed on request, with one ETag', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  const [splash, logo] = [randomBytes(400_000), randomBytes(30_000)]
  const splashImage = await uploadImage(app, owner.id, 'LAUNCHER_BACKGROUND', splash)
  await saveSettings(owner, {
    background_image_id: splashImage.id,
    logo_image_id: (await uploadImage(app, owner.id, 'LAUNCHER_LOGO', logo)).id,
  })
  const url = `${app.listUrl}/servers/${id}/skin`
  const read = (encoding?: string) => send(url, { headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })
  const plain = await read()
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
  expect(JSON.parse(plain.text)).toMatchObject({ imageSplash64: splash.toString('base64'), imageLogo64: logo.toString('base64') })
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const compressed = await read(encoding)
    expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual([encoding, 'Accept-Encoding'])
    expect([compressed.headers.etag, compressed.headers['cache-control']]).toEqual([plain.headers.etag, 'public, max-age=60'])
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length * 0.77)
    expect(unpack(compressed.bytes).equals(plain.bytes)).toBe(true)
    const unchanged = await send(url, { headers: { 'accept-encoding': encoding, 'if-none-match': plain.headers.etag ?? '' } })
    expect([unchanged.status, unchanged.text, unchanged.headers.vary]).toEqual([304, '', 'Accept-Encoding'])
  }
  const small = await createSupporter(app, admin)
  const { public_id: other } = await buildServer(small)
  await saveSettings(small, { name: 'n'.repeat(40), rss_url: `https://town.example/${'news'.repeat(30)}` })
  const [text, compressed] = [
    await send(`${app.listUrl}/servers/${other}/skin`),
    await request(other, { headers: { 'accept-encoding': 'br' } }),
  ]
  expect(compressed.headers.get('content-encoding')).toBe('br')
  expect(await compressed.json()).toEqual(JSON.parse(text.text))
})

test('an uploaded image reaches the launcher byte for byte', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  const png = await sharp({ create: { width: 200, height: 150, channels: 4, background: '#3fa2e980' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('purpose', 'LAUNCHER_LOGO')
  form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'logo.png')
  const uploaded = await owner.fetch('/api/users/images', { method: 'POST', body: form })
  expect(uploaded.status).toBe(200)
  const { data } = (await uploaded.json()) as { data: { id: string; url: string } }
  await saveSettings(owner, { logo_image_id: data.id })
  const { imageLogo64, logoUrl } = await themeOf(id)
  expect(logoUrl).toBe(data.url)
  const bytes = Buffer.from(imageLogo64, 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 128, height: 128 })
  const served = await fetch(`${app.listUrl}${new URL(logoUrl).pathname}`)
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
})

test('a replaced image changes the ETag', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  await saveSettings(owner, { logo_image_id: (await uploadImage(app, owner.id, 'LAUNCHER_LOGO', 'old')).id })
  const old = await request(id)
  expect(((await old.json()) as Skin).imageLogo64).toBe(base64('old'))
  await saveSettings(owner, { logo_image_id: (await uploadImage(app, owner.id, 'LAUNCHER_LOGO', 'new')).id })
  const refreshed = await request(id, { headers: { 'if-none-match': old.headers.get('etag') ?? '' } })
  expect(((await refreshed.json()) as Skin).imageLogo64).toBe(base64('new'))
})

test('a lost image is omitted, and the incomplete theme must be revalidated each time', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  const [lost, logo] = [await storeImage(app, owner.id, 'LAUNCHER_BACKGROUND'), await uploadImage(app, owner.id, 'LAUNCHER_LOGO', 'logo')]
  await saveSettings(owner, { background_image_id: lost.id, logo_image_id: logo.id })
  const without = await request(id)
  expect([without.status, without.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  expect(await without.json()).toMatchObject({ imageSplash64: '', imageLogo64: base64('logo') })
  const revalidate = () => request(id, { headers: { 'if-none-match': without.headers.get('etag') ?? '' } })
  expect([(await revalidate()).status, (await revalidate()).headers.get('etag')]).toEqual([304, without.headers.get('etag')])
  // The size differs from the uploaded one: the file is truncated.
  await createStorage(app.env).put(lost.file, Buffer.from('found'), 'image/png')
  expect(await themeOf(id)).toMatchObject({ imageSplash64: '' })
  await storeBytes(app, lost, 'found')
  const complete = await revalidate()
  expect([complete.status, complete.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  expect(complete.headers.get('etag')).not.toBe(without.headers.get('etag'))
  expect(await complete.json()).toMatchObject({ imageSplash64: base64('found') })
})

test('a theme gets 503 while the storage is unavailable', async () => {
  const variables = { IMAGES_URL: 'http://127.0.0.1:9/bucket', IMAGES_ACCESS_KEY_ID: 'key', IMAGES_SECRET_ACCESS_KEY: 'secret' }
  const unavailable = await startApp(variables)
  const owner = await unavailable.newUser()
  await unavailable.db.updateTable('users').set({ forced_tier: 'DIAMOND_ALTRUIST' }).where('id', '=', owner.id).execute()
  const { public_id: id } = await buildServer(owner)
  const logo = await storeImage(unavailable, owner.id, 'LAUNCHER_LOGO')
  await saveSettings(owner, { logo_image_id: logo.id })
  const rejected = await fetch(`${unavailable.listUrl}/servers/${id}/skin`)
  expect(rejected.status).toBe(503)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(rejected.headers.get('etag')).toBeNull()
  expect(await rejected.json()).toMatchObject({ code: 'UNAVAILABLE' })
  expect(unavailable.takeLogs()).not.toEqual([])
})

test('HEAD has the headers of GET without a body, and its ETag is valid even for a theme with a lost image', async () => {
  const owner = await createSupporter(app, admin)
  const { public_id: id } = await buildServer(owner)
  // Connection headers depend on the client's request headers, which differ for HEAD. Request IDs are unique.
  const headers = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => !/^(?:date|connection|keep-alive|x-request-id)$/.test(name)))
  for (const bytes of ['', 'a', 'ab', 'abc', 'abcd'.repeat(100_000)]) {
    const logo = bytes === '' ? null : await uploadImage(app, owner.id, 'LAUNCHER_LOGO', bytes)
    await saveSettings(owner, { name: 'Grüße ', logo_image_id: logo?.id ?? null })
    const compressed = [await request(id, { method: 'HEAD' }), await request(id)].map((response) => headers(response))
    // The compressed length is unknown in advance.
    expect(compressed[1]).toEqual({ ...compressed[0], 'transfer-encoding': 'chunked' })
    expect(compressed[0]).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    const plain = { headers: { 'accept-encoding': 'identity' } }
    const [head, whole] = [await request(id, { ...plain, method: 'HEAD' }), await request(id, plain)]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(headers(head)).toEqual(headers(whole))
    const body = await whole.text()
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
    const texts = 'id name rss uiUrl primaryColor servers splashUrl logoUrl backgroundUrl'
    expect(Object.keys(JSON.parse(body) as Skin)).toEqual(`${texts} imageSplash64 imageLogo64 imageBackground64`.split(' '))
    expect((JSON.parse(body) as Skin).imageLogo64).toBe(base64(bytes))
  }
  const lost = await storeImage(app, owner.id, 'LAUNCHER_BACKGROUND')
  await saveSettings(owner, { background_image_id: lost.id })
  const head = await request(id, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect((await request(id, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })).status).toBe(304)
})

test('an address that reads themes too often gets 429 with Retry-After', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const read = () => fetch(`${limited.listUrl}/servers/zzzzzzz/skin`)
  let last = await read()
  for (let reads = 0; reads < 300 && last.status === 404; reads += 1) last = await read()
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  limited.clock.advance(10_000)
  expect((await read()).status).toBe(404)
})

test('an address can read two themes at once, and another after one has ended', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const owner = await limited.newUser()
  await limited.db.updateTable('users').set({ forced_tier: 'DIAMOND_ALTRUIST' }).where('id', '=', owner.id).execute()
  const { public_id: id } = await buildServer(owner)
  const image = await storeImage(limited, owner.id, 'LAUNCHER_UI_BACKGROUND')
  const bytes = Buffer.alloc(9_000_000, 7)
  await limited.db.updateTable('images').set({ bytes: bytes.length }).where('id', '=', image.id).execute()
  await createStorage(limited.env).put(image.file, bytes, 'image/png')
  await saveSettings(owner, { ui_background_image_id: image.id })
  const { port, hostname } = new URL(limited.listUrl)
  const readers = [1, 2].map(() => connect(Number(port), hostname).on('error', () => undefined))
  for (const reader of readers) reader.pause().write(`GET /servers/${id}/skin HTTP/1.1\r\nHost: x\r\n\r\n`)
  const read = async (method = 'GET') => {
    const response = await fetch(`${limited.listUrl}/servers/${id}/skin`, { method })
    await response.body?.cancel()
    return response
  }
  await expect.poll(async () => (await read()).status).toBe(429)
  const rejected = await fetch(`${limited.listUrl}/servers/${id}/skin`)
  expect(await rejected.json()).toMatchObject({ code: 'TOO_MANY_UNREAD' })
  expect([Number(rejected.headers.get('retry-after')) > 0, rejected.headers.get('access-control-expose-headers')]).toEqual([
    true,
    'Retry-After, X-Request-Id',
  ])
  // HEAD has no body in flight, so it does not count.
  expect((await read('HEAD')).status).toBe(200)
  readers[0]?.destroy()
  await expect.poll(async () => (await read()).status).toBe(200)
  readers[1]?.destroy()
})

test('without the database a theme is served from the cache with Age, and an uncached theme gets 503', async () => {
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  onTestFinished(() => proxy.close())
  const cut = await startApp({ LOG_LEVEL: 'warn' }, { postgres: proxy.connection })
  const owner = await cut.newUser()
  await cut.db.updateTable('users').set({ forced_tier: 'DIAMOND_ALTRUIST' }).where('id', '=', owner.id).execute()
  const [cached, uncached] = [await buildServer(owner), await buildServer(owner)]
  await saveSettings(owner, { name: 'Town' })
  const read = ({ public_id: id }: ServerWithCredential, headers = {}) => fetch(`${cut.listUrl}/servers/${id}/skin`, { headers })
  const before = await read(cached)
  expect([before.status, before.headers.get('age')]).toEqual([200, null])
  proxy.cut()
  cut.clock.advance(90_000)
  const during = await read(cached)
  expect([during.status, await during.text()]).toEqual([200, await before.text()])
  expect(Number(during.headers.get('age'))).toBeGreaterThanOrEqual(90)
  const unchanged = await read(cached, { 'if-none-match': before.headers.get('etag') ?? '' })
  expect([unchanged.status, Number(unchanged.headers.get('age')) >= 90]).toEqual([304, true])
  const rejected = await read(uncached)
  expect([rejected.status, Number(rejected.headers.get('retry-after')) > 0]).toEqual([503, true])
  expect(rejected.headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id')
  proxy.restore()
  await expect.poll(async () => (await read(uncached)).status).toBe(200)
  await expect.poll(async () => (await read(cached)).headers.get('age')).toBeNull()
  cut.takeLogs()
})

/** Badge, QR code and preview image of a server: who has them, their headers, and what they show. */
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Image, upload } from '#contract/servers/images.ts'
import { leave } from '#contract/masterlist/masterlist.ts'
import { parseRoute } from '#contract/api/endpoint.ts'
import * as servers from '#contract/servers/servers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import { buildServer, newName, setTier, storeImage } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type RawResponse, announceFrom, send } from '#tests/list/send.ts'

const DAY_MS = 86_400_000

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function announcedServer() {
  const owner = await app.newUser()
  const name = `Seagull ${newName()}`
  const server = await buildServer(owner, { name, language: 'de', game_mode: 'Roleplay' })
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  await announceFrom(app, server.credential, { playersCount: 37, maxPlayersCount: 128 })
  return { owner, id: server.public_id, credential: server.credential }
}

const badge = (id: string, query = '', headers = {}) => send(`${app.listUrl}/servers/${id}/badge.svg${query}`, { headers })
const qrCode = (id: string, headers = {}) => send(`${app.panelUrl}/s/${id}/qr.svg`, { headers })
const ogImage = (id: string, headers = {}) => send(`${app.panelUrl}/s/${id}/og.png`, { headers })
const all = (id: string) => Promise.all([badge(id), qrCode(id), ogImage(id)])
const statusesOf = (responses: readonly RawResponse[]) => responses.map(({ status }) => status)

/** The colour of a pixel. */
async function pixelOf({ bytes }: RawResponse, left: number, top: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

test('a server that is unknown, never announced, hidden, banned or deleted has no picture and no name, even if it had', async () => {
  const change = async (act: (server: Awaited<ReturnType<typeof announcedServer>>) => Promise<{ status: number }>) => {
    const server = await announcedServer()
    // Nothing may come from a cache.
    expect(statusesOf(await all(server.id))).toEqual([200, 200, 200])
    expect((await act(server)).status).toBeLessThan(300)
    return server.id
  }
  const ids = [
    'Nobody1',
    (await buildServer(await app.newUser())).public_id,
    await change(({ owner, id }) => owner.call(servers.change, { params: { id }, body: { visible: false } })),
    await change(({ id }) => admin.call(banServer, { params: { id }, body: { banned: true } })),
    await change(({ owner, id }) => owner.call(servers.remove, { params: { id } })),
  ]
  for (const id of ids) {
    const responses = await all(id)
    expect(statusesOf(responses)).toEqual([404, 404, 404])
    expect(responses.map(({ text }) => text).join('')).not.toMatch(/seagull|Server .* of the tests/i)
    // A page that embeds the badge shows something.
    expect(responses[0]?.headers['content-type']).toContain('image/svg+xml')
    expect(responses[0]?.text).toContain('not found')
    expect(responses.map(({ headers }) => headers['cache-control'])).toEqual(['public, max-age=10, s-maxage=10', 'no-store', 'no-store'])
  }
})

describe('the badge', () => {
  test('shows the players or "offline", in each style, by public and vanity ID', async () => {
    const { owner, id, credential } = await announcedServer()
    await owner.call(servers.change, { params: { id }, body: { vanity_url: 'badge-here' } })
    for (const path of [id, 'badge-here', '@Badge-Here']) expect((await badge(path)).text).toContain('37/128')
    const plain = await badge(id)
    expect(plain.bytes.length).toBeLessThan(2048)
    expect(plain.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=10, s-maxage=10',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect((await badge(id, '', { 'if-none-match': plain.headers.etag ?? '' })).status).toBe(304)
    const styles = await Promise.all(['flat', 'flat-square', 'for-the-badge'].map((style) => badge(id, `?style=${style}`)))
    expect(new Set(styles.map(({ text }) => text)).size).toBe(3)
    const { method, path } = parseRoute(leave.route)
    await send(app.listUrl + path, { method, headers: { authorization: `Bearer ${credential}` } })
    expect((await badge(id)).text).toContain('offline')
  })

  test('has a label of the caller, escaped', async () => {
    const { id } = await announcedServer()
    const { text } = await badge(id, `?label=${encodeURIComponent('<script>"&')}`)
    expect(text).toContain('&lt;script&gt;&quot;&amp;')
    expect(text).not.toContain('<script')
    expect((await badge(id, `?label=${encodeURIComponent('玩'.repeat(64))}`)).bytes.length).toBeLessThan(3072)
  })

  test('is flat if the style is unknown, and cuts a label after 64 characters', async () => {
    const { id } = await announcedServer()
    const flat = await badge(id, '?style=flat')
    for (const style of ['plastic', '', 'social', '../x', 'flat&style=for-the-badge'])
      expect((await badge(id, `?style=${style}`)).text).toBe(flat.text)
    const cut = await badge(id, `?label=${'😀'.repeat(64)}`)
    expect([cut.status, (await badge(id, `?label=${'😀'.repeat(65)}`)).text]).toEqual([200, cut.text])
    expect((await badge(id, `?label=${'a'.repeat(3000)}`)).text).toBe((await badge(id, `?label=${'a'.repeat(64)}`)).text)
  })

  test('rejects a label that has invisible characters', async () => {
    const { id } = await announcedServer()
    for (const [query, sentence] of [
      ['label=a%E2%80%AEb', 'label'],
      ['label=a%00b', 'label'],
      ['label=a%E2%81%A5b', 'U+2065'],
      ['label=a&label=b', 'label'],
    ] as const) {
      const { status, headers, text } = await badge(id, `?${query}`)
      expect([query, status, headers['cache-control']]).toEqual([query, 400, 'no-store'])
      expect(text).toContain(sentence)
    }
    expect(await send(`${app.listUrl}/servers/${id}/badge.svg`, { method: 'POST' })).toMatchObject({ status: 405 })
  })
})

test('the QR code is an SVG with a white border, and has an ETag', async () => {
  const { id } = await announcedServer()
  const code = await qrCode(id)
  expect(code.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=60, s-maxage=60',
    'cross-origin-resource-policy': 'cross-origin',
  })
  const { data, info } = await sharp(code.bytes, { density: 300 }).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect([data[0], Math.min(...data), info.width]).toEqual([255, 0, info.height])
  expect((await qrCode(id, { 'if-none-match': code.headers.etag ?? '' })).status).toBe(304)
})

describe('the preview image', () => {
  test('is a PNG of 1200x630 with the icon, drawn once for concurrent requests, and again if anything changes', async () => {
    const { owner, id, credential } = await announcedServer()
    const form = new FormData()
    form.set('purpose', 'SERVER_ICON')
    const red = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#d02010' } })
      .webp()
      .toBuffer()
    form.set('file', new Blob([red], { type: 'image/webp' }), 'icon.webp')
    const uploaded = await owner.fetch(parseRoute(upload.route).path, { method: 'POST', body: form })
    const { data: icon } = (await uploaded.json()) as { data: Image }
    const changed = await owner.call(servers.change, { params: { id }, body: { icon_image_id: icon.id, vanity_url: 'image-here' } })
    expect(changed.status, changed.text).toBe(200)
    const images = await Promise.all([id, 'image-here', id].map((path) => ogImage(path)))
    const [image] = images
    expect(statusesOf(images)).toEqual([200, 200, 200])
    expect(image?.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(new Set(images.map(({ headers }) => headers.etag)).size).toBe(1)
    expect(await sharp(image?.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    const [r = 0, g = 0] = image === undefined ? [] : await pixelOf(image, 160, 250)
    expect([r > 180, g < 60]).toEqual([true, true])
    expect((await ogImage(id, { 'if-none-match': image?.headers.etag ?? '' })).status).toBe(304)
    await announceFrom(app, credential, { playersCount: 38, maxPlayersCount: 128 })
    expect((await ogImage(id, { 'if-none-match': image?.headers.etag ?? '' })).headers.etag).not.toBe(image?.headers.etag)
  })

  test('is drawn without an icon whose file is missing', async () => {
    const { owner, id } = await announcedServer()
    const icon = await storeImage(app, owner.id, 'SERVER_ICON')
    await owner.call(servers.change, { params: { id }, body: { icon_image_id: icon.id } })
    expect((await ogImage(id)).status).toBe(200)
  })

  test('an existing one is free of the limit for new ones', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const server = await buildServer(await limited.newUser())
    const image = () => send(`${limited.panelUrl}/s/${server.public_id}/og.png`)
    const statuses: number[] = []
    await announceFrom(limited, server.credential, { playersCount: 1 })
    for (let count = 0; count < 100; count += 1) statuses.push((await image()).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

test('PUBLIC_SITE=off removes all of it', async () => {
  const off = await startApp({ PUBLIC_SITE: 'off' })
  const server = await buildServer(await off.newUser())
  await announceFrom(off, server.credential)
  const urls = [
    `${off.listUrl}/servers/${server.public_id}/badge.svg`,
    ...['qr.svg', 'og.png'].map((file) => `${off.panelUrl}/s/${server.public_id}/${file}`),
  ]
  for (const url of urls) {
    const { status, headers } = await send(url)
    expect([url, status, headers['content-type']?.includes('json')]).toEqual([url, 404, true])
  }
})

test('the pictures of an offline server disappear after 30 days', async () => {
  const { id, credential } = await announcedServer()
  await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
  app.clock.advance(29 * DAY_MS)
  expect(statusesOf(await all(id))).toEqual([200, 200, 200])
  app.clock.advance(DAY_MS)
  expect(statusesOf(await all(id))).toEqual([404, 404, 404])
})

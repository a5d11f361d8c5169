/** The list over HTTP: rows, order, encodings, caching, single servers, and CORS. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { ListedServer } from '#contract/masterlist/masterlist.ts'
import { LIST_FIELDS } from '#contract/servers/server-field-shapes.ts'
import { buildServer, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

/** A shared cache may hold the list for a second. */
const SHARED = 'public, max-age=0, s-maxage=1, must-revalidate'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

/** Removes all servers of previous tests. */
beforeEach(async () => {
  const { data } = await owner.call(servers.list)
  for (const { public_id: id } of data.owned) await owner.call(servers.remove, { params: { id } })
  await expect.poll(() => readList(app)).toEqual([])
})

async function expectPublished(count: number): Promise<void> {
  await expect.poll(async () => (await readList(app)).length).toBe(count)
}

async function onlineServer(body: Record<string, unknown> = {}, fields: Parameters<typeof buildServer>[1] = {}) {
  const server = await buildServer(owner, fields)
  const { status } = await announceFrom(app, server.credential, body)
  expect(status).toBe(200)
  return server
}

describe('GET /servers', () => {
  test('returns an announced server with exactly the public fields', async () => {
    const { credential, public_id, name } = await onlineServer(
      { queueCount: 3, gameMode: 'Freeroam', useVoiceChat: true },
      { description: 'Hello', tags: ['rp', 'de'], website: 'example.com', language: 'de', region: 'eu-west' },
    )
    await expectPublished(1)
    const [row] = await readList(app)
    expect(ListedServer.strict().parse(row)).toEqual({
      ...Object.fromEntries(LIST_FIELDS.map((field) => [field.name, field.initial ?? ''])),
      publicId: public_id,
      name,
      playersCount: 12,
      playersConfirmed: true,
      maxPlayersCount: 128,
      queueCount: 3,
      passworded: false,
      port: portOf(credential),
      address: `127.0.0.1:${portOf(credential)}`,
      addresses: [`127.0.0.1:${portOf(credential)}`],
      host: '',
      language: 'de',
      region: 'eu-west',
      useEarlyAuth: false,
      earlyAuthUrl: '',
      useCdn: false,
      cdnUrl: '',
      useVoiceChat: true,
      version: '15.57',
      branch: 'release',
      available: true,
      banned: false,
      vanityUrl: '',
      website: 'https://example.com',
      gameMode: 'Freeroam',
      description: 'Hello',
      tags: ['rp', 'de'],
      lastTimeUpdate: row?.lastTimeUpdate,
      verified: false,
      promoted: false,
      visible: true,
      hasCustomSkin: false,
      bannerUrl: '',
      masterlist_icon_url: null,
      masterlist_banner_url: null,
      joinBackgroundUrl: '',
      group: null,
    })
    expect(JSON.stringify(row)).not.toContain(owner.id)
  })

  test('prefers the owner’s game mode over the announced one', async () => {
    const { public_id } = await onlineServer({ gameMode: 'Freeroam' }, { game_mode: 'Roleplay' })
    expect((await readOne(app, public_id)).gameMode).toBe('Roleplay')
  })

  test('is sorted: promoted first, then by players, then by name', async () => {
    const names = { promoted: 'Promoted one', full: 'Full house', alpha: 'Alpha', beta: 'Beta' }
    await onlineServer({ playersCount: 5 }, { name: names.beta })
    await onlineServer({ playersCount: 5 }, { name: names.alpha })
    await onlineServer({ playersCount: 100 }, { name: names.full })
    await onlineServer({ playersCount: 1 }, { name: names.promoted, promoted: true })
    await expectPublished(4)
    expect((await readList(app)).map((row) => row.name)).toEqual([names.promoted, names.full, names.alpha, names.beta])
  })

  test('filters by ?branch=: an unknown branch is empty, a too long one is rejected', async () => {
    const release = await onlineServer()
    const rc = await onlineServer({ branch: 'rc' })
    await expectPublished(2)
    expect((await readList(app, '?branch=release')).map((row) => row.publicId)).toEqual([release.public_id])
    expect((await readList(app, '?branch=rc')).map((row) => row.publicId)).toEqual([rc.public_id])
    expect(await readList(app, '?branch=dev')).toEqual([])
    expect(await readList(app, '?branch=__proto__')).toEqual([])
    expect((await readList(app, '?branch=')).length).toBe(2)
    expect((await send(`${app.listUrl}/servers?branch=${'x'.repeat(33)}`)).status).toBe(400)
  })

  test('has the same content in gzip, brotli and identity, with one ETag and Vary', async () => {
    await onlineServer()
    await expectPublished(1)
    const [plain, gzip, brotli] = await Promise.all(
      ['', 'gzip', 'gzip, deflate, br'].map((accept) =>
        send(`${app.listUrl}/servers`, { headers: { ...(accept !== '' && { 'accept-encoding': accept }) } }),
      ),
    )
    expect([plain, gzip, brotli].map((response) => response?.headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(plain?.text)
    expect(brotliDecompressSync(brotli?.bytes ?? '').toString()).toBe(plain?.text)
    expect(new Set([plain, gzip, brotli].map((response) => response?.headers.etag)).size).toBe(1)
    for (const response of [plain, gzip, brotli]) {
      expect(response?.headers).toMatchObject({
        vary: 'Accept-Encoding',
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'cache-control': SHARED,
      })
      expect(Number(response?.headers['content-length'])).toBe(response?.bytes.length)
    }
  })

  test('returns 304 for a known ETag, and 200 once a visible field has changed', async () => {
    const { credential } = await onlineServer()
    await expectPublished(1)
    const {
      headers: { etag = '' },
    } = await send(`${app.listUrl}/servers`)
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const revalidated = await send(`${app.listUrl}/servers`, { headers: { 'if-none-match': known } })
      expect([revalidated.status, revalidated.bytes.length]).toEqual([304, 0])
      expect(revalidated.headers).toMatchObject({ etag, vary: 'Accept-Encoding', 'cache-control': SHARED })
    }
    await announceFrom(app, credential)
    await announceFrom(app, credential, { playersCount: 13 })
    await expect.poll(async () => (await send(`${app.listUrl}/servers`, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })

  test('returns the headers of GET for HEAD', async () => {
    await onlineServer()
    await expectPublished(1)
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => send(`${app.listUrl}/servers`, { method })))
    expect(head?.status).toBe(200)
    expect(head?.bytes.length).toBe(0)
    expect([head?.headers.etag, head?.headers['content-length']]).toEqual([get?.headers.etag, get?.headers['content-length']])
  })

  test('keeps bytes and ETag while servers only stay online', async () => {
    const { credential } = await onlineServer()
    await expectPublished(1)
    const { headers } = await send(`${app.listUrl}/servers`)
    app.clock.advance(30_000)
    await announceFrom(app, credential)
    app.clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect((await send(`${app.listUrl}/servers`)).headers.etag).toBe(headers.etag)
  })
})

describe('the other reads', () => {
  test('GET /servers/info returns the totals with an ETag', async () => {
    await onlineServer({ playersCount: 7 })
    await onlineServer({ playersCount: 5 })
    await expectPublished(2)
    const info = await send(`${app.listUrl}/servers/info`)
    expect(JSON.parse(info.text)).toEqual({ serversCount: 2, playersCount: 12 })
    expect(info.headers['cache-control']).toBe(SHARED)
    expect((await send(`${app.listUrl}/servers/info`, { headers: { 'if-none-match': info.headers.etag ?? '' } })).status).toBe(304)
  })

  test('GET /servers/{id} finds by public ID and by vanity ID, with one ETag', async () => {
    const { public_id } = await onlineServer({}, { vanity_url: 'dallas' })
    const one = await send(`${app.listUrl}/servers/${public_id}`)
    expect(ListedServer.strict().parse(JSON.parse(one.text))).toMatchObject({ publicId: public_id, vanityUrl: 'dallas', available: true })
    expect(one.headers['cache-control']).toBe('public, no-cache')
    expect((await readOne(app, 'dallas')).publicId).toBe(public_id)
    expect((await send(`${app.listUrl}/servers/dallas`, { headers: { 'if-none-match': one.headers.etag ?? '' } })).status).toBe(304)
    expect((await send(`${app.listUrl}/servers/dallas`, { method: 'HEAD' })).status).toBe(200)
  })

  test('GET /servers/{id} returns servers that are offline, hidden or have never announced', async () => {
    const unannounced = await buildServer(owner)
    expect(ListedServer.strict().parse(await readOne(app, unannounced.public_id))).toMatchObject({
      available: false,
      address: '',
      version: '',
      playersCount: 0,
      maxPlayersCount: 0,
      port: 0,
    })
    const hidden = await onlineServer({}, { visible: false })
    expect(await readOne(app, hidden.public_id)).toMatchObject({ available: true, visible: false })
    const left = await onlineServer()
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${left.credential}` } })
    expect(await readOne(app, left.public_id)).toMatchObject({
      available: false,
      playersCount: 0,
      address: `127.0.0.1:${portOf(left.credential)}`,
    })
  })

  test('a vanity ID works only while the owner has the benefit', async () => {
    const { public_id } = await onlineServer({}, { vanity_url: 'tulsa' })
    const setTier = async (owned_tier: string | null) => {
      await app.db.updateTable('users').set({ owned_tier }).where('id', '=', owner.id).execute()
      await owner.call(servers.change, { params: { id: public_id }, body: { description: owned_tier ?? 'none' } })
    }
    await setTier(null)
    expect((await send(`${app.listUrl}/servers/tulsa`)).status).toBe(404)
    await setTier('DIAMOND_ALTRUIST')
    expect((await readOne(app, 'tulsa')).publicId).toBe(public_id)
  })

  test('unknown addresses get 404 and wrong methods 405, both in the envelope', async () => {
    for (const [method, path, status, code] of [
      ['GET', '/servers/AAAAAAA', 404, 'NO_SUCH_SERVER'],
      ['GET', '/nothing', 404, 'NOT_FOUND'],
      ['GET', '/servers/%ff', 404, 'NOT_FOUND'],
      ['GET', `/servers/${'x'.repeat(500)}`, 404, 'NOT_FOUND'],
      ['PUT', '/servers', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/servers', 405, 'METHOD_NOT_ALLOWED'],
      ['GET', '/announce', 405, 'METHOD_NOT_ALLOWED'],
      ['PROPFIND', '/servers', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/servers/info', 405, 'METHOD_NOT_ALLOWED'],
      ['POST', '/healthz', 405, 'METHOD_NOT_ALLOWED'],
    ] as const) {
      const response = await send(`${app.listUrl}${path}`, { method })
      expect([method, path, response.status], response.text).toEqual([method, path, status])
      expect(JSON.parse(response.text), path).toMatchObject({ statusCode: status, code, isBusiness: false })
      expect(response.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('any page may read the list: CORS is open, and preflights succeed', async () => {
    for (const path of ['/servers', '/servers/info', '/servers/abc', '/servers/stream', '/openapi.json']) {
      const preflight = await send(`${app.listUrl}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://example.com',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
      })
      expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
      // Any header but Authorization, such as sentry-trace and Cache-Control of a page's tools.
      expect(preflight.headers['access-control-allow-headers']).toBe('*')
    }
    expect((await send(`${app.listUrl}/servers`)).headers['access-control-expose-headers']).toContain('ETag')
  })
})

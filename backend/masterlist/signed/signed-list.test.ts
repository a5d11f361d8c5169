/** `/signed/…` over HTTP, read with the SDK and by hand. */
import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { list } from '#sdk/list/index.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'

const keys = signingKeys()
let app: TestApp
let owner: SignedInUser

interface Head {
  version: number
  time: string
  expires: string
  chunks: { sha256: string; bytes: number }[]
  mirrors: string[]
}

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') => send(`${app.listUrl}${path}`, { headers, method })
const headOf = async () => JSON.parse((await read('/signed/head')).text.split('\n', 1)[0] ?? '') as Head
const metric = async (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec((await read('/metrics')).text)?.[1]

/** The next head is due. */
const nextSecond = () => app.clock.advance(1100)

async function join(name: string): Promise<string> {
  const { credential, public_id: id } = await buildServer(owner, { name })
  expect((await announceFrom(app, credential)).status).toBe(200)
  await expect.poll(async () => (await readList(app)).some(({ publicId }) => publicId === id)).toBe(true)
  nextSecond()
  return id
}

beforeAll(async () => {
  app = await startApp({ ...keys.variables, MIRRORS: 'https://a.example/, https://b.example' })
  owner = await fleetOwner(app)
})

test('nothing is signed until someone reads', async () => {
  expect(await metric('muster_signed_head_age_seconds')).toBe('Nan')
  const { mirrors, chunks, time, expires, version } = await headOf()
  expect({ mirrors, chunks }).toEqual({ mirrors: ['https://a.example', 'https://b.example'], chunks: [] })
  expect(Date.parse(expires) - Date.parse(time)).toBe(24 * 3_600_000)
  expect(version).toBe(Date.parse(time))
  expect(Number(await metric('muster_signed_head_age_seconds'))).toBeLessThan(60)
})

test('the SDK verifies the list, and finds the rows of GET /servers', async () => {
  await join('Bürgermeister Ölmühle 🌊')
  await join('Harbour')
  const { servers, version, time, source } = await list({ url: app.listUrl, publicKey: keys.publicKey, now: () => app.clock.now() }).read()
  expect(servers).toEqual(await readList(app))
  expect(servers).toHaveLength(2)
  expect([Date.parse(time), source]).toEqual([version, app.listUrl])
})

test('readers of one second share a head, and its version rises although the clock was set back', async () => {
  nextSecond()
  const [first, second] = await Promise.all([headOf(), headOf()])
  expect(second.version).toBe(first.version)
  app.clock.setClockError(-3_600_000)
  nextSecond()
  const { version, time } = await headOf()
  app.clock.setClockError(0)
  expect(version).toBe(first.version + 1)
  expect(Date.parse(time)).toBeLessThan(first.version)
})

test('a chunk is immutable, comes in each encoding, and stays for two minutes after its last head', async () => {
  const {
    chunks: [chunk],
  } = await headOf()
  const path = `/signed/chunks/${chunk?.sha256}`
  const plain = await read(path)
  expect([hash('sha256', plain.bytes), plain.bytes.length]).toEqual([chunk?.sha256, chunk?.bytes])
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'content-type': 'application/json',
    'content-length': String(chunk?.bytes),
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  expect(gunzipSync((await read(path, { 'accept-encoding': 'gzip' })).bytes)).toEqual(plain.bytes)
  expect(brotliDecompressSync((await read(path, { 'accept-encoding': 'br' })).bytes)).toEqual(plain.bytes)
  await join('Lighthouse')
  expect((await headOf()).chunks).not.toContainEqual(chunk)
  expect((await read(path)).status).toBe(200)
  app.clock.advance(120_000)
  expect(JSON.parse((await read(path)).text)).toMatchObject({ statusCode: 404, code: 'NO_SUCH_CHUNK' })
})

test('each file answers HEAD, conditional requests and preflights, and rejects other methods', async () => {
  const { chunks } = await headOf()
  for (const path of ['/signed/head', '/signed/keys', `/signed/chunks/${chunks[0]?.sha256}`]) {
    const full = await read(path)
    const bare = await read(path, {}, 'HEAD')
    expect([bare.status, bare.text, bare.headers['content-length']]).toEqual([200, '', String(full.bytes.length)])
    const unchanged = await read(path, { 'if-none-match': full.headers.etag ?? '' })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    expect((await read(path, {}, 'OPTIONS')).headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect((await read(path, {}, 'POST')).status).toBe(405)
  }
  expect((await read('/signed/keys')).text).toBe(keys.notes.text)
  for (const name of ['0', 'A'.repeat(64), '0'.repeat(64)])
    expect(JSON.parse((await read(`/signed/chunks/${name}`)).text)).toMatchObject({ code: 'NO_SUCH_CHUNK' })
})

test('without a key, the list is not signed, and says what to read instead', async () => {
  const other = await startApp()
  for (const path of ['/signed/head', '/signed/keys', `/signed/chunks/${'0'.repeat(64)}`]) {
    const { status, text } = await send(`${other.listUrl}${path}`)
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: 'NOT_SIGNED' })])
  }
  expect((await send(`${other.listUrl}/metrics`)).text).not.toContain('muster_signed')
})

test('a key that ends soon is logged, and after its end the list is not signed, but served', async () => {
  const other = await startApp(signingKeys(13).variables)
  expect(other.takeLogs()).toEqual([expect.stringContaining('signing key expires soon')])
  other.clock.advance(14 * 86_400_000)
  const { status, text, headers } = await send(`${other.listUrl}/signed/head`)
  expect([status, JSON.parse(text), headers['retry-after']]).toEqual([503, expect.objectContaining({ code: 'SIGNING_KEY_ENDED' }), '5'])
  await other.runJob('check-signing-key')
  expect(other.takeLogs().filter((line) => line.includes('signing key has expired'))).toHaveLength(1)
  expect((await send(`${other.listUrl}/servers`)).status).toBe(200)
})

/** Deltas over HTTP, for readers that poll. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { ListDelta, type ListedServer } from '#contract/masterlist/masterlist.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type SendOptions, announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

async function newServer() {
  const server = await buildServer(owner, { tags: ['rp'] })
  expect((await announceFrom(app, server.credential)).status).toBe(200)
  await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).toContain(server.public_id)
  return server
}

async function wholeList(): Promise<{ rows: Map<string, ListedServer>; version: string }> {
  const { text, headers } = await send(`${app.listUrl}/servers`)
  const rows = (JSON.parse(text) as ListedServer[]).map((row) => [row.publicId, row] as const)
  return { rows: new Map(rows), version: String(headers['x-list-version']) }
}

const since = (version: string, options: SendOptions = {}) => send(`${app.listUrl}/servers?since=${version}`, options)

async function deltaSince(version: string): Promise<ListDelta> {
  const response = await since(version)
  expect(response.status, response.text).toBe(200)
  const delta = ListDelta.strict().parse(JSON.parse(response.text))
  expect(response.headers['x-list-version']).toBe(delta.version)
  return delta
}

/** Applies a delta as described in docs/api.md. */
function applyDelta(rows: Map<string, ListedServer>, { changed, removed }: ListDelta): void {
  for (const change of changed) rows.set(change.publicId, { ...rows.get(change.publicId), ...change } as ListedServer)
  for (const id of removed) rows.delete(id)
}

test('a delta with added, changed and removed servers, applied to a list, gives the current list', async () => {
  const [unchanged, fuller, edited, deleted] = [await newServer(), await newServer(), await newServer(), await newServer()]
  const known = await wholeList()
  await announceFrom(app, fuller.credential, { playersCount: 99 })
  await owner.call(servers.change, { params: { id: edited.public_id }, body: { region: 'oceania' } })
  await owner.call(servers.remove, { params: { id: deleted.public_id } })
  const added = await newServer()
  await expect.poll(async () => (await deltaSince(known.version)).changed.length).toBe(3)
  const delta = await deltaSince(known.version)
  expect(delta.removed).toEqual([deleted.public_id])
  const changes = new Map(delta.changed.map((change) => [change.publicId, change]))
  expect(Object.keys(changes.get(fuller.public_id) ?? {})).toEqual(['publicId', 'playersCount', 'queueCount', 'lastTimeUpdate'])
  expect(changes.get(added.public_id)?.tags).toEqual(['rp'])
  expect(changes.get(edited.public_id)?.region).toBe('oceania')
  expect(changes.has(unchanged.public_id)).toBe(false)
  applyDelta(known.rows, delta)
  await expect.poll(async () => (await wholeList()).rows).toEqual(known.rows)
})

test('a delta without changes is empty, has the reader’s version, and gets 304 when revalidated', async () => {
  await newServer()
  const { version } = await wholeList()
  const delta = await deltaSince(version)
  expect(await deltaSince(delta.version)).toEqual({ version: delta.version, changed: [], removed: [] })
  const { headers } = await since(delta.version, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept-Encoding', 'content-type': 'application/json' })
  // A shared cache must not make deltas older.
  expect(headers['cache-control']).toBe('public, no-cache')
  const revalidated = await since(delta.version, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect([revalidated.status, revalidated.bytes.length]).toEqual([304, 0])
  const head = await since(delta.version, { method: 'HEAD' })
  expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, headers.etag])
})

test('an unchanged list gets 304 with a new version after a restart, and the previous version is too old', async () => {
  const other = await startApp()
  const server = await buildServer(await fleetOwner(other))
  await announceFrom(other, server.credential)
  await expect.poll(async () => (await readList(other)).length).toBe(1)
  const before = (await send(`${other.listUrl}/servers`)).headers
  await other.restart()
  await expect.poll(async () => (await readList(other)).length).toBe(1)
  const tooOld = await send(`${other.listUrl}/servers?since=${String(before['x-list-version'])}`)
  expect([tooOld.status, tooOld.headers['cache-control']]).toEqual([410, 'no-store'])
  const unchanged = await send(`${other.listUrl}/servers`, { headers: { 'if-none-match': before.etag ?? '' } })
  expect([unchanged.status, unchanged.headers['access-control-expose-headers']]).toEqual([304, 'ETag, X-List-Version, Age, X-Request-Id'])
  expect(unchanged.headers['x-list-version']).not.toBe(before['x-list-version'])
  expect((await send(`${other.listUrl}/servers?since=${String(unchanged.headers['x-list-version'])}`)).status).toBe(200)
})

test('longer deltas are compressed on request, and filtered lists, pages and columns have a valid version', async () => {
  const { version } = await wholeList()
  const created = await Promise.all(Array.from({ length: 5 }, () => buildServer(owner)))
  for (const { credential } of created) await announceFrom(app, credential)
  await expect.poll(async () => (await deltaSince(version)).changed.length).toBe(5)
  const [plain, gzip, br] = await Promise.all(
    ['identity', 'gzip', 'br'].map((accept) => since(version, { headers: { 'accept-encoding': accept } })),
  )
  expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(plain?.text)
  expect(brotliDecompressSync(br?.bytes ?? '').toString()).toBe(plain?.text)
  for (const query of ['?q=server', '?limit=2', '?format=columns']) {
    const { headers } = await send(`${app.listUrl}/servers${query}`)
    expect((await deltaSince(String(headers['x-list-version']))).changed.length, query).toBeLessThanOrEqual(5)
  }
})

test('versions that are too old, from another process or in the future get 410, invalid ones get 400', async () => {
  const [wall, , epoch] = (await wholeList()).version.split('.')
  for (const version of ['a.1.0123456789ab', `${wall}.zzzzz.${epoch}`, `${(2 ** 40).toString(36)}.1.ffffffffffff`, '1']) {
    const response = await since(version)
    expect([version, response.status, JSON.parse(response.text)]).toMatchObject([
      version,
      410,
      { code: 'VERSION_TOO_OLD', isBusiness: false },
    ])
    expect(response.headers['access-control-allow-origin']).toBe('*')
  }
  for (const version of ['', '%20', 'a%0Ab', 'x'.repeat(65), '%F0%9F%98%80', "'"]) {
    const response = await since(version)
    expect([version, response.status, JSON.parse(response.text)]).toMatchObject([version, 400, { code: 'QUERY_INVALID' }])
  }
})

test('an address can read 500 deltas at once, but polling without a pause gets 429', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const { headers } = await send(`${limited.listUrl}/servers`)
  const path = `${limited.listUrl}/servers?since=${String(headers['x-list-version'])}`
  const statuses: number[] = []
  // The rate limit refills less than this many requests use.
  while (!statuses.includes(429) && statuses.length < 10_000)
    statuses.push(...(await Promise.all(Array.from({ length: 100 }, () => send(path)))).map(({ status }) => status))
  expect(statuses.slice(0, 500)).toEqual(Array.from({ length: 500 }, () => 200))
  expect(statuses).toContain(429)
})

/** Changes of the list as server-sent events. */
import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { ListDelta } from '#contract/masterlist/masterlist.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { EventReader } from '#tests/list/event-reader.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

async function listen(query = '', headers: Readonly<Record<string, string>> = {}, target: Pick<TestApp, 'listUrl'> = app) {
  const reader = await EventReader.open(`${target.listUrl}/servers/stream${query}`, headers)
  onTestFinished(() => reader.close())
  return reader
}

async function onlineServer() {
  const server = await buildServer(owner)
  expect((await announceFrom(app, server.credential)).status).toBe(200)
  return server
}

const currentVersion = async () => String((await send(`${app.listUrl}/servers/info`)).headers['x-list-version'])

/** Whether an event changes or removes this server. */
const concerns =
  (id: string) =>
  ({ data }: { data: ListDelta }) =>
    data.removed.includes(id) || data.changed.some(({ publicId }) => publicId === id)

describe('a reader', () => {
  test('gets a reconnect delay, the starting version, and then each change', async () => {
    const reader = await listen()
    expect(reader.response.status).toBe(200)
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    })
    const first = await reader.next()
    expect(first.data).toEqual({ version: first.id, changed: [], removed: [] })
    expect(reader.retries).toHaveLength(1)
    expect(reader.retries[0]).toBeGreaterThanOrEqual(1000)

    const { public_id: id, credential } = await onlineServer()
    const added = await reader.next(concerns(id))
    expect(ListDelta.strict().parse(added.data).version).toBe(added.id)
    expect(added.data.changed).toMatchObject([{ publicId: id, playersCount: 12, available: true, tags: [] }])

    await announceFrom(app, credential, { playersCount: 13 })
    const changed = await reader.next(concerns(id))
    expect(changed.data.changed.map((change) => Object.keys(change))).toEqual([
      ['publicId', 'playersCount', 'queueCount', 'lastTimeUpdate'],
    ])

    await owner.call(servers.remove, { params: { id } })
    expect((await reader.next(concerns(id))).data).toMatchObject({ changed: [], removed: [id] })
  })

  test('that resumes with its last ID gets all missed changes in one event', async () => {
    const before = await listen()
    const { id: last } = await before.next()
    before.close()
    const [one, two] = [await onlineServer(), await onlineServer()]
    await expect.poll(async () => (await readList(app)).length).toBeGreaterThanOrEqual(2)
    await expect.poll(async () => (await readList(app)).map(({ publicId }) => publicId)).toContain(two.public_id)
    const resumed = await listen('', { 'last-event-id': last })
    const missed = await resumed.next()
    expect(missed.data.changed.map(({ publicId }) => publicId).toSorted()).toEqual([one.public_id, two.public_id].toSorted())
    await announceFrom(app, one.credential, { playersCount: 77 })
    expect((await resumed.next(concerns(one.public_id))).data.changed).toMatchObject([{ playersCount: 77 }])
  })

  test('may start after a list version, and Last-Event-ID takes precedence', async () => {
    const version = await currentVersion()
    const { public_id: id } = await onlineServer()
    await expect.poll(async () => (await readList(app)).map(({ publicId }) => publicId)).toContain(id)
    expect((await (await listen(`?since=${version}`)).next()).data.changed).toMatchObject([{ publicId: id }])
    const now = await currentVersion()
    expect((await (await listen(`?since=${version}`, { 'last-event-id': now })).next()).data).toEqual({
      version: now,
      changed: [],
      removed: [],
    })
    expect((await (await listen(`?since=${now}`, { 'last-event-id': '' })).next()).data.version).toBe(now)
  })
})

test('the metrics count the readers', async () => {
  const other = await startApp()
  const streamCount = async () => /^muster_list_streams (\d+)$/m.exec((await send(`${other.listUrl}/metrics`)).text)?.[1]
  expect(await streamCount()).toBe('0')
  const reader = await listen('', {}, other)
  expect(await streamCount()).toBe('1')
  reader.close()
  await expect.poll(streamCount).toBe('0')
})

describe('an invalid stream request', () => {
  test('is rejected before a stream begins, with the reason', async () => {
    for (const [query, headers, status, code] of [
      ['?since=a.1.0123456789ab', {}, 410, 'VERSION_TOO_OLD'],
      ['', { 'last-event-id': 'a.1.0123456789ab' }, 410, 'VERSION_TOO_OLD'],
      ['', { 'last-event-id': 'no version' }, 400, 'QUERY_INVALID'],
      ['?since=', {}, 400, 'QUERY_INVALID'],
      ['?since=a.1.b&since=a.1.b', {}, 400, 'QUERY_INVALID'],
    ] as const) {
      const response = await send(`${app.listUrl}/servers/stream${query}`, { headers })
      expect([query, response.status, JSON.parse(response.text)]).toMatchObject([query, status, { code, isBusiness: false }])
      expect(response.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test('HEAD returns the headers of GET, and other methods get 405 with Allow', async () => {
    const head = await send(`${app.listUrl}/servers/stream`, { method: 'HEAD' })
    expect([head.status, head.headers['content-type'], head.bytes.length]).toEqual([200, 'text/event-stream; charset=utf-8', 0])
    expect((await send(`${app.listUrl}/servers/stream?since=a.1.0123456789ab`, { method: 'HEAD' })).status).toBe(410)
    const post = await send(`${app.listUrl}/servers/stream`, { method: 'POST' })
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('no server can have the vanity ID stream, and a trailing slash also returns the stream', async () => {
    const rejected = await owner.call(servers.create, { body: { name: 'Some stream', vanity_url: 'stream' } })
    expect(rejected.status).toBe(400)
    const reader = await EventReader.open(`${app.listUrl}/servers/stream/`)
    onTestFinished(() => reader.close())
    expect((await reader.next()).data.changed).toEqual([])
  })
})

describe('with rate limits', () => {
  test('an address can have thirty streams at once, and a new one after one ends', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const readers: EventReader[] = []
    for (let count = 0; count < 30; count += 1) readers.push(await listen('', {}, limited))
    expect(readers.map(({ response }) => response.status)).toEqual(readers.map(() => 200))
    const rejected = await send(`${limited.listUrl}/servers/stream`)
    expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([429, { code: 'TOO_MANY_STREAMS' }])
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    readers[0]?.close()
    limited.clock.advance(60_000)
    await expect.poll(async () => (await listen('', {}, limited)).response.status).toBe(200)
  })

  test('an address that reopens streams too often gets Retry-After', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const statuses: number[] = []
    for (let count = 0; count < 70; count += 1) statuses.push((await send(`${limited.listUrl}/servers/stream`, { method: 'HEAD' })).status)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200))
    expect(statuses.at(-1)).toBe(429)
  })
})

test('shutdown ends every stream with a reconnect delay, and does not wait for readers that do not read', async () => {
  const other = await startApp()
  const readers = [await listen('', {}, other), await listen('', {}, other), await listen('', {}, other)]
  await Promise.all(readers.map((reader) => reader.next()))
  const idle = connect(Number(new URL(other.listUrl).port), '127.0.0.1')
  idle.on('error', () => undefined)
  idle.pause()
  idle.write('GET /servers/stream HTTP/1.1\r\nHost: x\r\n\r\nGET /servers/stream HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => idle.bytesWritten).toBeGreaterThan(0)
  await other.restart()
  await Promise.all(readers.map((reader) => reader.ended))
  const times = readers.map(({ retries }) => retries.at(-1) ?? Number.NaN)
  expect(new Set(times).size).toBe(3)
  // Delays are spread to a thousand readers per second, so three readers wait only milliseconds longer.
  expect(Math.max(...times)).toBeLessThanOrEqual(1003)
  const reopened = await listen('', {}, other)
  expect((await reopened.next()).data.changed).toEqual([])
  idle.destroy()
})

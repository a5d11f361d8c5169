/** A server's history on the list's listener, for launchers and query libraries. */
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import * as servers from '#contract/servers/servers.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { OFFLINE, seedHistory } from '#tests/seed-history.ts'
import { type RawResponse, announceFrom, fleetOwner, send } from '#tests/list/send.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

interface Point {
  readonly t: number
  readonly c: number
}

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

async function points(path: string): Promise<Point[]> {
  const { status, text } = await send(`${app.listUrl}/servers/${path}`)
  expect(status, text).toBe(200)
  return JSON.parse(text) as Point[]
}

describe('the points of a server', () => {
  test('are equally spaced from the first known step to now; offline is 0; average and maximum differ', async () => {
    const { public_id } = await ownServer()
    const begin = app.clock.now() - 40 * DAY_MS
    // Half of each hour with 10 players and half with 20; offline for a day three days ago.
    const players = (at: number) =>
      at > app.clock.now() - 3 * DAY_MS && at < app.clock.now() - 2 * DAY_MS ? OFFLINE : at % HOUR_MS < HOUR_MS / 2 ? 10 : 20
    await seedHistory(app, public_id, { days: (app.clock.now() - begin) / DAY_MS, players })
    for (const [range, count, seconds] of [
      ['1d', 144, 600],
      ['7d', 168, 3600],
      ['31d', 186, 14_400],
    ] as const) {
      const [average, highest] = [await points(`${public_id}/avg/${range}`), await points(`${public_id}/max/${range}`)]
      expect(average).toHaveLength(count)
      expect(highest.map((point) => point.t)).toEqual(average.map((point) => point.t))
      expect(new Set(average.slice(1).map((point, index) => point.t - (average[index]?.t ?? 0)))).toEqual(new Set([seconds]))
      const last = average.at(-1)?.t ?? 0
      expect(last % seconds).toBe(0)
      expect(app.clock.now() / 1000 - last).toBeLessThan(seconds + 60)
      if (range === '1d') continue
      expect(average.at(-3)).toMatchObject({ c: 15 })
      expect(highest.at(-3)).toMatchObject({ c: 20 })
      expect(highest.some((point) => point.c === 0)).toBe(true)
    }
  })

  test('start with the history, and are empty without one', async () => {
    const [newer, unannounced] = [await ownServer(), await ownServer()]
    await seedHistory(app, newer.public_id, { days: 2, players: () => 4 })
    const week = await points(`${newer.public_id}/avg/7d`)
    expect(week.length).toBeGreaterThanOrEqual(48)
    expect(week.length).toBeLessThanOrEqual(50)
    expect(week.slice(0, -1).every((point) => point.c === 4)).toBe(true)
    expect(await points(`${unannounced.public_id}/max/31d`)).toEqual([])
  })

  test('start with the history, even in the middle of a finished week in which other servers were sampled', async () => {
    // No step ends during the test.
    app.clock.advance(((3 * HOUR_MS) / 2 - (app.clock.now() % HOUR_MS)) % HOUR_MS)
    // Stores the bucket of the time before.
    await app.runJob('sample-players')
    const [old, newer] = [await ownServer(), await ownServer()]
    // A week starts on Monday, UTC; the newer server was created the evening before.
    const monday = startOf(app.clock.now(), WEEK_MS)
    const createdAt = monday - 5 * HOUR_MS
    await seedHistory(app, old.public_id, { days: 20, players: () => 1 })
    await seedHistory(app, newer.public_id, { days: (startOf(app.clock.now(), MINUTE_MS) - createdAt) / DAY_MS, players: () => 4 })
    // The clock of the database does not advance.
    await sql`update servers set created_at = ${new Date(app.clock.now())} where public_id = ${newer.public_id}`.execute(app.db)
    const month = await points(`${newer.public_id}/avg/31d`)
    expect(month[0]?.t).toBe(startOf(createdAt, 4 * HOUR_MS) / 1000)
    expect(month.every((point) => point.c === 4)).toBe(true)
    const { data } = await newer.owner.call(history.ofServer, { params: { id: newer.public_id }, query: { range: '31d' } })
    expect(data.uptime).toBe(100)
  })

  test('are readable by vanity id, and for hidden and banned servers', async () => {
    const { owner, public_id } = await ownServer()
    await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
    const changed = await owner.call(servers.change, { params: { id: public_id }, body: { vanity_url: 'points-here', visible: false } })
    expect(changed.status, changed.text).toBe(200)
    await seedHistory(app, public_id, { days: 1, players: () => 6 })
    for (const id of ['points-here', '@Points-Here', public_id]) expect(await points(`${id}/avg/1d`)).toHaveLength(144)
  })

  test('include the last finished minute', async () => {
    const { public_id, credential } = await ownServer()
    await announceFrom(app, credential, { playersCount: 33 })
    app.clock.advance(60_000)
    await app.runJob('sample-players')
    app.clock.advance(60_000)
    await expect.poll(async () => (await points(`${public_id}/max/1d`)).map((point) => point.c)).toContain(33)
  })

  test('are compressed, cacheable by ETag, and readable by every origin', async () => {
    const { public_id } = await ownServer()
    await seedHistory(app, public_id, { days: 2 })
    const url = `${app.listUrl}/servers/${public_id}/avg/7d`
    const plain = await send(url)
    expect(plain.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept-Encoding' })
    expect(plain.headers['content-type']).toMatch(/^application\/json/)
    const again = await send(url, { headers: { 'if-none-match': plain.headers.etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const [gzip, br] = [
      await send(url, { headers: { 'accept-encoding': 'gzip' } }),
      await send(url, { headers: { 'accept-encoding': 'br' } }),
    ]
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text)
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.text)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect((await send(url, { method: 'HEAD' })).status).toBe(200)
  })
})

describe('an invalid request', () => {
  test('gets 400 for the range, 404 for the server and 405 for the method', async () => {
    const { public_id } = await ownServer()
    const request = async (path: string, method = 'GET') => {
      const { status, text, headers } = await send(`${app.listUrl}/servers/${path}`, { method })
      return { status, text, allow: headers.allow }
    }
    for (const range of ['1y', '24h', '1D', '7d7d', '0'])
      expect(await request(`${public_id}/avg/${range}`)).toMatchObject({
        status: 400,
        text: expect.stringContaining('Use 1d, 7d or 31d.') as string,
      })
    expect(await request(`${public_id}/max/1y`)).toMatchObject({ status: 400, text: expect.stringContaining('RANGE_INVALID') as string })
    for (const id of ['Nobody1', '@nobody', "'", '%00']) expect(await request(`${id}/avg/1d`)).toMatchObject({ status: 404 })
    expect(await request(`${public_id}/avg`)).toMatchObject({ status: 404 })
    expect(await request(`${public_id}/min/1d`)).toMatchObject({ status: 404 })
    expect(await request(`${public_id}/avg/1d`, 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD, OPTIONS' })
  })
})

test('160 concurrent requests all get 200', async () => {
  const created = await Promise.all(Array.from({ length: 20 }, () => ownServer()))
  const requests = created.flatMap(({ public_id }) =>
    ['avg/1d', 'max/1d', 'avg/7d', 'avg/31d'].map((path) => `${app.listUrl}/servers/${public_id}/${path}`),
  )
  const responses = await Promise.all([...requests, ...requests].map((url) => send(url)))
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]))
})

test('an address with many concurrent requests gets data or 429; another address gets data', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const ids: string[] = []
  for (let count = 0; count < 10; count += 1) ids.push((await buildServer(await limited.newUser())).public_id)
  const [last = '', ...others] = ids
  const requests = others.flatMap((id) => ['1d', '7d', '31d'].map((range) => send(`${limited.listUrl}/servers/${id}/avg/${range}`)))
  expect((await send(`${limited.listUrl}/servers/${last}/avg/1d`, { from: '127.0.0.2' })).status).toBe(200)
  for (const response of await Promise.all(requests)) {
    expect([200, 429]).toContain(response.status)
    if (response.status === 429) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
})

describe('while many requests wait for the database', () => {
  const codeOf = ({ text }: RawResponse) => (JSON.parse(text) as { code: string }).code

  /** Requests every range of each server while the samples are locked, until this many were rejected. */
  async function whileLocked(slow: TestApp, ids: readonly string[], rejections: number): Promise<RawResponse[]> {
    let rejected = 0
    const requests = await slow.db.transaction().execute(async (trx) => {
      await sql`lock table list_buckets in access exclusive mode`.execute(trx)
      const responses = ids.flatMap((id) =>
        ['1d', '7d', '31d'].map(async (range) => {
          const response = await send(`${slow.listUrl}/servers/${id}/avg/${range}`)
          if (response.status !== 200) rejected += 1
          return response
        }),
      )
      await expect.poll(() => rejected).toBe(rejections)
      // Not awaited here: the requests wait for this lock.
      return () => Promise.all(responses)
    })
    return requests()
  }

  async function withServers(variables: Record<string, string>, count: number) {
    const slow = await startApp(variables, { pool: 8 })
    const owner = await fleetOwner(slow)
    const ids: string[] = []
    while (ids.length < count) ids.push((await buildServer(owner)).public_id)
    return { slow, ids }
  }

  test('an address with ten waiting requests gets 429 and Retry-After', async () => {
    const { slow, ids } = await withServers({ RATE_LIMITS: 'on' }, 5)
    const rejected = (await whileLocked(slow, ids, 2)).filter(({ status }) => status !== 200)
    for (const response of rejected) {
      expect([response.status, codeOf(response)]).toEqual([429, 'TOO_MANY_WAITING'])
      expect(response.headers).toMatchObject({ 'retry-after': '2', 'access-control-expose-headers': 'Retry-After, X-Request-Id' })
    }
  })

  test('a full queue gets 503 with HISTORY_BUSY', async () => {
    const { slow, ids } = await withServers({}, 102)
    const rejected = (await whileLocked(slow, ids, 3)).filter(({ status }) => status !== 200)
    for (const response of rejected) {
      expect([response.status, codeOf(response)]).toEqual([503, 'HISTORY_BUSY'])
      expect(response.headers).toMatchObject({ 'retry-after': '2', 'access-control-allow-origin': '*' })
    }
  })
})

test('without the database, cached points are sent with Age, and uncached ones get 503', async () => {
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  onTestFinished(() => proxy.close())
  const isolated = await startApp({ LOG_LEVEL: 'warn' }, { postgres: proxy.connection })
  const owner = await isolated.newUser()
  const [cached, uncached] = [await buildServer(owner), await buildServer(owner)]
  await seedHistory(isolated, cached.public_id, { days: 2, players: () => 4 })
  const request = (id: string, path = 'avg/7d', headers = {}) => send(`${isolated.listUrl}/servers/${id}/${path}`, { headers })
  const before = await request(cached.public_id)
  expect([before.status, before.headers.age]).toEqual([200, undefined])
  proxy.cut()
  // Once the outage is detected, even within the minute of the last read.
  await expect.poll(async () => (await request(cached.public_id)).headers.age).toMatch(/^\d+$/)
  for (const minutes of [1, 2, 3]) {
    isolated.clock.advance(60_000)
    const during = await request(cached.public_id)
    expect([during.status, during.text, during.headers.etag]).toEqual([200, before.text, before.headers.etag])
    expect(Number(during.headers.age)).toBeGreaterThanOrEqual(minutes * 60)
    expect(during.headers['access-control-expose-headers']).toContain('Age')
    expect((await request(cached.public_id, 'max/7d')).status).toBe(200)
    const unchanged = await request(cached.public_id, 'avg/7d', { 'if-none-match': before.headers.etag ?? '' })
    expect([unchanged.status, Number(unchanged.headers.age) >= 60]).toEqual([304, true])
    for (const rejected of [await request(uncached.public_id), await request(cached.public_id, 'avg/31d')]) {
      expect(rejected.status).toBe(503)
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
      expect(rejected.headers['access-control-expose-headers']).toBe('Retry-After, X-Request-Id')
    }
  }
  proxy.restore()
  await expect.poll(async () => (await request(uncached.public_id)).status).toBe(200)
  await expect.poll(async () => (await request(cached.public_id)).headers.age).toBeUndefined()
  isolated.clock.advance(HOUR_MS)
  const after = JSON.parse((await request(cached.public_id)).text) as Point[]
  expect(after.at(-1)?.t).toBeGreaterThan((JSON.parse(before.text) as Point[]).at(-1)?.t ?? Infinity)
  isolated.takeLogs()
})

/** The player history over HTTP, for owners, administrators and launchers. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { announce, buildServer, emptyBin } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { peakOf, seedHistory } from '#tests/seed-history.ts'
import { send } from '#tests/list/send.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

describe('a year of history', () => {
  test('has the steps, peak and uptime of every range, and points for launchers', async () => {
    const { owner, public_id } = await ownServer()
    await seedHistory(app, public_id)
    for (const [range, count] of [
      ['24h', 144],
      ['7d', 168],
      ['31d', 186],
      ['1y', 366],
    ] as const) {
      const { status, data, text } = await owner.call(history.ofServer, { params: { id: public_id }, query: { range } })
      expect(status, text).toBe(200)
      expect([data.average.length, data.highest.length, data.online.length]).toEqual([count, count, count])
      // The 15 offline minutes contain one whole step of ten minutes; another step may just have started.
      expect(data.average.filter((average) => average === null).length).toBeLessThanOrEqual(2)
      expect(data.peak?.players).toBe(peakOf(Date.parse(data.from), app.clock.now()))
      expect(data.uptime).toBeGreaterThan(98.5)
      expect(data.uptime).toBeLessThan(99.5)
      // The last step may just have started, and may end between two reads.
      const isSame = async () => {
        const [server, list] = await Promise.all([
          owner.call(history.ofServer, { params: { id: public_id }, query: { range } }),
          admin.call(history.ofList, { query: { range } }),
        ])
        const highest = server.data.highest.map((players) => players ?? 0)
        return isDeepStrictEqual(list.data.players.highest.slice(0, -1), highest.slice(0, -1))
      }
      await expect.poll(isSame).toBe(true)
    }
    for (const range of ['1d', '7d', '31d']) {
      const points = JSON.parse((await send(`${app.listUrl}/servers/${public_id}/avg/${range}`)).text) as unknown[]
      expect(points.length).toBeGreaterThan(140)
    }
  })
})

describe('a comparison with the week before', () => {
  const read = (user: SignedInUser, id: string, query: object) => user.call(history.ofServer, { params: { id }, query })

  test('has the same steps a week earlier, and the reply without it stays as it was', async () => {
    const { owner, public_id } = await ownServer()
    const now = app.clock.now()
    await seedHistory(app, public_id, { days: 16, players: (at) => (at < now - WEEK_MS ? 7 : 30) })
    for (const range of history.COMPARED_RANGES) {
      const [current, previous] = [await read(owner, public_id, { range }), await read(owner, public_id, { range, weeks_ago: '1' })]
      expect(previous.status, previous.text).toBe(200)
      expect(Date.parse(current.data.from) - Date.parse(previous.data.from)).toBe(WEEK_MS)
      expect(previous.data.highest).toHaveLength(current.data.highest.length)
      expect([current.data.peak?.players, previous.data.peak?.players]).toEqual([30, 7])
      expect(Object.keys(previous.data)).toEqual(Object.keys(current.data))
      // A minute may end between two reads.
      const both = async () => {
        const [plain, same] = await Promise.all([{ range }, { range, weeks_ago: '0' }].map((query) => read(owner, public_id, query)))
        return isDeepStrictEqual(plain?.data, same?.data)
      }
      await expect.poll(both).toBe(true)
    }
  })

  test('is rejected for longer ranges and other weeks', async () => {
    const { owner, public_id } = await ownServer()
    for (const [range, weeks_ago, sentence] of [
      ['31d', '1', 'weeks_ago works with the ranges 24h and 7d.'],
      ['1y', '1', 'weeks_ago works with the ranges 24h and 7d.'],
      ['24h', '2', 'weeks_ago must be one of 0, 1.'],
      ['24h', '-1', 'weeks_ago must be one of 0, 1.'],
    ] as const) {
      const { status, text } = await read(owner, public_id, { range, weeks_ago })
      expect([status, JSON.parse(text).errors]).toEqual([400, [sentence]])
    }
  })
})

test('a peak on a past day names its five minutes as long as these are kept', async () => {
  const { owner, public_id } = await ownServer()
  const peakAt = startOf(app.clock.now(), DAY_MS) - 3 * DAY_MS + 7 * HOUR_MS + 13 * MINUTE_MS
  await seedHistory(app, public_id, { days: 9, players: (at) => (at === peakAt ? 4000 : 2) })
  for (const range of ['7d', '31d'] as const) {
    const { data } = await owner.call(history.ofServer, { params: { id: public_id }, query: { range } })
    expect(data.peak).toEqual({ players: 4000, at: new Date(peakAt - 3 * MINUTE_MS).toISOString(), seconds: 300 })
  }
})

describe('the events of a server', () => {
  const eventsOf = async (user: SignedInUser, id: string) =>
    (await user.call(history.eventsOfServer, { params: { id }, query: {} })).data.events
  const kindsOf = async (user: SignedInUser, id: string) => (await eventsOf(user, id)).map(({ kind }) => kind)

  test('are its restarts, updates and bans, oldest first', async () => {
    const { owner, public_id: id, credential } = await ownServer()
    const leave = () => fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    const stored = async () => {
      const { rows } = await sql<{ text: string }>`
        select online || ' ' || (announce->>'version') as text from presence where server_id = ${id}`.execute(app.db)
      return rows[0]?.text
    }
    await announce(app, credential, { version: '1.0' })
    await expect.poll(stored).toBe('true 1.0')
    expect(await eventsOf(owner, id)).toEqual([])
    await leave()
    await expect.poll(stored).toBe('false 1.0')
    await announce(app, credential, { version: '1.0' })
    await expect.poll(stored).toBe('true 1.0')
    await announce(app, credential, { version: '1.0', playersCount: 40 })
    // The restart is more than a minute old.
    await sql`update server_restarts set at = at - interval '61 seconds' where server_id = ${id}`.execute(app.db)
    await announce(app, credential, { version: '1.1' })
    await expect.poll(stored).toBe('true 1.1')
    await admin.call(banServer, { params: { id }, body: { reason: 'Testing' } })
    await admin.call(banServer, { params: { id }, body: { banned: false } })
    await expect.poll(() => kindsOf(owner, id)).toEqual(['restart', 'update', 'ban', 'unban'])
    const [restart, update, banned] = await eventsOf(owner, id)
    expect(restart).toMatchObject({ version: '1.0', previous_version: '1.0', offline_seconds: expect.any(Number) as number })
    expect(update).toMatchObject({ version: '1.1', previous_version: '1.0', offline_seconds: null })
    expect(banned).toMatchObject({ version: null, previous_version: null, offline_seconds: null })
    const asAdmin = await admin.call(history.eventsOfAdminServer, { params: { id }, query: { range: '7d' } })
    expect(asAdmin.data.events).toEqual(await eventsOf(owner, id))
  })

  test('have at most one update a minute, and 500 for each server', async () => {
    const { owner, public_id: id, credential } = await ownServer()
    const { rows } = await sql<{ at: Date }>`
      insert into server_restarts (server_id, at, version, previous_version)
      select ${id}, now() - n * interval '1 hour', 'v' || n, 'v' || n + 1 from generate_series(1, 510) n returning at`.execute(app.db)
    await announce(app, credential, { version: '1.0' })
    const versions = async () => (await eventsOf(owner, id)).flatMap((event) => event.version ?? [])
    const stored = async () => {
      const row = await app.db
        .selectFrom('presence')
        .select(sql<string>`announce->>'version'`.as('version'))
        .where('server_id', '=', id)
        .executeTakeFirst()
      return row?.version
    }
    for (const version of ['1.0', '1.1', '1.2', '1.3']) {
      await announce(app, credential, { version })
      await expect.poll(stored).toBe(version)
    }
    expect((await versions()).slice(-2)).toEqual(['v1', '1.1'])
    await app.runJob('roll-up-history')
    const kept = await app.db.selectFrom('server_restarts').select('at').where('server_id', '=', id).orderBy('at').execute()
    expect(kept).toHaveLength(500)
    expect(kept[0]?.at).toEqual(rows[498]?.at)
  })

  test('are hidden from strangers, expire, and end with the server', async () => {
    const { owner, public_id: id } = await ownServer()
    const stranger = await app.newUser()
    expect((await stranger.call(history.eventsOfServer, { params: { id }, query: {} })).status).toBe(404)
    const ago = (days: number) => new Date(app.clock.now() - days * DAY_MS)
    const stored = async () =>
      (await app.db.selectFrom('server_restarts').selectAll().where('server_id', '=', id).orderBy('at').execute()).map((row) => row.version)
    const insert = (at: Date, version: string, previous_version: string) =>
      app.db.insertInto('server_restarts').values({ server_id: id, at, version, previous_version, offline_since: null }).execute()
    await insert(ago(400), 'old update', '1')
    await insert(ago(100), 'update', '1')
    await insert(ago(40), '2', '2')
    await insert(ago(3), '3', '3')
    await app.runJob('roll-up-history')
    expect(await stored()).toEqual(['update', '3'])
    await owner.call(servers.remove, { params: { id } })
    expect(await stored()).toEqual(['update', '3'])
    await emptyBin(app)
    expect(await stored()).toEqual([])
  })
})

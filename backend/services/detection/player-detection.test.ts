/** Player counts: what is detected in announces, samples and stored data. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, emptyBin } from '#tests/factories.ts'
import { everyHalfMinute, issuesOfKind } from '#tests/findings.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList, readOne } from '#tests/list/send.ts'
import { startOf } from '#backend/services/history/time.ts'
import { createLog } from '#backend/platform/log.ts'
import { type OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Finding } from '#backend/core/protection/finding.ts'
import { dryRunDetector } from './dry-run.ts'
import { DetectorRunner } from './detector-runner.ts'

const HOUR = 3_600_000
let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer(name?: string) {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner, name === undefined ? {} : { name })) }
}

const samplePlayers = () => app.runJob('sample-players')

/** Stores hours in which the number of players never changed. */
async function storeConstant(server_id: string, players: number, from: number, hours: number): Promise<void> {
  const buckets = Array.from({ length: 12 * hours }, (_, bucket) => new Date(from + bucket * 300_000))
  const counts = { bucket_minutes: 5, players: 5 * players, highest: players, online: 5, sampled: 5 }
  await app.db
    .insertInto('player_buckets')
    .values(buckets.map((at) => ({ server_id, at, ...counts })))
    .execute()
  const list = { bucket_minutes: 5, sampled: 5, players: '0', servers: '0', players_highest: 0, servers_highest: 0 }
  await app.db
    .insertInto('list_buckets')
    .values(buckets.map((at) => ({ at, ...list })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

describe('player counts', () => {
  test.each([
    [66, 64],
    [70, 64],
    [25, 20],
    [110, 100],
  ])('%i of %i, as with reserved slots, get a notice and nothing else', async (playersCount, maxPlayersCount) => {
    const [full, modest] = [await ownServer(), await ownServer()]
    const branch = `reserved-${playersCount}`
    await announceFrom(app, modest.credential, { branch, playersCount: 1, maxPlayersCount })
    await everyHalfMinute(app, 8, async () => {
      const { reply } = await announceFrom(app, full.credential, { branch, playersCount, maxPlayersCount })
      expect(reply.notices.map(({ code }) => code)).toEqual(['PLAYERS_ABOVE_SLOTS'])
    })
    await announceFrom(app, modest.credential, { branch, playersCount: 1, maxPlayersCount })
    await expect
      .poll(async () => (await readList(app, `?branch=${branch}`)).map((row) => row.publicId))
      .toEqual([full, modest].map((each) => each.public_id))
    expect(await readOne(app, full.public_id)).toMatchObject({ playersCount: maxPlayersCount, playersConfirmed: true })
    expect(await issuesOfKind(app, full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
  })

  test.each([
    [71, 64],
    [26, 20],
    [111, 100],
  ])('%i of %i, over a tenth and 5 players above the slots, are reported at once', async (playersCount, maxPlayersCount) => {
    const { owner, credential, public_id: id } = await ownServer()
    expect((await announceFrom(app, credential, { playersCount, maxPlayersCount })).status).toBe(200)
    await app.findings.flush()
    expect(await issuesOfKind(app, owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN', severity: 'MEDIUM' }])
    await expect.poll(async () => (await readOne(app, id)).playersConfirmed).toBe(false)
  })

  test('above the slots open one issue and are unconfirmed; at the slots they are confirmed', async () => {
    const [above, full] = [await ownServer(), await ownServer()]
    await everyHalfMinute(app, 24, async () => {
      await announceFrom(app, above.credential, { playersCount: 90, maxPlayersCount: 64 })
      await announceFrom(app, full.credential, { playersCount: 64, maxPlayersCount: 64 })
    })
    expect(await issuesOfKind(app, above.owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN', severity: 'MEDIUM' }])
    expect(await issuesOfKind(app, full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
    await announceFrom(app, above.credential, { playersCount: 10, maxPlayersCount: 64 })
    await expect.poll(async () => (await readOne(app, above.public_id)).playersConfirmed).toBe(false)
    expect((await readOne(app, full.public_id)).playersConfirmed).toBe(true)
  })

  test('frozen for hours are reported even after a restart, with the samples as evidence', async () => {
    const [frozen, full] = [await ownServer(), await ownServer()]
    const send = async () => {
      await announceFrom(app, frozen.credential, { playersCount: 42, maxPlayersCount: 64 })
      await announceFrom(app, full.credential, { playersCount: 64, maxPlayersCount: 64 })
    }
    // Start early in an hour, because the samples below end with the previous one.
    app.clock.advance(HOUR - (app.clock.now() % HOUR) + 300_000)
    await send()
    const now = app.clock.now()
    for (const [server_id, players] of [
      [frozen.public_id, 42],
      [full.public_id, 64],
    ] as const) {
      await storeConstant(server_id, players, now - (now % HOUR) - 9 * HOUR, 9)
    }
    await app.restart()
    expect((await dryRunDetector(app.db, 'IMPLAUSIBLE_PLAYERS', 7, now)).affectedServers.map((finding) => finding.server.publicId)).toEqual(
      [frozen.public_id],
    )
    // The job may have sampled this minute before the announce arrived.
    app.clock.advance(60_000)
    await send()
    await samplePlayers()
    const [one] = await issuesOfKind(app, frozen.owner, 'IMPLAUSIBLE_PLAYERS')
    expect(one?.summary).toContain('same number')
    expect(one?.evidence.series.length).toBeGreaterThan(20)
    expect(one?.evidence.series.every((point) => point.players === 42 && point.slots === 64)).toBe(true)
    expect(await issuesOfKind(app, full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
  })

  test('are stored across restarts, without servers that are deleted for good', async () => {
    const [kept, deleted] = [await ownServer(), await ownServer()]
    // Start at a full hour, so that all minutes below belong to one bucket.
    app.clock.advance(HOUR - (app.clock.now() % HOUR))
    const from = startOf(app.clock.now(), HOUR)
    const minutes = async (...players: number[]) => {
      for (const playersCount of players) {
        for (const { credential } of [kept, deleted]) await announceFrom(app, credential, { playersCount })
        await samplePlayers()
        app.clock.advance(60_000)
      }
    }
    await minutes(3, 5)
    await samplePlayers()
    await deleted.owner.call(servers.remove, { params: { id: deleted.public_id } })
    await emptyBin(app)
    // The minute in which a program starts has been sampled before.
    await app.restart()
    await minutes(9, 7)
    await app.restart()
    const rows = await app.db
      .selectFrom('player_buckets')
      .selectAll()
      .where('at', '=', new Date(from))
      .where('server_id', 'in', [kept.public_id, deleted.public_id])
      .execute()
    expect(rows).toMatchObject([{ server_id: kept.public_id, players: 20, highest: 7, online: 4, sampled: 4 }])
  })
})

test('a failure for one server does not affect the others, and findings carry the owner', async () => {
  const record = (publicId: string) => {
    const server = new ServerRecord({ publicId, ownerId: `owner of ${publicId}`, createdAt: 0 } as OwnerFields)
    server.announced = { playersCount: 5, maxPlayersCount: 64, queueCount: 0 } as ServerRecord['announced']
    server.online = true
    return server
  }
  const [failing, working] = [record('Failing'), record('Working')]
  const observed: string[] = []
  const reported: (string | undefined)[] = []
  const findings = { report: (finding: Finding) => void reported.push(finding.ownerId), resolve: () => {} }
  const announceRateOf = ({ publicId }: ServerRecord) => {
    if (publicId === 'Failing') throw new Error('failing')
    observed.push(publicId)
    return 0
  }
  const registry = { get: (id: string) => [failing, working].find((detector) => detector.publicId === id), all: () => [failing, working] }
  const clock = { now: () => Date.UTC(2026, 5, 2), uptime: () => 0 }
  const runner = new DetectorRunner({ env: app.env, db: app.db, clock, log: createLog('silent') }, registry, findings, announceRateOf)
  await runner.tick()
  expect(observed).toEqual(['Working'])
  runner.aboveSlots(working, 90, clock.now())
  expect(reported).toEqual(['owner of Working'])
})

describe('shutdown', () => {
  test('aborts the replay of stored samples', async () => {
    const { public_id } = await ownServer()
    const from = Date.UTC(2026, 0)
    await storeConstant(public_id, 3, from, 24)
    // More servers than one query reads.
    for (let count = 0; count < 20; count += 1) await ownServer()
    let queries = 0
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const clock = { now: () => from, uptime: () => 0 }
    const noFindings = { report: () => {}, resolve: () => {} }
    const countReplayQueries = async (isStopping: boolean) => {
      queries = 0
      const runner = new DetectorRunner(
        { env: app.env, db, clock, log: createLog('silent') },
        { get: () => undefined, all: () => [] },
        noFindings,
        () => 0,
      )
      if (isStopping) runner.stop()
      await runner.tick()
      await runner.close()
      return queries
    }
    const complete = await countReplayQueries(false)
    expect(await countReplayQueries(true)).toBe(1)
    expect(complete).toBeGreaterThan(1)
  })
})

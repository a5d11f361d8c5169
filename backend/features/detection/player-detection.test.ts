/** Player counts: what is detected in announces, samples and stored data. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { IssueKind } from '#contract/protection.ts'
import * as servers from '#contract/servers.ts'
import { buildServer, emptyBin } from '#tests/factories.ts'
import { issuesOf } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList, readOne } from '#tests/list/send.ts'
import { PlayerSampler } from '#backend/features/history/player-sampler.ts'
import { startOf } from '#backend/features/history/time.ts'
import { createLog } from '#backend/platform/log.ts'
import { type OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
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

/** Calls `send` once per half minute of the test clock. */
async function everyHalfMinute(count: number, send: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await send(round)
    app.clock.advance(30_000)
  }
}

/** The owner's issues of a kind, after all findings are written. */
async function issuesOfKind(owner: SignedInUser, kind: IssueKind) {
  await app.findings.flush()
  return (await issuesOf(owner)).filter((issue) => issue.kind === kind)
}

const samplePlayers = () => app.runJob('sample-players')

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
    await everyHalfMinute(8, async () => {
      const { reply } = await announceFrom(app, full.credential, { branch, playersCount, maxPlayersCount })
      expect(reply.notices.map(({ code }) => code)).toEqual(['PLAYERS_ABOVE_SLOTS'])
    })
    await announceFrom(app, modest.credential, { branch, playersCount: 1, maxPlayersCount })
    await expect
      .poll(async () => (await readList(app, `?branch=${branch}`)).map((row) => row.publicId))
      .toEqual([full, modest].map((each) => each.public_id))
    expect(await readOne(app, full.public_id)).toMatchObject({ playersCount: maxPlayersCount, playersConfirmed: true })
    expect(await issuesOfKind(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
  })

  test.each([
    [71, 64],
    [26, 20],
    [111, 100],
  ])('%i of %i, over a tenth and 5 players above the slots, are reported at once', async (playersCount, maxPlayersCount) => {
    const { owner, credential, public_id: id } = await ownServer()
    expect((await announceFrom(app, credential, { playersCount, maxPlayersCount })).status).toBe(200)
    await app.findings.flush()
    expect(await issuesOfKind(owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN', severity: 'MEDIUM' }])
    await expect.poll(async () => (await readOne(app, id)).playersConfirmed).toBe(false)
  })

  test('above the slots open one issue and are unconfirmed; at the slots they are confirmed', async () => {
    const [above, full] = [await ownServer(), await ownServer()]
    await everyHalfMinute(24, async () => {
      await announceFrom(app, above.credential, { playersCount: 90, maxPlayersCount: 64 })
      await announceFrom(app, full.credential, { playersCount: 64, maxPlayersCount: 64 })
    })
    expect(await issuesOfKind(above.owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN', severity: 'MEDIUM' }])
    expect(await issuesOfKind(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
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
    const hours = Array.from({ length: 9 }, (_, back) => new Date(now - (now % HOUR) - (back + 1) * HOUR))
    for (const [server_id, players] of [
      [frozen.public_id, 42],
      [full.public_id, 64],
    ] as const) {
      const rows = hours.map((hour) => ({ server_id, hour, players: Array.from({ length: 60 }, () => players) }))
      await app.db.insertInto('player_samples').values(rows).execute()
    }
    await app.restart()
    expect((await dryRunDetector(app.db, 'IMPLAUSIBLE_PLAYERS', 7, now)).affectedServers.map((finding) => finding.server.publicId)).toEqual(
      [frozen.public_id],
    )
    // The job may have sampled this minute before the announce arrived.
    app.clock.advance(60_000)
    await send()
    await samplePlayers()
    const [one] = await issuesOfKind(frozen.owner, 'IMPLAUSIBLE_PLAYERS')
    expect(one?.summary).toContain('same number')
    expect(one?.evidence.series.length).toBeGreaterThan(20)
    expect(one?.evidence.series.every((point) => point.players === 42 && point.slots === 64)).toBe(true)
    expect(await issuesOfKind(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
  })

  test('are stored minute by minute across restarts, without servers that are deleted for good', async () => {
    const [kept, deleted] = [await ownServer(), await ownServer()]
    // Start at a full hour, so that all minutes below belong to one row.
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
    await deleted.owner.call(servers.remove, { params: { id: deleted.public_id } })
    await emptyBin(app)
    await app.restart()
    await minutes(7)
    await samplePlayers()
    await app.restart()
    const rows = await app.db
      .selectFrom('player_samples')
      .select(['server_id', 'players'])
      .where('hour', '=', new Date(from))
      .where('server_id', 'in', [kept.public_id, deleted.public_id])
      .execute()
    expect(rows.map((row) => row.server_id)).toEqual([kept.public_id])
    expect(rows[0]?.players.filter((players) => players > 0)).toEqual([3, 5, 7, 7])
    expect(rows[0]?.players.at(-1)).toBe(-2)
  })
})

describe('stored player samples', () => {
  const read = async (server_id: string) =>
    (await app.db.selectFrom('player_samples').select('players').where('server_id', '=', server_id).execute())[0]?.players
  /** Samples this server in these minutes of an hour, as a separate node. */
  const sampleAsNode = async (publicId: string, clock: { now: number }, players: number, ...minutes: readonly number[]) => {
    const announced = { playersCount: players, maxPlayersCount: 64, queueCount: 0 }
    const sampler = new PlayerSampler({ db: app.db, clock: { now: () => clock.now, uptime: () => 0 } }, () => [
      { publicId, online: true, isListed: true, fields: { createdAt: 0 }, announced },
    ])
    const from = clock.now
    for (const minute of minutes) {
      clock.now = from + minute * 60_000
      await sampler.sample(() => {})
    }
    await sampler.flush()
    clock.now = from
  }

  test('keep minutes that another node, or a clock that went back, did not sample', async () => {
    const { public_id } = await ownServer()
    const clock = { now: Date.UTC(2026, 5, 1, 12) }
    await sampleAsNode(public_id, clock, 5, 0, 1, 2)
    await sampleAsNode(public_id, clock, 7, 2, 4)
    expect((await read(public_id))?.slice(0, 6)).toEqual([5, 5, 7, -2, 7, -2])
  })
})

test('a failure for one server does not affect the others, and findings carry the owner', async () => {
  const record = (publicId: string) => {
    const server = new ServerRecord({ publicId, ownerId: `owner of ${publicId}` } as OwnerFields)
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
    const hours = Array.from({ length: 2100 }, (_, hour) => new Date(from + hour * HOUR))
    const rows = hours.map((hour) => ({ server_id: public_id, hour, players: Array.from({ length: 60 }, () => 3) }))
    await app.db.insertInto('player_samples').values(rows).execute()
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
    await app.db.deleteFrom('player_samples').where('server_id', '=', public_id).execute()
  })
})

/** Detectors in the running program: from announces to issues. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type IssueKind, changeIssue, issue } from '#contract/protection.ts'
import * as servers from '#contract/servers.ts'
import { changeAdminServer } from '#contract/servers-admin.ts'
import { protection } from '#backend/cli/protection.ts'
import { buildServer, emptyBin } from '#tests/factories.ts'
import { issuesOf, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList, readOne, send } from '#tests/list/send.ts'
import { startOf } from '#backend/features/history/time.ts'
import { createLog } from '#backend/platform/log.ts'
import { type OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { dryRunDetector } from './dry-run.ts'
import { DetectorRunner } from './detector-runner.ts'

const HOUR = 3_600_000
const THIEF = '127.0.0.2'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
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

describe('address mismatch', () => {
  test('opens one issue with a notice while both addresses announce, and a reissue resolves it', async () => {
    const { owner, credential, public_id } = await ownServer()
    const announceFromBoth = async () => {
      expect((await announceFrom(app, credential)).status).toBe(200)
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    }
    await everyHalfMinute(30, announceFromBoth)
    const issues = await issuesOfKind(owner, 'ADDRESS_MISMATCH')
    expect(issues).toMatchObject([{ severity: 'HIGH', status: 'OPEN', consequence: 'NOTICE', server: { public_id } }])
    expect(issues[0]?.occurrences).toBeGreaterThan(15)
    expect(issues[0]?.evidence.items.map((item) => item.address)).not.toContain(THIEF)
    const notices = async (text: string) => (await announceFrom(app, text)).reply.notices.map((notice) => notice.code)
    await expect.poll(() => notices(credential)).toEqual(['ADDRESS_MISMATCH'])
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    expect(await issuesOfKind(owner, 'ADDRESS_MISMATCH')).toMatchObject([{ status: 'RESOLVED' }])
    await expect.poll(() => notices(data.credential)).toEqual([])
  })

  test('is also reported while the new credential is unbound and the old one is used elsewhere', async () => {
    const { owner, credential, public_id } = await ownServer()
    expect((await announceFrom(app, credential)).status).toBe(200)
    await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    expect(await issuesOfKind(owner, 'ADDRESS_MISMATCH')).toMatchObject([
      { severity: 'MEDIUM', summary: "The server's credential was used from another address shortly after the server itself announced." },
    ])
  })

  test('is not reported for a moved server whose owner resets the address', async () => {
    const { owner, credential, public_id } = await ownServer()
    await announceFrom(app, credential)
    // The server stops at its old address and expires from the list.
    app.clock.advance(120_000)
    await expect.poll(async () => (await readOne(app, public_id)).available).toBe(false)
    await everyHalfMinute(20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    })
    await owner.call(servers.resetAddress, { params: { id: public_id } })
    await everyHalfMinute(20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(200)
    })
    expect(await issuesOfKind(owner, 'ADDRESS_MISMATCH')).toEqual([])
  })
})

describe('revoked credential', () => {
  test('opens one issue if it keeps announcing, and none if it stops after two attempts', async () => {
    const [ongoing, stopped] = [await ownServer(), await ownServer()]
    for (const { owner, credential, public_id } of [ongoing, stopped]) {
      await announceFrom(app, credential)
      await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    }
    await everyHalfMinute(24, async (round) => {
      expect((await announceFrom(app, ongoing.credential)).status).toBe(401)
      if (round < 2) await announceFrom(app, stopped.credential)
    })
    expect(await issuesOfKind(ongoing.owner, 'REVOKED_CREDENTIAL')).toMatchObject([{ severity: 'MEDIUM', status: 'OPEN' }])
    expect(await issuesOfKind(stopped.owner, 'REVOKED_CREDENTIAL')).toEqual([])
  })
})

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
    const [one] = await issuesOfKind(frozen.owner, 'IMPLAUSIBLE_PLAYERS')
    expect(one?.summary).toContain('same number')
    expect(one?.evidence.series.length).toBeGreaterThan(20)
    expect(one?.evidence.series.every((point) => point.players === 42 && point.slots === 64)).toBe(true)
    expect(await issuesOfKind(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
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

describe('other calls of game servers', () => {
  test('with a revoked credential cause no finding', async () => {
    const { owner, credential, public_id } = await ownServer()
    await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    for (let times = 0; times < 5; times += 1) {
      const { status, text } = await send(`${app.listUrl}/cloud-auth/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ticket: 'x' }),
      })
      expect([status, text]).toEqual([401, expect.stringContaining('CREDENTIAL_REVOKED') as string])
    }
    expect(await issuesOfKind(owner, 'REVOKED_CREDENTIAL')).toEqual([])
    const { data } = await owner.call(servers.get, { params: { id: public_id } })
    expect(data.listing.reasons.map((reason) => reason.code)).not.toContain('CREDENTIAL_REVOKED')
  })
})

describe('impersonation', () => {
  const verify = async (id: string, verified: boolean) => {
    const { status, text } = await admin.call(changeAdminServer, { params: { id }, body: { verified } })
    expect(status, text).toBe(200)
  }

  test('of a verified server opens an issue until the server is renamed; a name with the same first word does not', async () => {
    const real = await ownServer('Red River RP')
    await verify(real.public_id, true)
    const [fake, honest] = [await ownServer('Red River RP Official'), await ownServer('Red Rock RP')]
    expect(await issuesOfKind(fake.owner, 'IMPERSONATION')).toMatchObject([
      { severity: 'HIGH', status: 'OPEN', server: { public_id: fake.public_id } },
    ])
    expect(await issuesOfKind(honest.owner, 'IMPERSONATION')).toEqual([])
    expect(await issuesOfKind(real.owner, 'IMPERSONATION')).toEqual([])
    const dryRun = await dryRunDetector(app.db, 'IMPERSONATION', 7, app.clock.now())
    expect(dryRun.affectedServers.map((finding) => finding.server.publicId)).toEqual([fake.public_id])
    const rename = (name: string) => fake.owner.call(servers.change, { params: { id: fake.public_id }, body: { name } })
    const [previous] = await issuesOfKind(fake.owner, 'IMPERSONATION')
    await rename('Red-River Roleplay')
    expect(await issuesOfKind(fake.owner, 'IMPERSONATION')).toMatchObject([{ id: previous?.id, status: 'OPEN', occurrences: 2 }])
    await rename('Crimson Creek RP')
    expect(await issuesOfKind(fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'RESOLVED' }])
    await rename('Red Rivver RP')
    expect(await issuesOfKind(fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN' }, { status: 'RESOLVED' }])
    await verify(real.public_id, false)
    await expect
      .poll(async () => (await issuesOfKind(fake.owner, 'IMPERSONATION')).map((issue) => issue.status))
      .toEqual(['RESOLVED', 'RESOLVED'])
  })
})

describe('impersonation of a promoted server', () => {
  test('opens an issue that never escalates', async () => {
    const { owner, public_id: publicId } = await ownServer()
    const { id } = await raiseIssue(app, owner, { kind: 'IMPERSONATION', publicId, severity: 'MEDIUM' })
    const { data } = await owner.call(issue, { params: { userId: owner.id, issueId: id } })
    expect(data).toMatchObject({ consequence: 'NOTICE', next_consequence: null })
    app.clock.advance(49 * HOUR)
    await app.runJob('escalate-issues')
    expect(await issuesOfKind(owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN', consequence: 'NOTICE' }])
  })
})

describe('a dry run', () => {
  test('finds servers that keep using an old credential', async () => {
    const { credential, owner, public_id } = await ownServer()
    await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    await everyHalfMinute(24, () => announceFrom(app, credential))
    await expect
      .poll(async () =>
        (await dryRunDetector(app.db, 'REVOKED_CREDENTIAL', 1, app.clock.now())).affectedServers.map((finding) => finding.server.publicId),
      )
      .toContain(public_id)
    expect((await dryRunDetector(app.db, 'ANNOUNCE_FLOOD', 1, app.clock.now())).affectedServers).toEqual([])
    expect(
      (await dryRunDetector(app.db, 'ADDRESS_MISMATCH', 1, app.clock.now())).affectedServers.map((finding) => finding.server.publicId),
    ).not.toContain(public_id)
  })

  test('rejects unknown detectors and lists the available ones', async () => {
    await expect(protection(['try', 'EVERYTHING'])).rejects.toThrow(/“EVERYTHING”.*ADDRESS_MISMATCH, REVOKED_CREDENTIAL/)
    await expect(protection(['try'])).rejects.toThrow(/ANNOUNCE_FLOOD/)
    await expect(protection(['try', 'IMPERSONATION', '--days', '30'])).rejects.toThrow(/--days/)
    await expect(protection(['do'])).rejects.toThrow(/Usage/)
  })
})

describe('a switched-off check', () => {
  test('opens no issue, but an owner’s action still resolves an issue with a chosen consequence', async () => {
    const off = await startApp({ PROTECTION_OFF: 'ADDRESS_MISMATCH,IMPERSONATION' })
    const [owner, admin] = [await off.newUser(), await off.signIn('admin')]
    const { public_id: publicId, credential } = await buildServer(owner)
    const found = await raiseIssue(off, owner, { kind: 'IMPERSONATION', publicId })
    expect(
      (await admin.call(changeIssue, { params: { id: found.id }, body: { consequence: 'UNLISTED', note: 'Looked at.' } })).status,
    ).toBe(200)
    expect((await announceFrom(off, credential, {}, { from: '127.0.0.1' })).status).toBe(200)
    await announceFrom(off, credential, {}, { from: THIEF })
    await owner.call(servers.change, { params: { id: publicId }, body: { name: `Renamed ${publicId}` } })
    await off.findings.flush()
    expect((await issuesOf(owner)).map(({ kind, status }) => [kind, status])).toEqual([['IMPERSONATION', 'RESOLVED']])
  })
})

describe('with rate limits', () => {
  test('a flood opens an issue, a burst after a restart and a switched-off check do not', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on', PROTECTION_OFF: 'ADDRESS_MISMATCH,IMPERSONATION' })
    const [floods, bursts] = [await limited.signIn('floods'), await limited.signIn('bursts')]
    const [flooding, bursting] = [await buildServer(floods), await buildServer(bursts)]
    const send = (credential: string, count: number, from = '127.0.0.1') =>
      Promise.all(Array.from({ length: count }, () => announceFrom(limited, credential, {}, { from })))
    await send(bursting.credential, 40)
    for (let minute = 0; minute < 12; minute += 1) {
      await send(flooding.credential, 25)
      await send(bursting.credential, 2)
      // A flood from another address does not count against the server.
      await send(bursting.credential, 25, THIEF)
      limited.clock.advance(60_000)
    }
    await limited.findings.flush()
    expect(await issuesOf(floods)).toMatchObject([{ kind: 'ANNOUNCE_FLOOD', severity: 'MEDIUM', status: 'OPEN' }])
    expect(await issuesOf(bursts)).toEqual([])
  })
})

/** The detectors in the running program: what game servers send, what becomes of it for their owners, and what it leaves alone. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type IssueKind, changeIssue, issue } from '#contract/protection.ts'
import * as servers from '#contract/servers.ts'
import { changeAdminServer } from '#contract/servers-admin.ts'
import { protection } from '#backend/cli/protection.ts'
import { buildServer } from '#tests/factories.ts'
import { issuesOf, raiseOne } from '#tests/findings.ts'
import { type SignedIn, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readOne, send } from '#tests/list/send.ts'
import { PlayerSampler } from '#backend/features/history/player-sampler.ts'
import { startOf } from '#backend/features/history/time.ts'
import { createLog } from '#backend/platform/log.ts'
import { type OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { dryRunDetector } from './dry-run.ts'
import { DetectorRunner } from './detector-runner.ts'

const HOUR = 3_600_000
const THIEF = '127.0.0.2'

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function ownServer(name?: string) {
  const owner = await app.someone()
  return { owner, ...(await buildServer(owner, name === undefined ? {} : { name })) }
}

/** Every half minute, with the clock moved on. */
async function halfMinutes(count: number, send: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await send(round)
    app.clock.advance(30_000)
  }
}

/** The issues of a kind once everything that was found is written. */
async function found(owner: SignedIn, kind: IssueKind) {
  await app.findings.flush()
  return (await issuesOf(owner)).filter((issue) => issue.kind === kind)
}

const beat = () => app.runJob('sample-players')

describe('a credential at another address', () => {
  test('while its server announces too is one issue, told in the announce, and over with a reissue', async () => {
    const { owner, credential, public_id } = await ownServer()
    const both = async () => {
      expect((await announceFrom(app, credential)).status).toBe(200)
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    }
    await halfMinutes(30, both)
    const issues = await found(owner, 'ADDRESS_MISMATCH')
    expect(issues).toMatchObject([{ severity: 'HIGH', status: 'OPEN', consequence: 'NOTICE', server: { public_id } }])
    expect(issues[0]?.occurrences).toBeGreaterThan(15)
    expect(issues[0]?.evidence.items.map((item) => item.address)).not.toContain(THIEF)
    const notices = async (text: string) => (await announceFrom(app, text)).reply.notices.map((notice) => notice.code)
    await expect.poll(() => notices(credential)).toEqual(['ADDRESS_MISMATCH'])
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    expect(await found(owner, 'ADDRESS_MISMATCH')).toMatchObject([{ status: 'RESOLVED' }])
    await expect.poll(() => notices(data.credential)).toEqual([])
  })

  test('is found as well while a new credential waits to be bound, and the old one is used elsewhere', async () => {
    const { owner, credential, public_id } = await ownServer()
    expect((await announceFrom(app, credential)).status).toBe(200)
    await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    expect(await found(owner, 'ADDRESS_MISMATCH')).toMatchObject([
      { severity: 'MEDIUM', summary: "The server's credential was used from another address shortly after the server itself announced." },
    ])
  })

  test('of a server that has moved, and whose owner resets the address, is none', async () => {
    const { owner, credential, public_id } = await ownServer()
    await announceFrom(app, credential)
    // It has stopped where it was, and the list has seen it go.
    app.clock.advance(120_000)
    await expect.poll(async () => (await readOne(app, public_id)).available).toBe(false)
    await halfMinutes(20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    })
    await owner.call(servers.resetAddress, { params: { id: public_id } })
    await halfMinutes(20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(200)
    })
    expect(await found(owner, 'ADDRESS_MISMATCH')).toEqual([])
  })
})

describe('a revoked credential', () => {
  test('that keeps announcing is one issue; one that stops with its second try is none', async () => {
    const [keeps, stops] = [await ownServer(), await ownServer()]
    for (const { owner, credential, public_id } of [keeps, stops]) {
      await announceFrom(app, credential)
      await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    }
    await halfMinutes(24, async (round) => {
      expect((await announceFrom(app, keeps.credential)).status).toBe(401)
      if (round < 2) await announceFrom(app, stops.credential)
    })
    expect(await found(keeps.owner, 'REVOKED_CREDENTIAL')).toMatchObject([{ severity: 'MEDIUM', status: 'OPEN' }])
    expect(await found(stops.owner, 'REVOKED_CREDENTIAL')).toEqual([])
  })
})

describe('numbers of players', () => {
  test('above the slots by one are an issue only in a row', async () => {
    const [between, always] = [await ownServer(), await ownServer()]
    await halfMinutes(8, async (round) => {
      await announceFrom(app, between.credential, { playersCount: 64 + (round % 2), maxPlayersCount: 64 })
      await announceFrom(app, always.credential, { playersCount: 65, maxPlayersCount: 64 })
    })
    expect(await found(between.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
    expect(await found(always.owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN' }])
  })

  test('above the slots are one issue and do not count; at the slots they are believed', async () => {
    const [above, full] = [await ownServer(), await ownServer()]
    await halfMinutes(24, async () => {
      await announceFrom(app, above.credential, { playersCount: 90, maxPlayersCount: 64 })
      await announceFrom(app, full.credential, { playersCount: 64, maxPlayersCount: 64 })
    })
    expect(await found(above.owner, 'IMPLAUSIBLE_PLAYERS')).toMatchObject([{ status: 'OPEN', severity: 'MEDIUM' }])
    expect(await found(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
    await announceFrom(app, above.credential, { playersCount: 10, maxPlayersCount: 64 })
    await expect.poll(async () => (await readOne(app, above.public_id)).playersConfirmed).toBe(false)
    expect((await readOne(app, full.public_id)).playersConfirmed).toBe(true)
  })

  test('that stood still for hours are found after a restart too, with the numbers as evidence', async () => {
    const [still, full] = [await ownServer(), await ownServer()]
    const send = async () => {
      await announceFrom(app, still.credential, { playersCount: 42, maxPlayersCount: 64 })
      await announceFrom(app, full.credential, { playersCount: 64, maxPlayersCount: 64 })
    }
    // Early in an hour: what is stored below ends with the one before.
    app.clock.advance(HOUR - (app.clock.now() % HOUR) + 300_000)
    await send()
    const now = app.clock.now()
    const hours = Array.from({ length: 9 }, (_, back) => new Date(now - (now % HOUR) - (back + 1) * HOUR))
    for (const [server_id, players] of [
      [still.public_id, 42],
      [full.public_id, 64],
    ] as const) {
      const rows = hours.map((hour) => ({ server_id, hour, players: Array.from({ length: 60 }, () => players) }))
      await app.db.insertInto('player_samples').values(rows).execute()
    }
    await app.restart()
    expect((await dryRunDetector(app.db, 'IMPLAUSIBLE_PLAYERS', 7, now)).found.map((one) => one.server.publicId)).toEqual([still.public_id])
    await send()
    await expect
      .poll(() => found(still.owner, 'IMPLAUSIBLE_PLAYERS'))
      .toMatchObject([{ summary: expect.stringContaining('same number') as string }])
    const [one] = await found(still.owner, 'IMPLAUSIBLE_PLAYERS')
    expect(one?.evidence.series.length).toBeGreaterThan(20)
    expect(one?.evidence.series.every((point) => point.players === 42 && point.slots === 64)).toBe(true)
    expect(await found(full.owner, 'IMPLAUSIBLE_PLAYERS')).toEqual([])
  })

  test('are kept minute by minute, over a restart and without a server that was deleted meanwhile', async () => {
    const [kept, deleted] = [await ownServer(), await ownServer()]
    // From a whole hour on, so that the minutes below lie in one.
    app.clock.advance(HOUR - (app.clock.now() % HOUR))
    const from = startOf(app.clock.now(), HOUR)
    const minutes = async (...players: number[]) => {
      for (const playersCount of players) {
        for (const { credential } of [kept, deleted]) await announceFrom(app, credential, { playersCount })
        await beat()
        app.clock.advance(60_000)
      }
    }
    await minutes(3, 5)
    await deleted.owner.call(servers.remove, { params: { id: deleted.public_id } })
    await app.restart()
    await minutes(7)
    await beat()
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

describe('what is stored of players', () => {
  const read = async (server_id: string) =>
    (await app.db.selectFrom('player_samples').select('players').where('server_id', '=', server_id).execute())[0]?.players
  /** A node of its own, which looks at this server once in each of these minutes of its hour. */
  const look = async (publicId: string, clock: { now: number }, players: number, ...minutes: readonly number[]) => {
    const announced = { playersCount: players, maxPlayersCount: 64, queueCount: 0 }
    const sampling = new PlayerSampler({ db: app.db, clock: { now: () => clock.now, uptime: () => 0 } }, () => [
      { publicId, online: true, isListed: true, fields: { createdAt: 0 }, announced },
    ])
    const from = clock.now
    for (const minute of minutes) {
      clock.now = from + minute * 60_000
      await sampling.sample(() => {})
    }
    await sampling.flush()
    clock.now = from
  }

  test('by one node or before a clock went back stays where another did not look', async () => {
    const { public_id } = await ownServer()
    const clock = { now: Date.UTC(2026, 5, 1, 12) }
    await look(public_id, clock, 5, 0, 1, 2)
    await look(public_id, clock, 7, 2, 4)
    expect((await read(public_id))?.slice(0, 6)).toEqual([5, 5, 7, -2, 7, -2])
  })
})

test('one server that can not be looked at costs no other one its minute, and a finding says whose server it was', async () => {
  const record = (publicId: string) => {
    const server = new ServerRecord({ publicId, ownerId: `owner of ${publicId}` } as OwnerFields)
    server.announced = { playersCount: 5, maxPlayersCount: 64, queueCount: 0 } as ServerRecord['announced']
    server.online = true
    return server
  }
  const [broken, whole] = [record('Broken1'), record('Whole12')]
  const seen: string[] = []
  const raised: (string | undefined)[] = []
  const findings = { report: (finding: Finding) => void raised.push(finding.ownerId), resolve: () => {} }
  const paceOf = ({ publicId }: ServerRecord) => {
    if (publicId === 'Broken1') throw new Error('broken')
    seen.push(publicId)
    return 0
  }
  const known = { get: (id: string) => [broken, whole].find((one) => one.publicId === id), all: () => [broken, whole] }
  const clock = { now: () => Date.UTC(2026, 5, 2), uptime: () => 0 }
  const watching = new DetectorRunner({ env: app.env, db: app.db, clock, log: createLog('silent') }, known, findings, paceOf)
  await watching.tick()
  expect(seen).toEqual(['Whole12'])
  watching.aboveSlots(whole, 90, clock.now(), false)
  expect(raised).toEqual(['owner of Whole12'])
})

describe('the end of the program', () => {
  test('does not wait until all that is stored is learned', async () => {
    const { public_id } = await ownServer()
    const from = Date.UTC(2026, 0)
    const hours = Array.from({ length: 2100 }, (_, hour) => new Date(from + hour * HOUR))
    const rows = hours.map((hour) => ({ server_id: public_id, hour, players: Array.from({ length: 60 }, () => 3) }))
    await app.db.insertInto('player_samples').values(rows).execute()
    let questions = 0
    const db = app.db.withPlugin({
      transformQuery: ({ node }) => {
        questions += 1
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const clock = { now: () => from, uptime: () => 0 }
    const none = { report: () => {}, resolve: () => {} }
    const learn = async (isStopping: boolean) => {
      questions = 0
      const watching = new DetectorRunner(
        { env: app.env, db, clock, log: createLog('silent') },
        { get: () => undefined, all: () => [] },
        none,
        () => 0,
      )
      if (isStopping) watching.stop()
      await watching.tick()
      await watching.close()
      return questions
    }
    const whole = await learn(false)
    expect(await learn(true)).toBe(1)
    expect(whole).toBeGreaterThan(1)
    await app.db.deleteFrom('player_samples').where('server_id', '=', public_id).execute()
  })
})

describe('a call of a game server beside its announces', () => {
  test('with a revoked credential is no announce, and no finding', async () => {
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
    expect(await found(owner, 'REVOKED_CREDENTIAL')).toEqual([])
    const { data } = await owner.call(servers.get, { params: { id: public_id } })
    expect(data.listing.reasons.map((reason) => reason.code)).not.toContain('CREDENTIAL_REVOKED')
  })
})

describe('a name', () => {
  const verify = async (id: string, verified: boolean) => {
    const { status, text } = await admin.call(changeAdminServer, { params: { id }, body: { verified } })
    expect(status, text).toBe(200)
  }

  test('close to a verified server’s is an issue until it is changed; one that only begins alike is none', async () => {
    const real = await ownServer('Red River RP')
    await verify(real.public_id, true)
    const [fake, honest] = [await ownServer('Red River RP Official'), await ownServer('Red Rock RP')]
    expect(await found(fake.owner, 'IMPERSONATION')).toMatchObject([
      { severity: 'HIGH', status: 'OPEN', server: { public_id: fake.public_id } },
    ])
    expect(await found(honest.owner, 'IMPERSONATION')).toEqual([])
    expect(await found(real.owner, 'IMPERSONATION')).toEqual([])
    const trial = await dryRunDetector(app.db, 'IMPERSONATION', 7, app.clock.now())
    expect(trial.found.map((one) => one.server.publicId)).toEqual([fake.public_id])
    const rename = (name: string) => fake.owner.call(servers.change, { params: { id: fake.public_id }, body: { name } })
    const [before] = await found(fake.owner, 'IMPERSONATION')
    await rename('Red-River Roleplay')
    expect(await found(fake.owner, 'IMPERSONATION')).toMatchObject([{ id: before?.id, status: 'OPEN', occurrences: 2 }])
    await rename('Crimson Creek RP')
    expect(await found(fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'RESOLVED' }])
    await rename('Red Rivver RP')
    expect(await found(fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN' }, { status: 'RESOLVED' }])
    await verify(real.public_id, false)
    await expect.poll(async () => (await found(fake.owner, 'IMPERSONATION')).map((issue) => issue.status)).toEqual(['RESOLVED', 'RESOLVED'])
  })
})

describe('a name close to one that is only promoted', () => {
  test('is told of and climbs to nothing', async () => {
    const { owner, public_id: publicId } = await ownServer()
    const { id } = await raiseOne(app, owner, { kind: 'IMPERSONATION', publicId, severity: 'MEDIUM' })
    const { data } = await owner.call(issue, { params: { userId: owner.id, issueId: id } })
    expect(data).toMatchObject({ consequence: 'NOTICE', next_consequence: null })
    app.clock.advance(49 * HOUR)
    await app.runJob('escalate-issues')
    expect(await found(owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN', consequence: 'NOTICE' }])
  })
})

describe('a trial', () => {
  test('of what is stored finds who keeps using an old credential', async () => {
    const { credential, owner, public_id } = await ownServer()
    await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    await halfMinutes(24, () => announceFrom(app, credential))
    await expect
      .poll(async () => (await dryRunDetector(app.db, 'REVOKED_CREDENTIAL', 1, app.clock.now())).found.map((one) => one.server.publicId))
      .toContain(public_id)
    expect((await dryRunDetector(app.db, 'ANNOUNCE_FLOOD', 1, app.clock.now())).found).toEqual([])
    expect((await dryRunDetector(app.db, 'ADDRESS_MISMATCH', 1, app.clock.now())).found.map((one) => one.server.publicId)).not.toContain(
      public_id,
    )
  })

  test('of a detector that there is not names those that there are', async () => {
    await expect(protection(['try', 'EVERYTHING'])).rejects.toThrow(/“EVERYTHING”.*ADDRESS_MISMATCH, REVOKED_CREDENTIAL/)
    await expect(protection(['try'])).rejects.toThrow(/ANNOUNCE_FLOOD/)
    await expect(protection(['try', 'IMPERSONATION', '--days', '30'])).rejects.toThrow(/--days/)
    await expect(protection(['do'])).rejects.toThrow(/Usage/)
  })
})

describe('a check that is switched off', () => {
  test('finds nothing new, and what an administrator kept in force still ends by the owner’s act', async () => {
    const off = await startApp({ PROTECTION_OFF: 'ADDRESS_MISMATCH,IMPERSONATION' })
    const [owner, admin] = [await off.someone(), await off.signIn('admin')]
    const { public_id: publicId, credential } = await buildServer(owner)
    const found = await raiseOne(off, owner, { kind: 'IMPERSONATION', publicId })
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

describe('with limits', () => {
  test('a flood is an issue, a burst at a restart is none, and what is switched off finds nothing', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on', PROTECTION_OFF: 'ADDRESS_MISMATCH,IMPERSONATION' })
    const [floods, bursts] = [await limited.signIn('floods'), await limited.signIn('bursts')]
    const [flooding, bursting] = [await buildServer(floods), await buildServer(bursts)]
    const send = (credential: string, count: number, from = '127.0.0.1') =>
      Promise.all(Array.from({ length: count }, () => announceFrom(limited, credential, {}, { from })))
    await send(bursting.credential, 40)
    for (let minute = 0; minute < 12; minute += 1) {
      await send(flooding.credential, 25)
      await send(bursting.credential, 2)
      // Whoever has stolen the credential floods in his own name only.
      await send(bursting.credential, 25, THIEF)
      limited.clock.advance(60_000)
    }
    await limited.findings.flush()
    expect(await issuesOf(floods)).toMatchObject([{ kind: 'ANNOUNCE_FLOOD', severity: 'MEDIUM', status: 'OPEN' }])
    expect(await issuesOf(bursts)).toEqual([])
  })
})

/** Detectors in the running program: from announces to issues. */
import { beforeAll, describe, expect, test } from 'vitest'
import { changeIssue, issue } from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import { changeAdminServer } from '#contract/servers/servers-admin.ts'
import { protection } from '#backend/cli/protection.ts'
import { buildServer } from '#tests/factories.ts'
import { everyHalfMinute, issuesOf, issuesOfKind, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readOne, send } from '#tests/list/send.ts'
import { dryRunDetector } from './dry-run.ts'

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

describe('address mismatch', () => {
  test('opens one issue with a notice while both addresses announce, and a reissue resolves it', async () => {
    const { owner, credential, public_id } = await ownServer()
    const announceFromBoth = async () => {
      expect((await announceFrom(app, credential)).status).toBe(200)
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    }
    await everyHalfMinute(app, 30, announceFromBoth)
    const issues = await issuesOfKind(app, owner, 'ADDRESS_MISMATCH')
    expect(issues).toMatchObject([{ severity: 'HIGH', status: 'OPEN', consequence: 'NOTICE', server: { public_id } }])
    expect(issues[0]?.occurrences).toBeGreaterThan(15)
    expect(issues[0]?.evidence.items.map((item) => item.address)).not.toContain(THIEF)
    const notices = async (text: string) => (await announceFrom(app, text)).reply.notices.map((notice) => notice.code)
    await expect.poll(() => notices(credential)).toEqual(['ADDRESS_MISMATCH'])
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    expect(await issuesOfKind(app, owner, 'ADDRESS_MISMATCH')).toMatchObject([{ status: 'RESOLVED' }])
    await expect.poll(() => notices(data.credential)).toEqual([])
  })

  test('is also reported while the new credential is unbound and the old one is used elsewhere', async () => {
    const { owner, credential, public_id } = await ownServer()
    expect((await announceFrom(app, credential)).status).toBe(200)
    await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    expect(await issuesOfKind(app, owner, 'ADDRESS_MISMATCH')).toMatchObject([
      { severity: 'MEDIUM', summary: "The server's credential was used from another address shortly after the server itself announced." },
    ])
  })

  test('is not reported for a moved server whose owner resets the address', async () => {
    const { owner, credential, public_id } = await ownServer()
    await announceFrom(app, credential)
    // The server stops at its old address and expires from the list.
    app.clock.advance(120_000)
    await expect.poll(async () => (await readOne(app, public_id)).available).toBe(false)
    await everyHalfMinute(app, 20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(409)
    })
    await owner.call(servers.resetAddress, { params: { id: public_id } })
    await everyHalfMinute(app, 20, async () => {
      expect((await announceFrom(app, credential, {}, { from: THIEF })).status).toBe(200)
    })
    expect(await issuesOfKind(app, owner, 'ADDRESS_MISMATCH')).toEqual([])
  })
})

describe('revoked credential', () => {
  test('opens one issue if it keeps announcing, and none if it stops after two attempts', async () => {
    const [ongoing, stopped] = [await ownServer(), await ownServer()]
    for (const { owner, credential, public_id } of [ongoing, stopped]) {
      await announceFrom(app, credential)
      await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    }
    await everyHalfMinute(app, 24, async (round) => {
      expect((await announceFrom(app, ongoing.credential)).status).toBe(401)
      if (round < 2) await announceFrom(app, stopped.credential)
    })
    expect(await issuesOfKind(app, ongoing.owner, 'REVOKED_CREDENTIAL')).toMatchObject([{ severity: 'MEDIUM', status: 'OPEN' }])
    expect(await issuesOfKind(app, stopped.owner, 'REVOKED_CREDENTIAL')).toEqual([])
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
    expect(await issuesOfKind(app, owner, 'REVOKED_CREDENTIAL')).toEqual([])
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
    expect(await issuesOfKind(app, fake.owner, 'IMPERSONATION')).toMatchObject([
      { severity: 'HIGH', status: 'OPEN', server: { public_id: fake.public_id } },
    ])
    expect(await issuesOfKind(app, honest.owner, 'IMPERSONATION')).toEqual([])
    expect(await issuesOfKind(app, real.owner, 'IMPERSONATION')).toEqual([])
    const dryRun = await dryRunDetector(app.db, 'IMPERSONATION', 7, app.clock.now())
    expect(dryRun.affectedServers.map((finding) => finding.server.publicId)).toEqual([fake.public_id])
    const rename = (name: string) => fake.owner.call(servers.change, { params: { id: fake.public_id }, body: { name } })
    const [previous] = await issuesOfKind(app, fake.owner, 'IMPERSONATION')
    await rename('Red-River Roleplay')
    expect(await issuesOfKind(app, fake.owner, 'IMPERSONATION')).toMatchObject([{ id: previous?.id, status: 'OPEN', occurrences: 2 }])
    await rename('Crimson Creek RP')
    expect(await issuesOfKind(app, fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'RESOLVED' }])
    await rename('Red Rivver RP')
    expect(await issuesOfKind(app, fake.owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN' }, { status: 'RESOLVED' }])
    await verify(real.public_id, false)
    await expect
      .poll(async () => (await issuesOfKind(app, fake.owner, 'IMPERSONATION')).map((issue) => issue.status))
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
    expect(await issuesOfKind(app, owner, 'IMPERSONATION')).toMatchObject([{ status: 'OPEN', consequence: 'NOTICE' }])
  })
})

describe('a dry run', () => {
  test('finds servers that keep using an old credential', async () => {
    const { credential, owner, public_id } = await ownServer()
    await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    await everyHalfMinute(app, 24, () => announceFrom(app, credential))
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

/** Escalation and auto-resolution over time, with a test clock. */
import { beforeAll, expect, test } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import { change as changeServer } from '#contract/servers/servers.ts'
import { buildServer, newName, setTier } from '#tests/factories.ts'
import { changeAdminServer } from '#contract/servers/servers-admin.ts'
import { issuesOf, reportFindings, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { DETECTORS } from './detectors.ts'
import type { Finding } from './finding.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Enough time for the list and the job, even on a busy machine. */
const SOON = { timeout: 15_000 }

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  await setTier(app, admin.id, 'DIAMOND_ALTRUIST')
})

/** A server with an impersonation issue that the running list opened. */
async function createImitation() {
  const { public_id: id, name } = await buildServer(admin)
  const verified = await admin.call(changeAdminServer, { params: { id }, body: { verified: true } })
  expect(verified.status, verified.text).toBe(200)
  const owner = await app.newUser()
  await buildServer(owner, { name: `${name} official` })
  await expect.poll(() => issuesOf(owner), SOON).toHaveLength(1)
  const [issue] = await issuesOf(owner)
  return issueHandle(owner, issue?.id ?? '')
}

async function withIssue(kind: protection.IssueKind, overrides: Partial<Finding> = {}) {
  const owner = await app.newUser()
  const { public_id: publicId } = await buildServer(owner)
  const finding = { ...overrides, kind, publicId }
  const { id } = await raiseIssue(app, owner, finding)
  return { ...issueHandle(owner, id), repeat: () => reportFindings(app, finding) }
}

function issueHandle(owner: SignedInUser, id: string) {
  const detail = async () => (await owner.call(protection.issue, { params: { userId: owner.id, issueId: id } })).data
  return { owner, id, detail, state: async () => [(await detail()).status, (await detail()).consequence] }
}

/** Repeats the finding every 11 hours until then. */
async function repeatUntil({ repeat }: { repeat: () => Promise<void> }, until: number): Promise<void> {
  for (let remaining = until - app.clock.now(); remaining > 0; remaining = until - app.clock.now()) {
    app.clock.advance(Math.min(remaining, 11 * HOUR_MS))
    await repeat()
  }
}

const runEscalation = (program = app) => program.runJob('escalate-issues')

test('an open issue escalates on time, shows the next step, and stops after the last step of its policy', async () => {
  const { owner, detail, state } = await createImitation()
  const { next_consequence: next, timeline } = await detail()
  expect(next).toEqual({ consequence: 'UNRANKED', at: new Date(Date.parse(timeline[0]?.at ?? '') + 48 * HOUR_MS).toISOString() })
  app.clock.advance(47 * HOUR_MS)
  await runEscalation()
  expect(await state()).toEqual(['OPEN', 'NOTICE'])
  app.clock.advance(HOUR_MS)
  // The job runs on its timer here. Other tests call it.
  await expect.poll(state, SOON).toEqual(['OPEN', 'UNRANKED'])
  const escalated = await detail()
  expect(escalated.next_consequence).toBeNull()
  expect(escalated.timeline.at(-1)).toMatchObject({ kind: 'CONSEQUENCE', by: 'system', consequence: 'UNRANKED', actor: null })
  const activity = await app.db.selectFrom('activity').selectAll().where('owner_id', '=', owner.id).orderBy('id', 'desc').executeTakeFirst()
  expect(activity).toMatchObject({
    action: 'ISSUE_CONSEQUENCE_CHANGED',
    role: 'system',
    before: { consequence: 'NOTICE' },
    after: { consequence: 'UNRANKED', kind: 'IMPERSONATION' },
  })
  app.clock.advance(1000 * HOUR_MS)
  await runEscalation()
  expect(await state()).toEqual(['OPEN', 'UNRANKED'])
})

test('an ongoing issue escalates step by step, and a stopped one keeps its consequence until it resolves', async () => {
  const [ongoing, stopped] = [await withIssue('IMPLAUSIBLE_PLAYERS'), await withIssue('IMPLAUSIBLE_PLAYERS')]
  await stopped.repeat()
  for (const [steps, { consequence, afterMs }] of DETECTORS.IMPLAUSIBLE_PLAYERS.escalationPolicy.entries()) {
    // Each step is slightly late and delays the next one, so allow one more minute per step.
    await repeatUntil(ongoing, Date.parse((await ongoing.detail()).first_seen_at) + afterMs + (steps + 1) * 60_000)
    await runEscalation()
    expect(await ongoing.state()).toEqual(['OPEN', consequence])
  }
  expect(await stopped.state()).toEqual(['OPEN', 'NOTICE'])
  expect((await stopped.detail()).next_consequence).toBeNull()
  app.clock.advance(3 * DAY_MS)
  await runEscalation()
  expect(await stopped.state()).toEqual(['RESOLVED', 'NOTICE'])
  expect((await stopped.detail()).timeline.at(-1)).toMatchObject({ kind: 'STATUS', by: 'system', status: 'RESOLVED' })
  expect(await ongoing.state()).toEqual(['OPEN', 'UNLISTED'])
  const resolutions = app.db
    .selectFrom('activity')
    .selectAll()
    .where('owner_id', '=', stopped.owner.id)
    .where('action', '=', 'ISSUE_RESOLVED')
  expect(await resolutions.execute()).toMatchObject([{ before: { status: 'OPEN' }, after: { status: 'RESOLVED' } }])
})

test('an issue that repeats after days of quiet restarts its escalation and skips no step', async () => {
  const issue = await withIssue('IMPLAUSIBLE_PLAYERS')
  await issue.repeat()
  app.clock.advance(6 * DAY_MS)
  await issue.repeat()
  const repeatedAt = app.clock.now()
  const { last_seen_at: seen, next_consequence: next } = await issue.detail()
  expect(next).toEqual({ consequence: 'UNRANKED', at: new Date(Date.parse(seen) + 2 * DAY_MS).toISOString() })
  await runEscalation()
  expect(await issue.state()).toEqual(['OPEN', 'NOTICE'])
  await repeatUntil(issue, repeatedAt + 2 * DAY_MS)
  await runEscalation()
  expect(await issue.state()).toEqual(['OPEN', 'UNRANKED'])
  const { timeline, next_consequence: last } = await issue.detail()
  const escalatedAt = Date.parse(timeline.at(-1)?.at ?? '')
  expect(last).toEqual({ consequence: 'UNLISTED', at: new Date(escalatedAt + 3 * DAY_MS).toISOString() })
})

test('a late step delays the next one by its full wait', async () => {
  const issue = await withIssue('IMPLAUSIBLE_PLAYERS')
  // Both steps are due, as after an outage.
  const first = new Date(app.clock.now() - 6 * DAY_MS)
  await issue.repeat()
  await issue.repeat()
  await app.db.updateTable('protection_issues').set({ opened_at: first, consequence_at: first }).where('id', '=', issue.id).execute()
  await runEscalation()
  expect(await issue.state()).toEqual(['OPEN', 'UNRANKED'])
  await runEscalation()
  expect(await issue.state()).toEqual(['OPEN', 'UNRANKED'])
})

test('a short-lived issue resolves early only for its fingerprint and up to its number of occurrences', async () => {
  const { shortLived } = DETECTORS.IMPLAUSIBLE_PLAYERS
  const [few, other, often] = [
    await withIssue('IMPLAUSIBLE_PLAYERS', { fingerprint: shortLived?.fingerprint ?? '' }),
    await withIssue('IMPLAUSIBLE_PLAYERS', { fingerprint: 'another' }),
    await withIssue('IMPLAUSIBLE_PLAYERS', {
      fingerprint: shortLived?.fingerprint ?? '',
      occurrences: (shortLived?.maxOccurrences ?? 0) + 1,
    }),
  ]
  app.clock.advance((shortLived?.autoResolveAfterMs ?? 0) - 60_000)
  await runEscalation()
  expect(await few.state()).toEqual(['OPEN', 'NOTICE'])
  app.clock.advance(120_000)
  await runEscalation()
  expect(await few.state()).toEqual(['RESOLVED', 'NOTICE'])
  await runEscalation()
  expect([await other.state(), await often.state()]).toEqual(Array(2).fill(['OPEN', 'NOTICE']))
})

test('a consequence chosen by an administrator does not escalate, and a reopened issue restarts its escalation', async () => {
  const [chosen, reopened] = [await createImitation(), await createImitation()]
  const moderate = (id: string, body: protection.IssueChanges) => admin.call(protection.changeIssue, { params: { id }, body })
  await moderate(chosen.id, { consequence: 'NOTICE' })
  await moderate(reopened.id, { status: 'DISMISSED' })
  app.clock.advance(49 * HOUR_MS)
  await moderate(reopened.id, { status: 'OPEN' })
  await runEscalation()
  expect([await chosen.state(), await reopened.state()]).toEqual([
    ['OPEN', 'NOTICE'],
    ['OPEN', 'NOTICE'],
  ])
  app.clock.advance(49 * HOUR_MS)
  await runEscalation()
  expect(await reopened.state()).toEqual(['OPEN', 'UNRANKED'])
  expect(await chosen.state()).toEqual(['OPEN', 'NOTICE'])
})

test('a quiet issue resolves automatically, and a reopened one gets the full time again', async () => {
  const { owner, id, repeat, state } = await withIssue('ADDRESS_MISMATCH')
  app.clock.advance(23 * HOUR_MS)
  await repeat()
  app.clock.advance(23 * HOUR_MS)
  await runEscalation()
  expect(await state()).toEqual(['OPEN', 'NOTICE'])
  app.clock.advance(2 * HOUR_MS)
  await runEscalation()
  expect(await state()).toEqual(['RESOLVED', 'NOTICE'])
  await admin.call(protection.changeIssue, { params: { id }, body: { status: 'ACKNOWLEDGED' } })
  await runEscalation()
  expect(await state()).toEqual(['ACKNOWLEDGED', 'NOTICE'])
  app.clock.advance(25 * HOUR_MS)
  await runEscalation()
  expect(await state()).toEqual(['RESOLVED', 'NOTICE'])
  expect(await issuesOf(owner)).toHaveLength(1)
})

test('switching a check off resolves its issues instead of escalating them', async () => {
  const off = await startApp({ PROTECTION_OFF: 'REVOKED_CREDENTIAL' })
  const owner = await off.newUser()
  const { public_id: publicId } = await buildServer(owner)
  const { id } = await raiseIssue(off, owner, { kind: 'REVOKED_CREDENTIAL', publicId })
  await reportFindings(off, { kind: 'ANNOUNCE_FLOOD', publicId })
  off.clock.advance(10)
  const resolvedKinds = async () => (await issuesOf(owner)).filter((issue) => issue.status === 'RESOLVED').map((issue) => issue.kind)
  await runEscalation(off)
  expect(await resolvedKinds()).toEqual(['REVOKED_CREDENTIAL'])
  const { data } = await owner.call(protection.issue, { params: { userId: owner.id, issueId: id } })
  expect(data.timeline.at(-1)?.text).toBe('The check is switched off.')
})

const moderate = async (id: string, body: protection.IssueChanges) => {
  const changed = await admin.call(protection.changeIssue, { params: { id }, body })
  expect(changed.status, changed.text).toBe(200)
}

test('a consequence chosen by an administrator survives auto-resolution', async () => {
  const chosen = await withIssue('ANNOUNCE_FLOOD')
  const automatic = await withIssue('ANNOUNCE_FLOOD')
  await moderate(chosen.id, { consequence: 'UNLISTED' })
  app.clock.advance(2 * HOUR_MS)
  await runEscalation()
  expect(await automatic.state()).toEqual(['RESOLVED', 'NOTICE'])
  expect(await chosen.state()).toEqual(['OPEN', 'UNLISTED'])
  const { server } = await chosen.detail()
  app.findings.resolve('ANNOUNCE_FLOOD', server?.public_id ?? '', 'It stopped.')
  await chosen.repeat()
  expect((await issuesOf(chosen.owner)).map((issue) => [issue.status, issue.consequence])).toEqual([
    ['OPEN', 'UNLISTED'],
    ['RESOLVED', 'UNLISTED'],
  ])
  // An issue resolved by an administrator does not continue.
  const [open] = await issuesOf(chosen.owner)
  await moderate(open?.id ?? '', { status: 'RESOLVED' })
  await chosen.repeat()
  expect((await issuesOf(chosen.owner))[0]).toMatchObject({ status: 'OPEN', consequence: 'NOTICE' })
})

test('renaming an imitation away and back does not restart its escalation', async () => {
  const { owner, detail } = await createImitation()
  const { server } = await detail()
  const params = { id: server?.public_id ?? '' }
  app.clock.advance(47 * HOUR_MS)
  for (const name of [newName(), server?.name ?? '']) {
    expect((await owner.call(changeServer, { params, body: { name } })).status).toBe(200)
    await app.findings.flush()
  }
  const [renamedBack] = await issuesOf(owner)
  expect(renamedBack).toMatchObject({ status: 'OPEN', consequence: 'NOTICE' })
  app.clock.advance(2 * HOUR_MS)
  await runEscalation()
  expect((await issuesOf(owner))[0]?.consequence).toBe('UNRANKED')
})

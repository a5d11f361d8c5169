/** Reports over HTTP: who may report what and how often, what the owner learns, and what administrators decide. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import { ofAccount } from '#contract/activity.ts'
import * as notifications from '#contract/notifications.ts'
import * as protection from '#contract/protection.ts'
import type { BodyIn } from '#contract/endpoint.ts'
import * as reports from '#contract/reports.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import { banServer } from '#contract/servers-admin.ts'
import * as webhooks from '#contract/webhooks.ts'
import { announce, ban, buildApiKey, buildServer, grant, offer, scheduleDeletion } from '#tests/factories.ts'
import { issuesOf } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'
import { type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

const DAY_MS = 86_400_000

let app: TestApp
let admin: SignedInUser
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
  admin = await app.signIn('admin')
})
afterAll(() => host.close())

type Report = BodyIn<typeof reports.report>

const report = (user: TestUser, id: string, body: Report = { reason: 'fake_players' }) =>
  user.call(reports.report, { params: { id }, body })

/** A user whose account is old enough to count. */
async function newReporter(days = 8): Promise<SignedInUser> {
  const user = await app.newUser()
  await app.db
    .updateTable('users')
    .set({ created_at: new Date(app.clock.now() - days * DAY_MS) })
    .where('id', '=', user.id)
    .execute()
  return user
}

async function listedServer() {
  const owner = await app.newUser()
  const server = await buildServer(owner)
  expect((await announce(app, server.credential)).status).toBe(200)
  return { owner, server, id: server.public_id }
}

/** The administrators' view of a server's reports. */
async function moderated(serverId: string) {
  const { data } = await admin.call(protection.issues, { query: { server_id: serverId, kind: 'PLAYER_REPORTS' } })
  const [issue] = data.data
  if (issue === undefined) throw new Error('The server has no issue.')
  return { issue, ...(await admin.call(reports.ofIssue, { params: { id: issue.id } })).data }
}

async function decide(serverId: string, status: 'RESOLVED' | 'DISMISSED' | 'OPEN') {
  const { issue } = await moderated(serverId)
  const { status: code, text } = await admin.call(protection.changeIssue, { params: { id: issue.id }, body: { status } })
  expect(code, text).toBe(200)
  return issue.id
}

const rowsOf = (userId: string) => app.db.selectFrom('server_reports').selectAll().where('user_id', '=', userId).execute()

describe('a report is rejected', () => {
  test.each([
    ['an unknown reason', { reason: 'boring' }, 'reason must be one of'],
    ['details of more than 1000 characters', { reason: 'other', details: 'x'.repeat(1001) }, 'Details'],
    ['an unknown field', { reason: 'other', by: 'me' }, 'by'],
    ['no reason', {}, 'reason'],
  ])('with %s', async (_, body, sentence) => {
    const { id } = await listedServer()
    const user = await newReporter()
    const { status, error } = await report(user, id, body as Report)
    expect({ status, errors: error.errors.join() }).toEqual({ status: 400, errors: expect.stringContaining(sentence) as string })
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('by an anonymous, banned or leaving user, a program, the owner or a manager', async () => {
    const { owner, id } = await listedServer()
    const [banned, leaving, manager] = [await newReporter(), await newReporter(), await newReporter()]
    const program = app.withKey((await buildApiKey(manager, 'servers:write')).key)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    for (const user of [app.anonymous, banned, leaving, program]) expect((await report(user, id)).status).toBe(403)
    for (const user of [owner, manager])
      expect((await report(user, id)).error).toMatchObject({ statusCode: 400, errors: [expect.stringContaining('own or manage')] })
  })

  test('of a server without a public page, as if there were none', async () => {
    const user = await newReporter()
    const [hidden, banned, deleted] = [await listedServer(), await listedServer(), await listedServer()]
    const silent = await buildServer(hidden.owner)
    await hidden.owner.call(servers.change, { params: { id: hidden.id }, body: { visible: false } })
    await admin.call(banServer, { params: { id: banned.id }, body: { banned: true } })
    await deleted.owner.call(servers.remove, { params: { id: deleted.id } })
    for (const id of [hidden.id, banned.id, deleted.id, silent.public_id, 'AAAAAAA', 'no-such-name']) {
      const { status, error } = await report(user, id)
      expect({ id, status, errors: error.errors }).toEqual({ id, status: 404, errors: ['There is no such server.'] })
    }
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('twice within a week, also at the same moment, and accepted after it', async () => {
    const { id } = await listedServer()
    const user = await newReporter()
    const statuses = (await Promise.all([report(user, id), report(user, id)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    expect(await rowsOf(user.id)).toHaveLength(1)
    const { error } = await report(user, id)
    expect(error.errors).toEqual([expect.stringMatching(/^You reported this server on .+ You can report it again on .+\.$/)])
    app.clock.advance(7 * DAY_MS)
    expect((await report(user, id)).status).toBe(200)
    expect((await moderated(id)).issue.occurrences).toBe(1)
  })

  test('as the eleventh of a day', async () => {
    const user = await newReporter()
    const owner = await app.newUser()
    for (let number = 1; number <= 10; number += 1) {
      const server = number % 3 === 1 ? await listedServer() : { id: await anotherOf(owner) }
      expect((await report(user, server.id)).status).toBe(200)
    }
    const { id } = await listedServer()
    const rejected = await report(user, id)
    expect(rejected).toMatchObject({ status: 429, error: { errors: [expect.stringContaining('at most 10 servers a day')] } })
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(80_000)
    app.clock.advance(DAY_MS + 1000)
    expect((await report(user, id)).status).toBe(200)
  })
})

async function anotherOf(owner: SignedInUser): Promise<string> {
  await app.db.updateTable('users').set({ max_servers: 50 }).where('id', '=', owner.id).execute()
  const server = await buildServer(owner)
  await announce(app, server.credential)
  return server.public_id
}

const typesIn = ({ data }: notifications.NotificationList) => data.map(({ type }) => type)

describe('the owner', () => {
  test('learns from the third reporter on how many reported what, and nothing about them', async () => {
    const { owner, server, id } = await listedServer()
    const receiver = host.open()
    const body = { name: 'All', kind: 'standard' as const, url: receiver.url, events: ['issue.opened' as const] }
    expect((await owner.call(webhooks.create, { body })).status).toBe(200)
    const people = [await newReporter(), await newReporter(), await newReporter()]
    const [first, second, third] = people as [SignedInUser, SignedInUser, SignedInUser]
    await report(first, id, { reason: 'fake_players', details: 'secret details' })
    await report(second, id)
    // Administrators see the first reports, the owner sees none.
    const { issue } = await moderated(id)
    expect(issue).toMatchObject({ kind: 'PLAYER_REPORTS', severity: 'LOW', occurrences: 2, consequence: 'NOTICE' })
    expect((await admin.call(reports.ofIssue, { params: { id: issue.id } })).data.is_owner_informed).toBe(false)
    const hidden = async () => [
      await issuesOf(owner),
      (await owner.call(protection.issue, { params: { userId: owner.id, issueId: issue.id } })).status,
      (await owner.call(ofAccount)).data.filter(({ action }) => action !== 'WEBHOOK_CREATED' && action.startsWith('ISSUE')),
      typesIn((await owner.call(notifications.list)).data),
      (await owner.call(account.exportData)).data.held.protection_issues,
      (await (await announce(app, server.credential)).json()) as { notices?: unknown },
    ]
    expect(await hidden()).toMatchObject([[], 404, [], [], [], { notices: [] }])

    await report(third, id, { reason: 'offensive' })
    const [seen] = await issuesOf(owner)
    expect(seen).toMatchObject({ id: issue.id, severity: 'MEDIUM', occurrences: 3, summary: '3 players reported this server.' })
    expect(seen?.evidence.items.map(({ observed }) => observed).toSorted()).toEqual([
      '1 player reported offensive content.',
      '2 players reported fake players.',
    ])
    await expect.poll(() => receiver.received.length).toBe(1)
    const all = await Promise.all([
      owner.call(protection.issue, { params: { userId: owner.id, issueId: issue.id } }),
      owner.call(ofAccount),
      owner.call(notifications.list),
      owner.call(account.exportData),
    ])
    const texts = [...all.map(({ text }) => text), JSON.stringify(receiver.received), await (await announce(app, server.credential)).text()]
    for (const text of texts) {
      expect(text).toContain(issue.id)
      for (const { id: userId } of people) expect(text).not.toContain(userId)
      expect(text).not.toContain('secret details')
      expect(text).not.toContain('SERVER_REPORTED')
    }
  })

  test('learns of a hidden issue when an administrator replies', async () => {
    const { owner, id } = await listedServer()
    await report(await newReporter(), id)
    const { issue } = await moderated(id)
    await admin.call(protection.changeIssue, { params: { id: issue.id }, body: { note: 'Looks real.' } })
    expect(await issuesOf(owner)).toEqual([])
    await admin.call(protection.changeIssue, { params: { id: issue.id }, body: { reply: 'What is this?' } })
    expect(await issuesOf(owner)).toMatchObject([{ id: issue.id }])
    expect(typesIn((await owner.call(notifications.list)).data)).toEqual(expect.arrayContaining(['issue.opened', 'issue.replied']))
  })

  test('does not see it because of accounts that are younger than a week', async () => {
    const { owner, id } = await listedServer()
    for (const days of [0, 3, 6, 8]) expect((await report(await newReporter(days), id)).status).toBe(200)
    expect(await issuesOf(owner)).toEqual([])
    const { reporters, new_reporters: newReporters, reports: all, issue } = await moderated(id)
    expect({ reporters, newReporters, occurrences: issue.occurrences }).toEqual({ reporters: 4, newReporters: 3, occurrences: 1 })
    expect(all.map((each) => each.uncounted_because)).toEqual([null, 'NEW_ACCOUNT', 'NEW_ACCOUNT', 'NEW_ACCOUNT'])
  })
})

describe('administrators', () => {
  test('see every report with its author, and decide all at once', async () => {
    const { id, server } = await listedServer()
    const user = await newReporter()
    await report(user, id, { reason: 'malicious', details: '  It asks\nfor passwords. ' })
    const open = await moderated(id)
    expect(open).toMatchObject({ total: 1, reasons: [{ reason: 'malicious', count: 1 }] })
    expect(open.reports).toMatchObject([
      {
        server: { public_id: id, name: server.name },
        reason: 'malicious',
        details: 'It asks\nfor passwords.',
        reporter: { id: user.id },
        standing: { upheld: 0, dismissed: 0 },
        outcome: null,
      },
    ])
    const decided = async () => (await moderated(id)).reports.map(({ outcome, standing }) => ({ outcome, ...standing }))
    await decide(id, 'RESOLVED')
    expect(await decided()).toEqual([{ outcome: 'upheld', upheld: 1, dismissed: 0 }])
    await decide(id, 'OPEN')
    expect(await decided()).toEqual([{ outcome: null, upheld: 0, dismissed: 0 }])
    await decide(id, 'DISMISSED')
    expect(await decided()).toEqual([{ outcome: 'dismissed', upheld: 0, dismissed: 1 }])
  })

  test('decide nothing by waiting: after 30 quiet days the issue resolves without an outcome', async () => {
    const { id } = await listedServer()
    const user = await newReporter()
    await report(user, id)
    app.clock.advance(30 * DAY_MS + 1000)
    await app.runJob('escalate-issues')
    expect((await moderated(id)).issue.status).toBe('RESOLVED')
    expect(await rowsOf(user.id)).toMatchObject([{ outcome: null }])
  })

  test('find the reports again after the server was transferred', async () => {
    const { owner, id } = await listedServer()
    const recipient = await app.newUser()
    await report(await newReporter(), id)
    const { data } = await recipient.call(transfers.accept, { params: { id: (await offer(owner, id, recipient.id)).id } })
    expect(data).toBeUndefined()
    const { issue, total } = await moderated(id)
    expect({ user: issue.user_id, status: issue.status, total }).toEqual({ user: recipient.id, status: 'OPEN', total: 1 })
    expect(await issuesOf(recipient)).toEqual([])
  })

  test('find abuse: five dismissed reports open an issue of the reporter, whose reports do not count then', async () => {
    const user = await newReporter()
    for (let number = 1; number <= 5; number += 1) {
      const { id } = await listedServer()
      await report(user, id)
      await decide(id, 'DISMISSED')
      await app.runJob('find-report-abuse')
      expect(await issuesOf(user)).toHaveLength(number < 5 ? 0 : 1)
    }
    await app.runJob('find-report-abuse')
    const [issue] = await issuesOf(user)
    expect(issue).toMatchObject({ kind: 'REPORT_ABUSE', server: null, occurrences: 5, status: 'OPEN' })
    expect((await admin.call(reports.ofIssue, { params: { id: issue?.id ?? '' } })).data).toMatchObject({ total: 5, reporters: 1 })

    // It looks the same to them, but opens nothing.
    const { id } = await listedServer()
    expect((await report(user, id)).status).toBe(200)
    await expect(moderated(id)).rejects.toThrow('no issue')
    await admin.call(protection.changeIssue, { params: { id: issue?.id ?? '' }, body: { status: 'DISMISSED' } })
    await app.runJob('find-report-abuse')
    expect(await issuesOf(user)).toMatchObject([{ status: 'DISMISSED' }])
  })
})

async function erase({ id }: SignedInUser): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await app.runJob('erase-due-accounts')
}

test('export and activity have a user’s reports, and the erasure of either side leaves none', async () => {
  const { id, server, owner } = await listedServer()
  const user = await newReporter()
  await report(user, id, { reason: 'other', details: 'my words' })
  const { held } = (await user.call(account.exportData)).data
  expect(held.server_reports).toMatchObject([{ server_id: id, reason: 'other', details: 'my words', outcome: null }])
  expect((await user.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_REPORTED', server: { public_id: id, name: server.name } })
  await erase(user)
  expect(await rowsOf(user.id)).toEqual([])
  expect((await moderated(id)).total).toBe(0)
  // The owner's erasure removes the others' reports of the server, and its name from their activity.
  const other = await newReporter()
  await report(other, id)
  await erase(owner)
  expect(await rowsOf(other.id)).toEqual([])
  expect((await other.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_REPORTED', server: { public_id: id, name: id } })
})

test('PUBLIC_SITE=off removes the call', async () => {
  const off = await startApp({ PUBLIC_SITE: 'off' })
  const { public_id: id, credential } = await buildServer(await off.newUser())
  await announce(off, credential)
  expect((await report(await off.newUser(), id)).status).toBe(404)
})

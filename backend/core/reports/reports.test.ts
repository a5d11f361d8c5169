/** Reports over HTTP: who may report what and how often, what the owner learns, and what administrators decide. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import { ofAccount, ofServer } from '#contract/events/activity.ts'
import * as notifications from '#contract/webhooks/notifications.ts'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { announce, ban, buildApiKey, buildServer, grant, offer, scheduleDeletion } from '#tests/factories.ts'
import { issuesOf } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Report, report, listedServer, moderated, decide } from '#tests/reports.ts'
import { readPage } from '#tests/public-pages.ts'
import { type Receiver, type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

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

const rowsOf = (userId: string) => app.db.selectFrom('server_reports').selectAll().where('user_id', '=', userId).execute()

describe('a report is rejected', () => {
  test.each([
    ['an unknown reason', { reason: 'boring' }, 'reason must be one of'],
    ['details of more than 1000 characters', { reason: 'other', details: 'x'.repeat(1001) }, 'Details'],
    ['an unknown field', { reason: 'other', by: 'me' }, 'by'],
    ['no reason', {}, 'reason'],
  ])('with %s', async (_, body, sentence) => {
    const { id } = await listedServer(app)
    const user = await app.newUser()
    const { status, error } = await report(user, id, body as Report)
    expect({ status, errors: error.errors.join() }).toEqual({ status: 400, errors: expect.stringContaining(sentence) as string })
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('by an anonymous, banned or leaving user, a program, the owner or a manager', async () => {
    const { owner, id } = await listedServer(app)
    const [banned, leaving, manager] = [await app.newUser(), await app.newUser(), await app.newUser()]
    const program = app.withKey((await buildApiKey(manager, 'servers:write')).key)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    for (const user of [app.anonymous, banned, leaving, program]) expect((await report(user, id)).status).toBe(403)
    for (const user of [owner, manager])
      expect((await report(user, id)).error).toMatchObject({ statusCode: 400, errors: [expect.stringContaining('own or manage')] })
  })

  test('of a server without a public page, as if there were none', async () => {
    const user = await app.newUser()
    const [hidden, banned, deleted] = [await listedServer(app), await listedServer(app), await listedServer(app)]
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
    const { owner, id } = await listedServer(app)
    const user = await app.newUser()
    const statuses = (await Promise.all([report(user, id), report(user, id)])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    expect(await rowsOf(user.id)).toHaveLength(1)
    const { error } = await report(user, id)
    expect(error.errors).toEqual([expect.stringMatching(/^You reported this server on .+ You can report it again on .+\.$/)])
    app.clock.advance(7 * DAY_MS)
    expect((await report(user, id)).status).toBe(200)
    const { issue } = await moderated(admin, id)
    expect(issue).toMatchObject({ occurrences: 2, severity: 'LOW', summary: '1 player reported this server.' })
    // Owners see the days, on the page and in the export.
    await admin.call(protection.changeIssue, { params: { id: issue.id }, body: { reply: 'Hello' } })
    const dayOf = (time: string) => `${time.slice(0, 10)}T00:00:00.000Z`
    const days = { first_seen_at: dayOf(issue.first_seen_at), last_seen_at: dayOf(issue.last_seen_at) }
    expect(await issuesOf(owner)).toMatchObject([days])
    expect((await owner.call(account.exportData)).data.held['protection_issues']).toMatchObject([days])
  })

  test('as the eleventh of a day', async () => {
    const user = await app.newUser()
    const owner = await app.newUser()
    for (let number = 1; number <= 10; number += 1) {
      const server = number % 3 === 1 ? await listedServer(app) : { id: await anotherOf(owner) }
      expect((await report(user, server.id)).status).toBe(200)
    }
    const { id } = await listedServer(app)
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

/** @param daysAgo how long the account exists: 31 days give it standing. The clock of this app is ahead of the database's. */
async function signUp(username: string, daysAgo = 31): Promise<SignedInUser> {
  const user = await app.signIn(username)
  const created_at = new Date(app.clock.now() - daysAgo * DAY_MS)
  await app.db.updateTable('users').set({ created_at }).where('id', '=', user.id).execute()
  return user
}

const signUpMany = (name: string, count: number, daysAgo?: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => signUp(`${name}_${index}`, daysAgo)))

/** All that an owner reads, and what their game server and their webhook receive. */
async function readAsOwner(owner: SignedInUser, server: { credential: string; public_id: string }, receiver: Receiver) {
  const { data: hooks } = await owner.call(webhooks.list)
  const replies = await Promise.all([
    owner.call(protection.issuesOfUser, { params: { userId: owner.id } }),
    owner.call(ofAccount),
    owner.call(ofServer, { params: { id: server.public_id } }),
    owner.call(notifications.list),
    owner.call(account.exportData),
    owner.call(servers.get, { params: { id: server.public_id } }),
    ...hooks.map(({ id }) => owner.call(webhooks.deliveries, { params: { id } })),
  ])
  const announced = await (await announce(app, server.credential)).text()
  return [...replies.map(({ text }) => text), announced, JSON.stringify(receiver.received)].join('\n')
}

async function watchIssues(owner: SignedInUser): Promise<Receiver> {
  const receiver = host.open()
  const body = { name: 'All', kind: 'standard' as const, url: receiver.url, events: ['issue.opened' as const, 'issue.resolved' as const] }
  expect((await owner.call(webhooks.create, { body })).status).toBe(200)
  return receiver
}

describe('the owner', () => {
  test('learns of reports once three reporters have standing, and nothing about them', async () => {
    const { owner, server, id } = await listedServer(app)
    const receiver = await watchIssues(owner)
    const settled = await signUpMany('settled_reporter', 3)
    const people = [...(await signUpMany('shy_reporter', 4, 29)), ...settled]
    for (const user of people.slice(0, -1))
      expect((await report(user, id, { reason: 'fake_players', details: 'secret details' })).status).toBe(200)

    const hidden = await moderated(admin, id)
    expect(hidden).toMatchObject({ reporters: 6, is_visible_to_owner: false, issue: { status: 'OPEN', occurrences: 6 } })
    expect(await readAsOwner(owner, server, receiver)).not.toMatch(/PLAYER_REPORTS|ISSUE_|"type":"issue|reported this server/)
    const params = { userId: owner.id, issueId: hidden.issue.id }
    for (const call of [protection.issue, protection.acknowledgeIssue]) expect((await owner.call(call, { params })).status).toBe(404)
    expect((await owner.call(protection.replyToIssue, { params, body: { message: 'Hello' } })).status).toBe(404)

    await report(settled[2] as SignedInUser, id, { reason: 'offensive' })
    const [issue, ...others] = await issuesOf(owner)
    expect(others).toEqual([])
    expect(issue).toMatchObject({ id: hidden.issue.id, kind: 'PLAYER_REPORTS', severity: 'MEDIUM', consequence: 'NOTICE', occurrences: 7 })
    expect(issue).toMatchObject({ summary: '7 players reported this server.', evidence: { items: [], series: [] } })
    const { reporters, new_reporters: newReporters, reports: all, is_visible_to_owner: isVisible } = await moderated(admin, id)
    expect({ reporters, newReporters, isVisible }).toEqual({ reporters: 7, newReporters: 0, isVisible: true })
    expect(all.map(({ reporter }) => reporter.id)).toEqual(people.map((user) => user.id).toReversed())
    await expect.poll(() => receiver.types()).toEqual(['issue.opened'])
    await report(await signUp('late_reporter'), id)
    const { data: inbox } = await owner.call(notifications.list)
    expect(inbox.data.filter(({ type }) => type.startsWith('issue.'))).toMatchObject([{ type: 'issue.opened', pinned: true }])
    const seen = await readAsOwner(owner, server, receiver)
    for (const { id: userId } of people) expect(seen).not.toContain(userId)
    expect(seen).not.toMatch(/_reporter|secret details|SERVER_REPORTED/)
    expect(seen.split(issue?.id ?? '').length).toBeGreaterThan(5)
    expect(receiver.types()).toEqual(['issue.opened'])
  })

  test('learns nothing from reporters of whose decided reports more than half were dismissed', async () => {
    const { owner, id } = await listedServer(app)
    const [good, fair, poor] = (await signUpMany('judged_reporter', 3)) as [SignedInUser, SignedInUser, SignedInUser]
    for (const [user, ...statuses] of [
      [fair, 'RESOLVED', 'DISMISSED'],
      [poor, 'RESOLVED', 'DISMISSED', 'DISMISSED'],
    ] as const)
      for (const status of statuses) {
        const other = await listedServer(app)
        await report(user, other.id)
        await decide(admin, other.id, status)
      }
    for (const user of [good, fair, poor]) await report(user, id)
    expect(await issuesOf(owner)).toEqual([])
    await report(await signUp('third_reporter'), id)
    expect(await issuesOf(owner)).toMatchObject([{ kind: 'PLAYER_REPORTS', occurrences: 4 }])
  })

  test.each<[string, protection.IssueChanges, string[]]>([
    ['not through a note', { note: 'Look again' }, []],
    ['not through a dismissal', { status: 'DISMISSED' }, []],
    ['when it is upheld', { status: 'RESOLVED' }, ['issue.resolved']],
    ['through a consequence', { consequence: 'UNRANKED' }, ['issue.opened', 'issue.escalated']],
    ['through a reply', { reply: 'Please explain' }, ['issue.opened', 'issue.replied']],
  ])('learns of a single report %s', async (_, body, types) => {
    const { owner, id } = await listedServer(app)
    await report(await app.newUser(), id)
    const { issue } = await moderated(admin, id)
    expect((await admin.call(protection.changeIssue, { params: { id: issue.id }, body })).status).toBe(200)
    expect(await issuesOf(owner)).toMatchObject(types.length === 0 ? [] : [{ id: issue.id, summary: '1 player reported this server.' }])
    const { data } = await owner.call(notifications.list)
    expect(data.data.map(({ type }) => type).filter((type) => type.startsWith('issue.'))).toEqual(types)
  })

  test('of a transferred server, and the recipient of an offer, learn nothing of a hidden issue', async () => {
    const { owner, id } = await listedServer(app)
    const recipient = await app.newUser()
    await report(await app.newUser(), id)
    const offered = await offer(owner, id, recipient.id)
    expect((await recipient.call(servers.list)).data.incoming_transfers).toMatchObject([{ id: offered.id, issues: [] }])
    await recipient.call(transfers.accept, { params: { id: offered.id } })
    expect([await issuesOf(owner), await issuesOf(recipient)]).toEqual([[], []])
    expect(await moderated(admin, id)).toMatchObject({
      total: 1,
      is_visible_to_owner: false,
      issue: { user_id: recipient.id, status: 'OPEN' },
    })
  })
})

test.each([{ PUBLIC_SITE: 'off' }, { PROTECTION_OFF: 'PLAYER_REPORTS' }])('%o removes the call and the form', async (env) => {
  const off = await startApp(env, { hasPages: true })
  const { public_id: id, credential } = await buildServer(await off.newUser())
  await announce(off, credential)
  expect((await report(await off.newUser(), id)).status).toBe(404)
  const page = await readPage(off.anonymous, `/s/${id}`)
  expect([page.status, page.html.includes('data-report')]).toEqual(['PUBLIC_SITE' in env ? 404 : 200, false])
})

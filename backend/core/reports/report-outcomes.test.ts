/** What administrators decide about reports, and what stays of them. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import { ofAccount } from '#contract/events/activity.ts'
import * as protection from '#contract/protection/protection.ts'
import * as reports from '#contract/protection/reports.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import { offer } from '#tests/factories.ts'
import { issuesOf } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { report, listedServer, moderated, decide } from '#tests/reports.ts'
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

const rowsOf = (userId: string) => app.db.selectFrom('server_reports').selectAll().where('user_id', '=', userId).execute()

describe('a ban of the server', () => {
  const open = async () => {
    const found = await listedServer(app)
    const reporter = await app.newUser()
    await report(reporter, found.id)
    return { ...found, reporter }
  }

  test('upholds its reports, and nothing else of the owner, in the same transaction', async () => {
    const [{ owner, id, reporter }, other] = [await open(), await open()]
    const { issue } = await moderated(admin, id)
    const body = { banned: true, reason: 'Fake players' }
    expect((await admin.call(banServer, { params: { id }, body })).status).toBe(200)
    expect(await moderated(admin, id)).toMatchObject({ issue: { id: issue.id, status: 'RESOLVED' }, reports: [{ outcome: 'upheld' }] })
    const { data } = await owner.call(protection.issue, { params: { userId: owner.id, issueId: issue.id } })
    expect(data.timeline).toMatchObject([{ kind: 'STATUS', status: 'RESOLVED', text: 'The server was banned.' }])
    expect(await rowsOf(reporter.id)).toMatchObject([{ outcome: 'upheld', decided_at: expect.any(Date) as Date }])
    expect((await moderated(admin, other.id)).issue.status).toBe('OPEN')
  })

  test('by the program resolves its reports without a decision', async () => {
    const { owner, server, id, reporter } = await open()
    await sql`insert into remembered_bans (owner_id, name_key, bound_address, banned_at)
      values (${owner.id}::uuid, 'gone', '127.0.0.1', '2020-01-01')`.execute(app.db)
    await app.runJob('expire-bans')
    expect((await owner.call(servers.get, { params: { id } })).data.banned, server.name).toBe(true)
    expect((await moderated(admin, id)).issue.status).toBe('RESOLVED')
    expect(await rowsOf(reporter.id)).toMatchObject([{ outcome: null }])
    expect(await issuesOf(owner)).toEqual([])
  })
})

describe('administrators', () => {
  test('see every report with its author, and decide all at once', async () => {
    const { id, server } = await listedServer(app)
    const user = await app.newUser()
    await report(user, id, { reason: 'malicious', details: '  It asks\nfor passwords. ' })
    const open = await moderated(admin, id)
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
    const decided = async () => (await moderated(admin, id)).reports.map(({ outcome, standing }) => ({ outcome, ...standing }))
    await decide(admin, id, 'RESOLVED')
    expect(await decided()).toEqual([{ outcome: 'upheld', upheld: 1, dismissed: 0 }])
    await decide(admin, id, 'OPEN')
    expect(await decided()).toEqual([{ outcome: null, upheld: 0, dismissed: 0 }])
    await decide(admin, id, 'DISMISSED')
    expect(await decided()).toEqual([{ outcome: 'dismissed', upheld: 0, dismissed: 1 }])
  })

  test('decide nothing by waiting: after 30 quiet days the issue resolves without an outcome', async () => {
    const { id } = await listedServer(app)
    const user = await app.newUser()
    await report(user, id)
    app.clock.advance(30 * DAY_MS + 1000)
    await app.runJob('escalate-issues')
    expect((await moderated(admin, id)).issue.status).toBe('RESOLVED')
    expect(await rowsOf(user.id)).toMatchObject([{ outcome: null }])
  })

  test('find the reports again after the server was transferred', async () => {
    const { owner, id } = await listedServer(app)
    const recipient = await app.newUser()
    await report(await app.newUser(), id)
    const { data } = await recipient.call(transfers.accept, { params: { id: (await offer(owner, id, recipient.id)).id } })
    expect(data).toBeUndefined()
    const { issue, total } = await moderated(admin, id)
    expect({ user: issue.user_id, status: issue.status, total }).toEqual({ user: recipient.id, status: 'OPEN', total: 1 })
  })

  test('find abuse: five dismissed reports open an issue of the reporter, whose reports do not count then', async () => {
    const user = await app.newUser()
    for (let number = 1; number <= 5; number += 1) {
      const { id } = await listedServer(app)
      await report(user, id)
      await decide(admin, id, 'DISMISSED')
      await app.runJob('find-report-abuse')
      expect(await issuesOf(user)).toHaveLength(number < 5 ? 0 : 1)
    }
    await app.runJob('find-report-abuse')
    const [issue] = await issuesOf(user)
    expect(issue).toMatchObject({ kind: 'REPORT_ABUSE', server: null, occurrences: 5, status: 'OPEN' })
    expect((await admin.call(reports.ofIssue, { params: { id: issue?.id ?? '' } })).data).toMatchObject({ total: 5, reporters: 1 })

    // It looks the same to them, but opens nothing and does not count.
    const { id } = await listedServer(app)
    const reported = await listedServer(app)
    await report(await app.newUser(), reported.id)
    for (const serverId of [id, reported.id]) expect((await report(user, serverId)).status).toBe(200)
    await expect(moderated(admin, id)).rejects.toThrow('no issue')
    const { issue: counted, reports: all } = await moderated(admin, reported.id)
    expect({ occurrences: counted.occurrences, all }).toMatchObject({ occurrences: 1, all: [{ is_counted: false }, { is_counted: true }] })
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
  const { id, server, owner } = await listedServer(app)
  const user = await app.newUser()
  await report(user, id, { reason: 'other', details: 'my words' })
  const { held } = (await user.call(account.exportData)).data
  expect(held.server_reports).toMatchObject([{ server_id: id, reason: 'other', details: 'my words', outcome: null }])
  expect((await user.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_REPORTED', server: { public_id: id, name: server.name } })
  await erase(user)
  expect(await rowsOf(user.id)).toEqual([])
  expect((await moderated(admin, id)).total).toBe(0)
  // The owner's erasure removes the others' reports of the server, and its name from their activity.
  const other = await app.newUser()
  await report(other, id)
  await erase(owner)
  expect(await rowsOf(other.id)).toEqual([])
  expect((await other.call(ofAccount)).data[0]).toMatchObject({ action: 'SERVER_REPORTED', server: { public_id: id, name: id } })
})

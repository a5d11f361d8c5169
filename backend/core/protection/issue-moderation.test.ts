/** What owners and administrators do with issues, and who may see them. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import { ofAccount } from '#contract/events/activity.ts'
import * as protection from '#contract/protection/protection.ts'
import type { IssueChanges } from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import { ban, buildServer, scheduleDeletion } from '#tests/factories.ts'
import { raiseIssue, reportFindings, seenBy, withIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { announceFrom } from '#tests/list/send.ts'

const DAY_MS = 86_400_000
let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const patch = (id: string, body: IssueChanges) => admin.call(protection.changeIssue, { params: { id }, body })

const kindsOf = (issue: protection.IssueDetail) => issue.timeline.map((entry) => entry.kind)

async function actionsOf(owner: SignedInUser) {
  return (await owner.call(ofAccount)).data.filter((entry) => entry.action.startsWith('ISSUE_'))
}

describe('the owner', () => {
  test('can acknowledge an issue once', async () => {
    const { owner, params } = await withIssue(app)
    const first = await owner.call(protection.acknowledgeIssue, { params })
    expect(first.data).toMatchObject({ status: 'ACKNOWLEDGED' })
    expect(first.data.timeline.at(-1)).toMatchObject({ kind: 'STATUS', by: 'owner', actor: { id: owner.id }, status: 'ACKNOWLEDGED' })
    const second = await owner.call(protection.acknowledgeIssue, { params })
    expect(kindsOf(second.data)).toEqual(['OPENED', 'STATUS'])
    expect((await actionsOf(owner)).map((entry) => entry.action)).toEqual(['ISSUE_ACKNOWLEDGED', 'ISSUE_OPENED'])
  })

  test('cannot acknowledge a closed issue', async () => {
    const { owner, issue, params } = await withIssue(app)
    await patch(issue.id, { status: 'RESOLVED' })
    expect((await owner.call(protection.acknowledgeIssue, { params })).data.status).toBe('RESOLVED')
  })

  test('can reply at most ten times a day', async () => {
    const { owner, issue, params } = await withIssue(app)
    for (let count = 1; count <= 10; count += 1) {
      const { status, text } = await owner.call(protection.replyToIssue, { params, body: { message: `Answer ${count}` } })
      expect(status, text).toBe(200)
    }
    const rejected = await owner.call(protection.replyToIssue, { params, body: { message: 'One more' } })
    expect([rejected.status, rejected.error.errors]).toEqual([
      429,
      ['You have replied 10 times within a day. Wait until an administrator has read your replies.'],
    ])
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(80_000)
    const queued = await admin.call(protection.issue, { params })
    expect(queued.data.timeline.filter((entry) => entry.kind === 'REPLY').map((entry) => entry.text)[9]).toBe('Answer 10')
    app.clock.advance(DAY_MS / 2)
    expect((await owner.call(protection.replyToIssue, { params, body: { message: 'Too soon' } })).status).toBe(429)
    // A repeated finding prevents the auto-resolution of the issue.
    await reportFindings(app, { kind: 'ADDRESS_MISMATCH', publicId: issue.server?.public_id ?? '' })
    app.clock.advance(DAY_MS / 2 + 1000)
    expect((await owner.call(protection.replyToIssue, { params, body: { message: 'A day later' } })).status).toBe(200)
  })

  test('cannot reply to a closed issue, or send an invalid reply', async () => {
    const { owner, issue, params } = await withIssue(app)
    for (const body of [{ message: '' }, { message: ' \n ' }, { message: 'x'.repeat(1001) }, { message: 'a\u202eb' }]) {
      expect((await owner.call(protection.replyToIssue, { params, body })).status).toBe(400)
    }
    await patch(issue.id, { status: 'DISMISSED' })
    const late = await owner.call(protection.replyToIssue, { params, body: { message: 'But why?' } })
    expect([late.status, late.error.errors]).toEqual([400, ['This issue is closed, so you cannot reply to it.']])
  })

  test('sees their own addresses unmasked and others masked; administrators see all', async () => {
    const owner = await app.newUser()
    const server = await buildServer(owner)
    await announceFrom(app, server.credential, {}, { from: '127.0.0.9' })
    const item = (address: string) => ({ at: '2026-01-01T00:00:00.000Z', observed: `from ${address}`, expected: 'from 127.0.0.9', address })
    const items = ['203.0.113.77', '2001:db8:1:2::3', '127.0.0.9'].map(item)
    const finding = { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, summary: 'It came from 203.0.113.77.', items } as const
    const issue = await raiseIssue(app, owner, finding)
    expect(issue.summary).toBe('It came from 203.0.113.•.')
    const seen = issue.evidence.items.map(({ observed, expected, address }) => [observed, expected, address])
    expect(seen).toEqual([
      ['from 203.0.113.•', 'from 127.0.0.9', '203.0.113.•'],
      ['from 2001:db8:1:•', 'from 127.0.0.9', '2001:db8:1:•'],
      ['from 127.0.0.9', 'from 127.0.0.9', '127.0.0.9'],
    ])
    const params = { userId: owner.id, issueId: issue.id }
    const responses = [await owner.fetch('/api/auth/me/export'), await owner.fetch(`/api/users/${owner.id}/protection-issues/${issue.id}`)]
    for (const response of responses) expect(await response.text()).not.toContain('203.0.113.77')
    expect((await seenBy(admin, params)).evidence.items.map((item) => item.address)).toEqual(items.map((item) => item.address))
  })
})

describe('an administrator', () => {
  test('resolves, replies and adds a note in one call; the owner sees the reply, but no note and no name', async () => {
    const { owner, issue, params } = await withIssue(app)
    const done = await patch(issue.id, { status: 'RESOLVED', note: 'A secret note.', reply: 'All is well.' })
    expect(done.status, done.text).toBe(200)
    expect(kindsOf(done.data)).toEqual(['OPENED', 'STATUS', 'REPLY', 'NOTE'])
    expect(done.data.timeline.at(-1)).toMatchObject({ actor: { id: admin.id }, text: 'A secret note.' })
    const seen = await seenBy(owner, params)
    expect(seen).toMatchObject({ status: 'RESOLVED', consequence_text: 'It no longer has a consequence.', next_consequence: null })
    expect(kindsOf(seen)).toEqual(['OPENED', 'STATUS', 'REPLY'])
    expect(seen.timeline.slice(1)).toMatchObject([
      { by: 'administrator', actor: null, status: 'RESOLVED' },
      { by: 'administrator', actor: null, text: 'All is well.' },
    ])
    const activity = await actionsOf(owner)
    expect(activity.map((entry) => entry.action)).toEqual(['ISSUE_REPLIED', 'ISSUE_RESOLVED', 'ISSUE_OPENED'])
    expect(activity[0]).toMatchObject({ as: 'administrator', actor: null })
    for (const path of ['/api/auth/me/export', '/api/users/activity']) expect(await (await owner.fetch(path)).text()).not.toContain('NOTE')
  })

  test('adds notes without notifying the owner’s open panel', async () => {
    const { owner, issue } = await withIssue(app)
    const panel = await listen(owner)
    expect((await patch(issue.id, { note: 'Looks odd.' })).status).toBe(200)
    expect((await patch(issue.id, { note: 'And again.', reply: 'We look at it.' })).status).toBe(200)
    await panel.until(({ event }) => event === 'account')
    const changed = ['activity', 'protection', 'notifications']
    expect(panel.received.filter(({ event }) => event === 'account')).toMatchObject([{ data: { changed } }])
    panel.close()
  })

  test('records nothing if nothing changes', async () => {
    const { issue, owner } = await withIssue(app)
    const again = await patch(issue.id, { status: 'OPEN' })
    expect([again.status, kindsOf(again.data)]).toEqual([200, ['OPENED']])
    expect(await actionsOf(owner)).toHaveLength(1)
  })

  test.each([{}, { note: '' }, { note: ' ', reply: '' }])('cannot send a change without values: %j', async (body) => {
    const { issue } = await withIssue(app)
    const { status, error } = await patch(issue.id, body)
    expect([status, error.errors]).toEqual([400, ['Set at least one of status, consequence, note and reply.']])
  })

  test.each([
    [{ status: 'CLOSED' }, 'status must be one of OPEN, ACKNOWLEDGED, RESOLVED, DISMISSED.'],
    [{ consequence: 'BANNED' }, 'consequence must be one of NOTICE, UNRANKED, UNLISTED.'],
    [{ note: 'x'.repeat(1001) }, 'The note can be at most 1000 characters long.'],
    [{ severity: 'LOW' }, undefined],
  ])('cannot send %j', async (body, sentence) => {
    const { issue } = await withIssue(app)
    const { status, error } = await patch(issue.id, body as IssueChanges)
    expect(status).toBe(400)
    if (sentence !== undefined) expect(error.errors).toEqual([sentence])
  })

  test('sets the consequence of open issues only', async () => {
    const { issue } = await withIssue(app)
    const chosen = await patch(issue.id, { consequence: 'UNLISTED' })
    expect(chosen.data).toMatchObject({ consequence: 'UNLISTED', next_consequence: null })
    const closed = await patch(issue.id, { status: 'RESOLVED', consequence: 'NOTICE' })
    expect([closed.status, closed.error.errors]).toEqual([400, ['This issue is closed. Reopen it to set its consequence.']])
    expect((await patch(issue.id, { status: 'RESOLVED' })).data.timeline.map((entry) => entry.status)).toEqual(['OPEN', null, 'RESOLVED'])
  })

  test('reopens an issue without its old consequence, or with a given one', async () => {
    const { issue } = await withIssue(app, { kind: 'REVOKED_CREDENTIAL' })
    await patch(issue.id, { status: 'DISMISSED' })
    app.clock.advance(10 * DAY_MS)
    const open = await patch(issue.id, { status: 'OPEN' })
    expect(open.data).toMatchObject({ status: 'OPEN', consequence: 'NOTICE' })
    await patch(issue.id, { status: 'RESOLVED' })
    const reopened = await patch(issue.id, { status: 'ACKNOWLEDGED', consequence: 'UNRANKED' })
    expect(reopened.data).toMatchObject({ status: 'ACKNOWLEDGED', consequence: 'UNRANKED', next_consequence: null })
  })

  test('cannot reopen an issue that is open again, or whose server was deleted', async () => {
    const { owner, server, finding, issue } = await withIssue(app)
    await patch(issue.id, { status: 'RESOLVED' })
    await reportFindings(app, finding)
    const twice = await patch(issue.id, { status: 'OPEN' })
    expect([twice.status, twice.error.errors]).toEqual([
      409,
      ['The same problem was found again and is already open as another issue. Use that one.'],
    ])
    await owner.call(servers.remove, { params: { id: server.public_id } })
    const orphaned = await patch(issue.id, { status: 'OPEN' })
    expect([orphaned.status, orphaned.error.errors]).toEqual([
      400,
      ['The server was deleted or transferred, so this issue cannot be reopened.'],
    ])
  })

  test('cannot acknowledge or reply on behalf of the owner', async () => {
    const { params } = await withIssue(app)
    const sentence = "Only the owner can do this. Use the administrators' queue instead."
    for (const { status, error } of [
      await admin.call(protection.acknowledgeIssue, { params }),
      await admin.call(protection.replyToIssue, { params, body: { message: 'I am not the owner.' } }),
    ])
      expect([status, error.errors]).toEqual([403, [sentence]])
  })
})

describe('access', () => {
  test('strangers get 404 for issues of others', async () => {
    const { owner, issue, params } = await withIssue(app)
    const stranger = await app.newUser()
    const { issueId } = params
    const responses = [
      await stranger.call(protection.issuesOfUser, { params }),
      await stranger.call(protection.issue, { params }),
      // With the stranger's own user ID.
      await stranger.call(protection.issue, { params: { userId: stranger.id, issueId } }),
      await admin.call(protection.issue, { params: { userId: stranger.id, issueId } }),
      await stranger.call(protection.acknowledgeIssue, { params }),
      await stranger.call(protection.replyToIssue, { params, body: { message: 'Hello' } }),
      await owner.call(protection.issue, { params: { ...params, issueId: randomUUID() } }),
      await owner.call(protection.issue, { params: { ...params, issueId: 'x' } }),
      await admin.call(protection.issuesOfUser, { params: { userId: randomUUID() } }),
      await admin.call(protection.issuesOfUser, { params: { userId: 'x' } }),
      await patch(randomUUID(), { note: 'x' }),
      await patch('x', { note: 'x' }),
    ]
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 404))
    expect((await owner.call(protection.changeIssue, { params: { id: issue.id }, body: { status: 'RESOLVED' } })).status).toBe(403)
    expect((await owner.call(protection.issues)).status).toBe(403)
  })

  test('banned owners and those awaiting deletion cannot read or reply to their own issues', async () => {
    for (const suspend of [ban, scheduleDeletion]) {
      const { owner, params } = await withIssue(app)
      await suspend(app, owner.id)
      const responses = [
        await owner.call(protection.issuesOfUser, { params }),
        await owner.call(protection.issue, { params }),
        await owner.call(protection.acknowledgeIssue, { params }),
        await owner.call(protection.replyToIssue, { params, body: { message: 'Hello' } }),
      ]
      expect(responses.map((response) => response.status)).toEqual([403, 403, 403, 403])
    }
  })
})

test('an export contains the issues and their timelines, and an erasure deletes them', async () => {
  const { owner, issue, params } = await withIssue(app)
  await owner.call(protection.replyToIssue, { params, body: { message: 'Mine.' } })
  await patch(issue.id, { note: 'Not for the owner.' })
  const { held } = (await owner.call(account.exportData)).data
  expect(held.protection_issues).toMatchObject([{ id: issue.id, evidence: { items: [], series: [] } }])
  expect(held.protection_timeline?.map((row) => row.kind)).toEqual(['OPENED', 'REPLY'])
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(0) })
    .where('id', '=', owner.id)
    .execute()
  const left = () => app.db.selectFrom('protection_issues').select('id').where('user_id', '=', owner.id).execute()
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
  expect((await patch(issue.id, { note: 'Gone.' })).status).toBe(404)
})

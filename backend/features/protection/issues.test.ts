/** Issues over HTTP: findings, actions of owners and administrators, and access. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import { ofAccount } from '#contract/activity.ts'
import * as protection from '#contract/protection.ts'
import type { IssueChanges } from '#contract/protection.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import { ban, buildServer, scheduleDeletion, offer } from '#tests/factories.ts'
import { issuesOf, reportFindings, raiseIssue } from '#tests/findings.ts'
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

async function withIssue(overrides: Partial<Parameters<typeof raiseIssue>[2]> = {}) {
  const owner = await app.newUser()
  const server = await buildServer(owner)
  const finding = { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, ...overrides } as const
  const issue = await raiseIssue(app, owner, finding)
  return { owner, server, finding, issue, params: { userId: owner.id, issueId: issue.id } }
}

const patch = (id: string, body: IssueChanges) => admin.call(protection.changeIssue, { params: { id }, body })

async function seenBy(user: SignedInUser, params: { userId: string; issueId: string }) {
  const { status, data, text } = await user.call(protection.issue, { params })
  expect(status, text).toBe(200)
  return data
}

const kindsOf = (issue: protection.IssueDetail) => issue.timeline.map((entry) => entry.kind)

async function actionsOf(owner: SignedInUser) {
  return (await owner.call(ofAccount)).data.filter((entry) => entry.action.startsWith('ISSUE_'))
}

describe('a finding', () => {
  test('opens one issue for the owner and adds one system entry to their activity', async () => {
    const { owner, server, issue, params } = await withIssue({ severity: 'HIGH', summary: 'Another machine announces.' })
    expect(issue).toMatchObject({
      user_id: owner.id,
      server: { public_id: server.public_id, name: server.name },
      kind: 'ADDRESS_MISMATCH',
      severity: 'HIGH',
      status: 'OPEN',
      consequence: 'NOTICE',
      summary: 'Another machine announces.',
      occurrences: 1,
    })
    const detail = await seenBy(owner, params)
    expect(detail).toMatchObject({ title: 'Announced from another address', user: { id: owner.id }, next_consequence: null })
    for (const text of [detail.explanation, detail.remedy, detail.ends, detail.consequence_text]) expect(text).toMatch(/\w.*\.$/)
    expect(detail.timeline).toMatchObject([{ kind: 'OPENED', by: 'system', actor: null, status: 'OPEN', consequence: 'NOTICE', text: '' }])
    expect(await actionsOf(owner)).toMatchObject([
      {
        action: 'ISSUE_OPENED',
        as: 'system',
        actor: null,
        server: { public_id: server.public_id },
        after: { issue_id: issue.id, kind: 'ADDRESS_MISMATCH', severity: 'HIGH' },
      },
    ])
  })

  test('repeated updates the same issue: newest summary, highest severity, newest evidence first, no new activity', async () => {
    const { owner, finding, issue } = await withIssue({
      severity: 'HIGH',
      items: [{ at: '2026-01-01T00:00:00.000Z', observed: 'first', expected: '', address: null }],
    })
    const later = { at: '2026-01-02T00:00:00.000Z', observed: 'second', expected: 'first', address: null }
    await reportFindings(app, { ...finding, occurrences: 4, severity: 'LOW', summary: 'Newer.', items: [later] })
    const [only, ...more] = await issuesOf(owner)
    expect(more).toEqual([])
    expect(only).toMatchObject({ id: issue.id, occurrences: 5, severity: 'HIGH', summary: 'Newer.' })
    expect(only?.evidence.items.map((item) => item.observed)).toEqual(['second', 'first'])
    expect(await actionsOf(owner)).toHaveLength(1)
  })

  test('keeps the newest 20 evidence items and the last series', async () => {
    const seen = (from: number) =>
      Array.from({ length: 15 }, (_, index) => ({
        at: new Date((from + index) * 1000).toISOString(),
        observed: `no ${from + index}`,
        expected: '',
        address: null,
      })).toReversed()
    const series = [{ at: '2026-01-01T00:00:00.000Z', players: 3, slots: 5 }]
    const { owner, finding } = await withIssue({ kind: 'IMPLAUSIBLE_PLAYERS', items: seen(0), series })
    await reportFindings(app, { ...finding, items: seen(15) })
    const [issue] = await issuesOf(owner)
    expect(issue?.evidence.items).toHaveLength(20)
    expect(issue?.evidence.items[0]?.observed).toBe('no 29')
    expect(issue?.evidence.series).toEqual(series)
    await reportFindings(app, { ...finding, series: [] })
    expect((await issuesOf(owner))[0]?.evidence.series).toEqual([])
  })

  test('with another fingerprint or kind opens another issue', async () => {
    const { owner, finding } = await withIssue()
    await reportFindings(app, { ...finding, fingerprint: 'another' }, { ...finding, kind: 'ANNOUNCE_FLOOD' })
    expect(await issuesOf(owner)).toHaveLength(3)
  })

  test('with invalid characters or very long texts is cleaned and truncated', async () => {
    const dirty = `a\0b\ud800${'c'.repeat(5000)}`
    const { issue } = await withIssue({
      summary: dirty,
      fingerprint: dirty,
      items: [{ at: '2026-01-01T00:00:00.000Z', observed: dirty, expected: dirty, address: dirty }],
    })
    expect(issue.summary).toMatch(/^ab\ufffdc+$/)
    expect(issue.summary.length).toBeLessThanOrEqual(500)
    expect(issue.evidence.items[0]?.observed.length).toBeLessThanOrEqual(500)
  })

  test('about a deleted server is dropped', async () => {
    const { owner, server, finding } = await withIssue()
    await owner.call(servers.remove, { params: { id: server.public_id } })
    await reportFindings(app, finding)
    expect(await issuesOf(owner)).toMatchObject([{ status: 'RESOLVED', server: null }])
  })

  test('after a resolution opens a new issue', async () => {
    const { owner, finding, issue } = await withIssue()
    await patch(issue.id, { status: 'RESOLVED' })
    await reportFindings(app, finding)
    expect((await issuesOf(owner)).map((issue) => issue.status)).toEqual(['OPEN', 'RESOLVED'])
  })

  test('within 30 days of a dismissal only increments the occurrences, and later opens a new issue', async () => {
    const { owner, finding, issue } = await withIssue()
    await patch(issue.id, { status: 'DISMISSED' })
    app.clock.advance(29 * DAY_MS)
    await reportFindings(app, { ...finding, occurrences: 2 })
    expect(await issuesOf(owner)).toMatchObject([{ id: issue.id, status: 'DISMISSED', occurrences: 3 }])
    expect((await actionsOf(owner)).filter((entry) => entry.action === 'ISSUE_OPENED')).toHaveLength(1)
    app.clock.advance(2 * DAY_MS)
    await reportFindings(app, finding)
    expect((await issuesOf(owner)).map((issue) => issue.status)).toEqual(['OPEN', 'DISMISSED'])
  })

  test('that no longer applies resolves its issue with a reason', async () => {
    const { owner, finding, params } = await withIssue()
    app.findings.resolve('ADDRESS_MISMATCH', finding.publicId, 'It stopped.')
    app.findings.resolve('ANNOUNCE_FLOOD', finding.publicId, 'It was none.')
    await app.findings.flush()
    const detail = await seenBy(owner, params)
    expect(detail.status).toBe('RESOLVED')
    expect(detail.timeline.at(-1)).toMatchObject({ kind: 'STATUS', by: 'system', actor: null, status: 'RESOLVED', text: 'It stopped.' })
    expect((await actionsOf(owner))[0]).toMatchObject({ action: 'ISSUE_RESOLVED', as: 'system' })
  })

  test('is written in order with the resolutions around it', async () => {
    const { owner, finding } = await withIssue()
    app.findings.resolve('ADDRESS_MISMATCH', finding.publicId, 'It stopped.')
    await reportFindings(app, finding)
    expect((await issuesOf(owner)).map((issue) => issue.status)).toEqual(['OPEN', 'RESOLVED'])
    for (const summary of ['first', 'second']) await Promise.all([reportFindings(app, { ...finding, summary }), Promise.resolve()])
    app.findings.report({ ...finding, fingerprint: '', severity: 'LOW', summary: 'x', at: app.clock.now(), occurrences: 1, items: [] })
    app.findings.resolve('ADDRESS_MISMATCH', finding.publicId, 'It stopped again.')
    await app.findings.flush()
    expect((await issuesOf(owner)).map((issue) => issue.status)).toEqual(['RESOLVED', 'RESOLVED'])
  })
})

describe('an issue', () => {
  test('resolves when its server is deleted', async () => {
    const { owner, server, params } = await withIssue()
    await owner.call(servers.remove, { params: { id: server.public_id } })
    const detail = await seenBy(owner, params)
    expect(detail).toMatchObject({ status: 'RESOLVED', server: null })
    expect(detail.timeline.at(-1)).toMatchObject({ by: 'system', text: 'The server was deleted.' })
  })

  test('about the credential resolves on a transfer and stays hidden from the new owner', async () => {
    const { owner, server, params, finding } = await withIssue()
    const recipient = await app.newUser()
    const { id } = await offer(owner, server.public_id, recipient.id)
    await recipient.call(transfers.accept, { params: { id } })
    expect(await seenBy(owner, params)).toMatchObject({ status: 'RESOLVED', server: { name: server.name } })
    expect(await issuesOf(recipient)).toEqual([])
    await reportFindings(app, finding)
    expect(await issuesOf(recipient)).toMatchObject([{ status: 'OPEN', occurrences: 1 }])
    expect(await issuesOf(owner)).toMatchObject([{ status: 'RESOLVED' }])
  })

  test('about the server itself is transferred: same age and consequence, without the former address', async () => {
    const { owner, server, issue } = await withIssue({
      kind: 'IMPLAUSIBLE_PLAYERS',
      severity: 'HIGH',
      summary: 'More players than slots, announced from 198.51.100.7.',
    })
    const monthAgo = new Date(Date.now() - 30 * 86_400_000)
    await app.db
      .updateTable('protection_issues')
      .set({ first_seen_at: monthAgo, opened_at: monthAgo, consequence: 'UNLISTED', consequence_at: monthAgo })
      .where('id', '=', issue.id)
      .execute()
    const recipient = await app.newUser()
    const { id } = await offer(owner, server.public_id, recipient.id)
    const offered = (await recipient.call(servers.list)).data.incoming_transfers[0]
    expect(offered?.issues).toEqual([
      {
        kind: 'IMPLAUSIBLE_PLAYERS',
        severity: 'HIGH',
        summary: 'More players than slots, announced from 198.51.100.•.',
        consequence: 'UNLISTED',
        first_seen_at: monthAgo.toISOString(),
      },
    ])
    // The sender has their own page for these issues.
    expect((await owner.call(servers.list)).data.outgoing_transfers[0]?.issues).toEqual([])
    expect((await recipient.call(transfers.accept, { params: { id } })).status).toBe(204)
    const [transferred] = await issuesOf(recipient)
    expect(transferred).toMatchObject({
      status: 'OPEN',
      kind: 'IMPLAUSIBLE_PLAYERS',
      first_seen_at: monthAgo.toISOString(),
      occurrences: 1,
    })
    const detail = await seenBy(recipient, { userId: recipient.id, issueId: transferred?.id ?? '' })
    expect(detail.consequence).toBe('UNLISTED')
    expect(JSON.stringify(detail)).not.toContain('198.51.100.7')
    // The former owner's issue is resolved, and each owner sees only their own.
    expect(await issuesOf(owner)).toMatchObject([{ status: 'RESOLVED' }])
    expect((await recipient.call(protection.issue, { params: { userId: owner.id, issueId: issue.id } })).status).toBe(404)
  })

  test.each(['reissue', 'resetAddress'] as const)('about the address resolves on %s; others stay open', async (action) => {
    const { owner, server, finding } = await withIssue()
    await reportFindings(app, { ...finding, kind: 'ANNOUNCE_FLOOD' })
    const params = { id: server.public_id }
    if (action === 'reissue') await owner.call(servers.reissue, { params, body: {} })
    else await owner.call(servers.resetAddress, { params })
    expect((await issuesOf(owner)).map((issue) => [issue.kind, issue.status])).toEqual([
      ['ANNOUNCE_FLOOD', 'OPEN'],
      ['ADDRESS_MISMATCH', 'RESOLVED'],
    ])
  })
})

describe('the owner', () => {
  test('can acknowledge an issue once', async () => {
    const { owner, params } = await withIssue()
    const first = await owner.call(protection.acknowledgeIssue, { params })
    expect(first.data).toMatchObject({ status: 'ACKNOWLEDGED' })
    expect(first.data.timeline.at(-1)).toMatchObject({ kind: 'STATUS', by: 'owner', actor: { id: owner.id }, status: 'ACKNOWLEDGED' })
    const second = await owner.call(protection.acknowledgeIssue, { params })
    expect(kindsOf(second.data)).toEqual(['OPENED', 'STATUS'])
    expect((await actionsOf(owner)).map((entry) => entry.action)).toEqual(['ISSUE_ACKNOWLEDGED', 'ISSUE_OPENED'])
  })

  test('cannot acknowledge a closed issue', async () => {
    const { owner, issue, params } = await withIssue()
    await patch(issue.id, { status: 'RESOLVED' })
    expect((await owner.call(protection.acknowledgeIssue, { params })).data.status).toBe('RESOLVED')
  })

  test('can reply at most ten times a day', async () => {
    const { owner, issue, params } = await withIssue()
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
    const { owner, issue, params } = await withIssue()
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
    const { owner, issue, params } = await withIssue()
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
    const { owner, issue } = await withIssue()
    const panel = await listen(owner)
    expect((await patch(issue.id, { note: 'Looks odd.' })).status).toBe(200)
    expect((await patch(issue.id, { note: 'And again.', reply: 'We look at it.' })).status).toBe(200)
    await panel.until(({ event }) => event === 'account')
    const changed = ['activity', 'protection', 'notifications']
    expect(panel.received.filter(({ event }) => event === 'account')).toMatchObject([{ data: { changed } }])
    panel.close()
  })

  test('records nothing if nothing changes', async () => {
    const { issue, owner } = await withIssue()
    const again = await patch(issue.id, { status: 'OPEN' })
    expect([again.status, kindsOf(again.data)]).toEqual([200, ['OPENED']])
    expect(await actionsOf(owner)).toHaveLength(1)
  })

  test.each([{}, { note: '' }, { note: ' ', reply: '' }])('cannot send a change without values: %j', async (body) => {
    const { issue } = await withIssue()
    const { status, error } = await patch(issue.id, body)
    expect([status, error.errors]).toEqual([400, ['Set at least one of status, consequence, note and reply.']])
  })

  test.each([
    [{ status: 'CLOSED' }, 'status must be one of OPEN, ACKNOWLEDGED, RESOLVED, DISMISSED.'],
    [{ consequence: 'BANNED' }, 'consequence must be one of NOTICE, UNRANKED, UNLISTED.'],
    [{ note: 'x'.repeat(1001) }, 'The note can be at most 1000 characters long.'],
    [{ severity: 'LOW' }, undefined],
  ])('cannot send %j', async (body, sentence) => {
    const { issue } = await withIssue()
    const { status, error } = await patch(issue.id, body as IssueChanges)
    expect(status).toBe(400)
    if (sentence !== undefined) expect(error.errors).toEqual([sentence])
  })

  test('sets the consequence of open issues only', async () => {
    const { issue } = await withIssue()
    const chosen = await patch(issue.id, { consequence: 'UNLISTED' })
    expect(chosen.data).toMatchObject({ consequence: 'UNLISTED', next_consequence: null })
    const closed = await patch(issue.id, { status: 'RESOLVED', consequence: 'NOTICE' })
    expect([closed.status, closed.error.errors]).toEqual([400, ['This issue is closed. Reopen it to set its consequence.']])
    expect((await patch(issue.id, { status: 'RESOLVED' })).data.timeline.map((entry) => entry.status)).toEqual(['OPEN', null, 'RESOLVED'])
  })

  test('reopens an issue without its old consequence, or with a given one', async () => {
    const { issue } = await withIssue({ kind: 'REVOKED_CREDENTIAL' })
    await patch(issue.id, { status: 'DISMISSED' })
    app.clock.advance(10 * DAY_MS)
    const open = await patch(issue.id, { status: 'OPEN' })
    expect(open.data).toMatchObject({ status: 'OPEN', consequence: 'NOTICE' })
    await patch(issue.id, { status: 'RESOLVED' })
    const reopened = await patch(issue.id, { status: 'ACKNOWLEDGED', consequence: 'UNRANKED' })
    expect(reopened.data).toMatchObject({ status: 'ACKNOWLEDGED', consequence: 'UNRANKED', next_consequence: null })
  })

  test('cannot reopen an issue that is open again, or whose server was deleted', async () => {
    const { owner, server, finding, issue } = await withIssue()
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
    const { params } = await withIssue()
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
    const { owner, issue, params } = await withIssue()
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
      const { owner, params } = await withIssue()
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
  const { owner, issue, params } = await withIssue()
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

/** What becomes of findings: issues, repeats, and what owners see of them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount } from '#contract/events/activity.ts'
import * as protection from '#contract/protection/protection.ts'
import type { IssueChanges } from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { offer } from '#tests/factories.ts'
import { issuesOf, reportFindings, seenBy, withIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

const DAY_MS = 86_400_000
let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const patch = (id: string, body: IssueChanges) => admin.call(protection.changeIssue, { params: { id }, body })

async function actionsOf(owner: SignedInUser) {
  return (await owner.call(ofAccount)).data.filter((entry) => entry.action.startsWith('ISSUE_'))
}

describe('a finding', () => {
  test('opens one issue for the owner and adds one system entry to their activity', async () => {
    const { owner, server, issue, params } = await withIssue(app, { severity: 'HIGH', summary: 'Another machine announces.' })
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
    const { owner, finding, issue } = await withIssue(app, {
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
    const { owner, finding } = await withIssue(app, { kind: 'IMPLAUSIBLE_PLAYERS', items: seen(0), series })
    await reportFindings(app, { ...finding, items: seen(15) })
    const [issue] = await issuesOf(owner)
    expect(issue?.evidence.items).toHaveLength(20)
    expect(issue?.evidence.items[0]?.observed).toBe('no 29')
    expect(issue?.evidence.series).toEqual(series)
    await reportFindings(app, { ...finding, series: [] })
    expect((await issuesOf(owner))[0]?.evidence.series).toEqual([])
  })

  test('with another fingerprint or kind opens another issue', async () => {
    const { owner, finding } = await withIssue(app)
    await reportFindings(app, { ...finding, fingerprint: 'another' }, { ...finding, kind: 'ANNOUNCE_FLOOD' })
    expect(await issuesOf(owner)).toHaveLength(3)
  })

  test('about a deleted server is dropped', async () => {
    const { owner, server, finding } = await withIssue(app)
    await owner.call(servers.remove, { params: { id: server.public_id } })
    await reportFindings(app, finding)
    expect(await issuesOf(owner)).toMatchObject([{ status: 'RESOLVED', server: null }])
  })

  test('after a resolution opens a new issue', async () => {
    const { owner, finding, issue } = await withIssue(app)
    await patch(issue.id, { status: 'RESOLVED' })
    await reportFindings(app, finding)
    expect((await issuesOf(owner)).map((issue) => issue.status)).toEqual(['OPEN', 'RESOLVED'])
  })

  test('within 30 days of a dismissal only increments the occurrences, and later opens a new issue', async () => {
    const { owner, finding, issue } = await withIssue(app)
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
    const { owner, finding, params } = await withIssue(app)
    app.findings.resolve('ADDRESS_MISMATCH', finding.publicId, 'It stopped.')
    app.findings.resolve('ANNOUNCE_FLOOD', finding.publicId, 'It was none.')
    await app.findings.flush()
    const detail = await seenBy(owner, params)
    expect(detail.status).toBe('RESOLVED')
    expect(detail.timeline.at(-1)).toMatchObject({ kind: 'STATUS', by: 'system', actor: null, status: 'RESOLVED', text: 'It stopped.' })
    expect((await actionsOf(owner))[0]).toMatchObject({ action: 'ISSUE_RESOLVED', as: 'system' })
  })

  test('is written in order with the resolutions around it', async () => {
    const { owner, finding } = await withIssue(app)
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
    const { owner, server, params } = await withIssue(app)
    await owner.call(servers.remove, { params: { id: server.public_id } })
    const detail = await seenBy(owner, params)
    expect(detail).toMatchObject({ status: 'RESOLVED', server: null })
    expect(detail.timeline.at(-1)).toMatchObject({ by: 'system', text: 'The server was deleted.' })
  })

  test('about the credential resolves on a transfer and stays hidden from the new owner', async () => {
    const { owner, server, params, finding } = await withIssue(app)
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
    const { owner, server, issue } = await withIssue(app, {
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
    const { owner, server, finding } = await withIssue(app)
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

/** The life of issues over HTTP: what is found, what their owners and administrators do about them, and what nobody else may see. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as protection from '#contract/protection.ts'
import { buildServer } from '#tests/factories.ts'
import { issuesOf, raise, raiseOne } from '#tests/findings.ts'
import { type SignedIn, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function withIssue(more: Partial<Parameters<typeof raiseOne>[2]> = {}) {
  const owner = await app.someone()
  const server = await buildServer(owner)
  const issue = await raiseOne(app, owner, { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, ...more })
  return { owner, server, issue, params: { userId: owner.id, issueId: issue.id } }
}

const patch = (id: string, body: protection.IssueChanges) => admin.call(protection.changeIssue, { params: { id }, body })

describe('what is found', () => {
  test('becomes one issue of the owner, with its explanation, remedy and first entry', async () => {
    const { owner, server, issue, params } = await withIssue({ severity: 'HIGH', summary: 'Somebody else announces.' })
    expect(issue).toMatchObject({
      user_id: owner.id,
      server: { public_id: server.public_id, name: server.name },
      kind: 'ADDRESS_MISMATCH',
      severity: 'HIGH',
      status: 'OPEN',
      consequence: 'NOTICE',
      summary: 'Somebody else announces.',
      occurrences: 1,
    })
    const { data } = await owner.call(protection.issue, { params })
    expect(data.title).toBe('Announced from another address')
    expect(data.timeline).toMatchObject([{ kind: 'OPENED', by: 'system', actor: null, status: 'OPEN', consequence: 'NOTICE' }])
  })

  test('again counts up the same issue', async () => {
    const { owner, server, issue } = await withIssue()
    await raise(app, { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, occurrences: 4, severity: 'HIGH', summary: 'Newer.' })
    expect(await issuesOf(owner)).toMatchObject([{ id: issue.id, occurrences: 5, severity: 'HIGH', summary: 'Newer.' }])
  })
})

describe('an administrator', () => {
  test('resolves, answers and notes in one call, and finds it in the queue', async () => {
    const { owner, issue, params } = await withIssue()
    const done = await patch(issue.id, { status: 'RESOLVED', note: 'A secret note.', reply: 'All is well.' })
    expect(done.status, done.text).toBe(200)
    expect(done.data.timeline.map((entry) => entry.kind)).toEqual(['OPENED', 'STATUS', 'REPLY', 'NOTE'])
    const seen = await owner.call(protection.issue, { params })
    expect(seen.data.timeline.map((entry) => entry.kind)).toEqual(['OPENED', 'STATUS', 'REPLY'])
    const queue = await admin.call(protection.issues, { query: { user_id: owner.id } })
    expect(queue.status, queue.text).toBe(200)
    expect(queue.data.data).toMatchObject([{ id: issue.id, user: { id: owner.id }, status: 'RESOLVED' }])
  })
})

/** Reports about a listed server, and what administrators see and decide. */
import { expect } from 'vitest'
import type { BodyIn } from '#contract/api/endpoint.ts'
import * as protection from '#contract/protection/protection.ts'
import * as reports from '#contract/protection/reports.ts'
import { announce, buildServer } from './factories.ts'
import type { SignedInUser, TestApp, TestUser } from './harness.ts'

export type Report = BodyIn<typeof reports.report>

export const report = (user: TestUser, id: string, body: Report = { reason: 'fake_players' }) =>
  user.call(reports.report, { params: { id }, body })

export async function listedServer(app: TestApp) {
  const owner = await app.newUser()
  const server = await buildServer(owner)
  expect((await announce(app, server.credential)).status).toBe(200)
  return { owner, server, id: server.public_id }
}

/** The administrators' view of a server's reports. */
export async function moderated(admin: SignedInUser, serverId: string) {
  const { data } = await admin.call(protection.issues, { query: { server_id: serverId, kind: 'PLAYER_REPORTS' } })
  const [issue] = data.data
  if (issue === undefined) throw new Error('The server has no issue.')
  const params = { userId: issue.user_id, issueId: issue.id }
  const { is_visible_to_owner } = (await admin.call(protection.issue, { params })).data
  return { issue, is_visible_to_owner, ...(await admin.call(reports.ofIssue, { params: { id: issue.id } })).data }
}

export async function decide(admin: SignedInUser, serverId: string, status: 'RESOLVED' | 'DISMISSED' | 'OPEN') {
  const { issue } = await moderated(admin, serverId)
  const { status: code, text } = await admin.call(protection.changeIssue, { params: { id: issue.id }, body: { status } })
  expect(code, text).toBe(200)
  return issue.id
}

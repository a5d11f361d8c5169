/** Reports findings as a detector does, and reads the issues that they open. */
import { expect } from 'vitest'
import * as protection from '#contract/protection/protection.ts'
import type { IssueKind, ProtectionIssue } from '#contract/protection/protection.ts'
import type { Finding } from '#backend/core/protection/finding.ts'
import { buildServer } from './factories.ts'
import type { SignedInUser, TestApp } from './harness.ts'

type FindingInput = Pick<Finding, 'kind' | 'publicId'> & Partial<Finding>

/** A finding with the current time and defaults. */
export function findingOf(app: Pick<TestApp, 'clock'>, { kind, publicId, ...more }: FindingInput): Finding {
  return {
    kind,
    publicId,
    fingerprint: '',
    severity: 'MEDIUM',
    summary: `Something of the kind ${kind} was found.`,
    at: app.clock.now(),
    occurrences: 1,
    items: [],
    ...more,
  }
}

/** Raises findings as a detector does, and waits until they are written. */
export async function reportFindings(app: Pick<TestApp, 'clock' | 'findings'>, ...found: readonly FindingInput[]): Promise<void> {
  for (const one of found) app.findings.report(findingOf(app, one))
  await app.findings.flush()
}

/** A user's own view of their issues, open ones first. */
export async function issuesOf(owner: SignedInUser): Promise<readonly ProtectionIssue[]> {
  const { status, data, text } = await owner.call(protection.issuesOfUser, { params: { userId: owner.id } })
  expect(status, text).toBe(200)
  return data
}

/** The owner's issues of a kind, after all findings are written. */
export async function issuesOfKind(app: Pick<TestApp, 'findings'>, owner: SignedInUser, kind: IssueKind) {
  await app.findings.flush()
  return (await issuesOf(owner)).filter((issue) => issue.kind === kind)
}

/** Calls `send` once per half minute of the test clock. */
export async function everyHalfMinute({ clock }: Pick<TestApp, 'clock'>, count: number, send: (round: number) => Promise<unknown>) {
  for (let round = 0; round < count; round += 1) {
    await send(round)
    clock.advance(30_000)
  }
}

/** Raises one finding about a server that has no issue yet, and returns its issue. */
export async function raiseIssue(
  app: Pick<TestApp, 'clock' | 'findings'>,
  owner: SignedInUser,
  found: FindingInput,
): Promise<ProtectionIssue> {
  const before = new Set((await issuesOf(owner)).map((one) => one.id))
  await reportFindings(app, found)
  const created = (await issuesOf(owner)).filter((one) => !before.has(one.id))
  expect(created).toHaveLength(1)
  return created[0] as ProtectionIssue
}

/** A new owner with a server that has an issue. */
export async function withIssue(app: TestApp, overrides: Partial<FindingInput> = {}) {
  const owner = await app.newUser()
  const server = await buildServer(owner)
  const finding = { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, ...overrides } as const
  const issue = await raiseIssue(app, owner, finding)
  return { owner, server, finding, issue, params: { userId: owner.id, issueId: issue.id } }
}

/** An issue as this user sees it. */
export async function seenBy(user: SignedInUser, params: { userId: string; issueId: string }) {
  const { status, data, text } = await user.call(protection.issue, { params })
  expect(status, text).toBe(200)
  return data
}

/** What becomes of a server's open issues when it gets another owner: a hand-over restarts no clock (docs/decisions/0036). */
import { v7 as uuidv7 } from 'uuid'
import type { Evidence, IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { DETECTORS } from './detectors.ts'
import { resolveIssuesOf } from './ending.ts'
import { insertTimeline } from './issues.queries.ts'
import { maskText } from './masking.ts'
import { type OpenIssue, listOpenOf } from './carrying-over.queries.ts'
import { insertIssues } from './raising.queries.ts'

const NOBODYS: ReadonlySet<string> = new Set()

/** Open issues that would go with the servers, oldest first, without anybody's address. */
export async function listThatCarryOver(db: Db, publicIds: readonly string[]): Promise<OpenIssue[]> {
  const open = await listOpenOf(db, publicIds)
  return open
    .filter(({ kind }) => DETECTORS[kind as IssueKind].endsWithHandOver !== true)
    .map((issue) => ({ ...issue, summary: maskText(issue.summary, NOBODYS) }))
}

/**
 * Ends the former owner's issues and opens the same ones for the new owner, as old and with the same consequence. Call it in the transaction
 * of the hand-over, before the server moves.
 */
export async function carryIssuesOver(trx: Db, publicId: string, toUserId: string): Promise<void> {
  const issues = await listThatCarryOver(trx, [publicId])
  await resolveIssuesOf(trx, { publicIds: [publicId], why: 'The server was handed over.' })
  const successors = issues.map(({ evidence, ...kept }) => ({
    ...kept,
    id: uuidv7(),
    user_id: toUserId,
    status: 'OPEN',
    occurrences: Number(kept.occurrences),
    evidence: JSON.stringify(withoutAddresses(evidence)),
  }))
  await insertIssues(trx, successors)
  await insertTimeline(
    trx,
    successors.map(({ id }) => ({ issue_id: id, kind: 'OPENED', by: 'system', text: 'It came with the server from its former owner.' })),
  )
  await recordEvent(
    trx,
    ...successors.map(({ id, kind, severity, consequence, server_name: name }) => ({
      action: 'ISSUE_OPENED' as const,
      ...BY_SYSTEM,
      ownerId: toUserId,
      server: { public_id: publicId, name },
      after: { issue_id: id, kind, severity, consequence },
    })),
  )
}

/** Where the former owner's server was is not the next one's to know. */
function withoutAddresses({ items, series }: Evidence): Evidence {
  const masked = items.map((item) => ({
    ...item,
    observed: maskText(item.observed, NOBODYS),
    expected: maskText(item.expected, NOBODYS),
    address: null,
  }))
  return { items: masked, series }
}

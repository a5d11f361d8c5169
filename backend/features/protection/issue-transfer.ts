/** What becomes of a server's open issues when it gets another owner: a hand-over restarts no clock (docs/decisions/0036). */
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#backend/platform/database/open.ts'
import { DETECTORS } from './detectors.ts'
import { resolveIssuesOf } from './resolution.ts'
import { type OpenIssue, listOpenIssuesOf } from './issues.queries.ts'
import { maskEvidence, maskAddressesIn } from './mask-addresses.ts'
import { insertIssues } from './issue-upsert.queries.ts'
import { recordIssueEvents } from './timeline.ts'

/** Open issues that would go with the servers, oldest first, with every address masked. */
export async function listTransferableIssues(db: Db, publicIds: readonly string[]): Promise<OpenIssue[]> {
  const open = await listOpenIssuesOf(db, publicIds)
  return open
    .filter(({ kind }) => DETECTORS[kind].resolvesOnTransfer !== true)
    .map((issue) => ({ ...issue, summary: maskAddressesIn(issue.summary) }))
}

/**
 * Ends the former owner's issues and opens the same ones for the new owner, as old and with the same consequence. Call it in the transaction
 * of the hand-over, before the server moves.
 */
export async function transferIssues(trx: Db, publicId: string, toUserId: string): Promise<void> {
  const issues = await listTransferableIssues(trx, [publicId])
  await resolveIssuesOf(trx, { publicIds: [publicId], why: 'The server was handed over.' })
  const successors = issues.map((issue) => ({ ...issue, id: uuidv7(), user_id: toUserId, status: 'OPEN' }))
  await insertIssues(
    trx,
    successors.map(({ evidence: { items, series }, occurrences, ...row }) => ({
      ...row,
      occurrences: Number(occurrences),
      // Where the former owner's server was is not the next owner's to know.
      evidence: JSON.stringify({ items: maskEvidence(items).map((item) => ({ ...item, address: null })), series }),
    })),
  )
  await recordIssueEvents(
    trx,
    successors.map((issue) => ({
      action: 'ISSUE_OPENED',
      issue,
      entry: { kind: 'OPENED', text: 'It came with the server from its former owner.' },
      after: { severity: issue.severity, consequence: issue.consequence },
    })),
  )
}

/** Moves open issues to the new owner when a server is transferred. Their escalation continues (docs/decisions/0011). */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#backend/platform/database/open.ts'
import { DETECTORS } from './detectors.ts'
import { resolveIssuesOf } from './resolution.ts'
import { type OpenIssue, insertIssues, listOpenIssuesOf } from './issues.queries.ts'
import { maskAddressesIn, maskEvidence } from './mask-addresses.ts'
import { opened, recordIssueEvents } from './timeline.ts'

/** The open issues that would be transferred with these servers, oldest first, with all addresses masked. Their owner may not see all. */
async function listTransferableIssues(db: Db, publicIds: readonly string[]): Promise<OpenIssue[]> {
  const open = await listOpenIssuesOf(db, publicIds)
  return open
    .filter(({ kind }) => DETECTORS[kind].resolvesOnTransfer !== true)
    .map((issue) => ({ ...issue, summary: maskAddressesIn(issue.summary) }))
}

/** What the recipient of an offer can know of them. */
export async function listOfferedIssues(db: Db, publicIds: readonly string[]): Promise<OpenIssue[]> {
  return (await listTransferableIssues(db, publicIds)).filter((issue) => issue.is_visible_to_owner)
}

/**
 * Resolves the former owner's issues and opens copies for the new owner, with the same age and consequence. Call it in the transaction of the
 * transfer, before the owner changes.
 */
export async function transferIssues(trx: Db, publicId: string, toUserId: string): Promise<void> {
  const issues = await listTransferableIssues(trx, [publicId])
  await resolveIssuesOf(trx, { publicId, reason: m.resolution_transferred({}, STORED) })
  const copies = issues.map((issue) => ({ ...issue, id: uuidv7(), user_id: toUserId, status: 'OPEN' }))
  await insertIssues(
    trx,
    copies.map(({ evidence: { items, series }, occurrences, ...row }) => ({
      ...row,
      occurrences: Number(occurrences),
      // The former owner's addresses are private.
      evidence: JSON.stringify({ items: maskEvidence(items).map((item) => ({ ...item, address: null })), series }),
    })),
  )
  await recordIssueEvents(
    trx,
    copies.map((issue) => ({
      ...opened(issue),
      entry: { kind: 'OPENED', text: m.resolution_transferred_open({}, STORED) },
    })),
  )
}

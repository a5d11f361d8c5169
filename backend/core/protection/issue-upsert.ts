/** Turns findings into issues of the server's current owner: one open row per fingerprint, whichever node found it. */
import { lockServersForFindings } from '#backend/platform/database/lock-order.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Consequence, type Evidence, type EvidenceItem, SEVERITIES, type Severity } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'
import { nextStepAfter } from './escalation.ts'
import { DETECTORS } from './detectors.ts'
import type { Finding } from './finding.ts'
import { insertIssues, updateIssue } from './issues.queries.ts'
import { consequenceChanged, opened, recordIssueEvents } from './timeline.ts'

/** For this long, a dismissed issue only counts repeats. */
const SUPPRESSED_MS = 30 * 86_400_000
const MAX_ITEMS = 20

/** Writes distinct findings in one transaction. Findings about deleted servers are dropped. */
export function upsertIssues(db: Db, findings: readonly Finding[], now: Date): Promise<void> {
  return transaction(db, async (trx) => {
    const publicIds = [...new Set(findings.map((finding) => finding.publicId))]
    const owners = await lockOwners(trx, publicIds)
    const servers = new Map((await lockServersForFindings(trx, publicIds)).map((server) => [server.public_id, server]))
    const since = new Date(now.getTime() - SUPPRESSED_MS)
    const existing = await lockExistingIssues(trx, publicIds, since)
    const resolved = await listResolvedIssues(trx, publicIds, since)
    const updates: Update[] = []
    const created: NewIssue[] = []
    for (const finding of findings) {
      const server = servers.get(finding.publicId)
      if (server === undefined || !owners.has(server.owner_id)) continue
      // A finding from before a transfer does not apply to the new owner.
      if (finding.ownerId !== undefined && finding.ownerId !== server.owner_id) continue
      const isMatch = matches(finding, server)
      const matching = existing.filter(isMatch)
      const issue = matching.find(({ status }) => status !== 'DISMISSED') ?? matching[0]
      if (issue === undefined) created.push(newIssue(finding, server, resolved.find(isMatch), now))
      else updates.push({ issue, columns: issue.status === 'DISMISSED' ? repeatedColumns(finding) : updatedColumns(issue, finding, now) })
    }
    for (const { issue, columns } of updates) await updateIssue(trx, issue.id, columns)
    await insertIssues(trx, created)
    await recordUpserted(trx, created, updates, now)
  })
}

/** Locks the owners of these servers against erasure. Returns the ids of those that exist. */
async function lockOwners(trx: Db, publicIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', (q) => q.selectFrom('servers').select('owner_id').where('public_id', '=', anyOf(publicIds)))
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map((row) => row.id))
}

type OwnedServer = Awaited<ReturnType<typeof lockServersForFindings>>[number]

type ExistingIssue = Awaited<ReturnType<typeof lockExistingIssues>>[number]

/** Locks the issues that findings about these servers may update: open ones, and those dismissed since this time. */
function lockExistingIssues(trx: Db, publicIds: readonly string[], dismissedSince: Date) {
  return trx
    .selectFrom('protection_issues')
    .select(['id', 'user_id', 'server_id', 'server_name', 'kind', 'fingerprint', 'severity', 'status'])
    .select(['consequence', 'is_consequence_chosen', 'is_visible_to_owner', 'summary', 'evidence', 'last_seen_at'])
    .where('server_id', '=', anyOf(publicIds))
    .where((q) =>
      q.or([q('status', 'in', ['OPEN', 'ACKNOWLEDGED']), q.and([q('status', '=', 'DISMISSED'), q('closed_at', '>', dismissedSince)])]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

type ResolvedIssue = Awaited<ReturnType<typeof listResolvedIssues>>[number]

/** Issues of these servers that were resolved since this time, newest first. */
function listResolvedIssues(trx: Db, publicIds: readonly string[], since: Date) {
  const resolvedBy = sql<string>`(select t.by from protection_timeline t where t.issue_id = i.id and t.status = 'RESOLVED' order by t.id desc limit 1)`
  return trx
    .selectFrom('protection_issues as i')
    .select(['user_id', 'server_id', 'kind', 'fingerprint', 'consequence', 'is_consequence_chosen', 'opened_at'])
    .select(resolvedBy.as('resolved_by'))
    .where('server_id', '=', anyOf(publicIds))
    .where('status', '=', 'RESOLVED')
    .where('closed_at', '>', since)
    .orderBy('closed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

interface Update {
  readonly issue: ExistingIssue
  readonly columns: ReturnType<typeof repeatedColumns> & Partial<ReturnType<typeof updatedColumns>>
}

async function recordUpserted(trx: Db, created: readonly NewIssue[], updates: readonly Update[], now: Date): Promise<void> {
  const changes = updates.flatMap(({ issue, columns: { consequence = issue.consequence } }) =>
    consequence === issue.consequence ? [] : [consequenceChanged(issue, issue.consequence, consequence)],
  )
  await recordIssueEvents(trx, [...created.map((issue) => opened(issue)), ...changes], now)
  const repeated = updates.filter(({ issue }) => issue.status !== 'DISMISSED')
  await recordEvent(
    trx,
    ...repeated.map(({ issue, columns }) => ({
      action: 'ISSUE_REPEATED' as const,
      ...BY_SYSTEM,
      ownerId: issue.user_id,
      // Announce notices contain the summary.
      servers: issue.server_id !== null && columns.summary !== issue.summary ? [issue.server_id] : [],
    })),
  )
}

const matches =
  ({ kind, publicId, ...finding }: Finding, { owner_id: ownerId }: OwnedServer) =>
  (issue: Pick<ResolvedIssue, 'kind' | 'server_id' | 'user_id' | 'fingerprint'>): boolean =>
    issue.kind === kind && issue.server_id === publicId && issue.user_id === ownerId && issue.fingerprint === finding.fingerprint

const repeatedColumns = ({ occurrences, at }: Finding) => ({
  occurrences: sql<number>`occurrences + ${occurrences}`,
  last_seen_at: sql<Date>`greatest(last_seen_at, ${new Date(at)})`,
})

function updatedColumns(issue: ExistingIssue, finding: Finding, now: Date) {
  const pausedMs = finding.at - issue.last_seen_at.getTime()
  const seenWithinMs = nextStepAfter(issue.consequence, DETECTORS[finding.kind].escalationPolicy)?.step.seenWithinMs
  const restartsEscalation = seenWithinMs !== undefined && pausedMs > seenWithinMs
  // A changed policy applies to open issues, unless an administrator chose the consequence.
  const consequence = (issue.is_consequence_chosen ? undefined : finding.consequence) ?? issue.consequence
  return {
    ...repeatedColumns(finding),
    ...(restartsEscalation && { opened_at: sql<Date>`greatest(opened_at, ${new Date(finding.at)})` }),
    severity: higherSeverity(issue.severity, finding.severity),
    summary: finding.summary,
    evidence: mergedEvidence(issue.evidence, finding),
    consequence,
    ...(consequence !== issue.consequence && { consequence_at: now }),
  }
}

type NewIssue = ReturnType<typeof newIssue>

/**
 * Continues an issue that the program recently resolved. An administrator's consequence stays. If issues of this kind don't resolve by
 * time alone, the age stays too. Otherwise owners could reset the escalation by fixing the problem briefly.
 */
function newIssue(finding: Finding, server: OwnedServer, newest: ResolvedIssue | undefined, now: Date) {
  const former = newest?.resolved_by === 'system' ? newest : undefined
  const { escalationPolicy, autoResolveAfterMs } = DETECTORS[finding.kind]
  const isChosen = former?.is_consequence_chosen === true
  const consequence: Consequence = isChosen ? former.consequence : (finding.consequence ?? escalationPolicy[0]?.consequence ?? 'NOTICE')
  const openedAt = autoResolveAfterMs === undefined ? former?.opened_at : undefined
  const at = new Date(finding.at)
  return {
    id: uuidv7(),
    user_id: server.owner_id,
    server_id: server.public_id,
    server_name: server.name,
    kind: finding.kind,
    severity: finding.severity,
    fingerprint: finding.fingerprint,
    consequence,
    consequence_at: openedAt ?? now,
    is_consequence_chosen: isChosen,
    is_visible_to_owner: true,
    summary: finding.summary,
    evidence: mergedEvidence({ items: [], series: [] }, finding),
    occurrences: finding.occurrences,
    first_seen_at: at,
    last_seen_at: at,
    opened_at: openedAt ?? at,
  }
}

function higherSeverity(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a
}

function mergedEvidence(stored: Evidence, { items, series }: Pick<Finding, 'items' | 'series'>): string {
  return JSON.stringify({ items: newestItems(items, stored.items), series: series ?? stored.series })
}

/** Merges two lists, newest first, without duplicates. */
export function newestItems(newer: readonly EvidenceItem[], older: readonly EvidenceItem[]): EvidenceItem[] {
  const distinct = new Map([...newer, ...older].map((item) => [[item.at, item.observed, item.expected, item.address].join('\n'), item]))
  return [...distinct.values()].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MAX_ITEMS)
}

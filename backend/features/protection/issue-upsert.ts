/** Findings become issues: one open row for all that are the same, whatever node found them, of the server's present owner. */
import { v7 as uuidv7 } from 'uuid'
import { type Consequence, type Evidence, type EvidenceItem, SEVERITIES, type SeriesPoint, type Severity } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { nextStepAfter } from './escalation.ts'
import { DETECTORS } from './detectors.ts'
import type { Finding } from './finding.ts'
import {
  type IssueUpdate,
  type ResolvedIssue,
  type ExistingIssue,
  type OwnedServer,
  incrementOccurrences,
  lockOwners,
  lockServers,
  insertIssues,
  listResolvedIssues,
  lockExistingIssues,
} from './issue-upsert.queries.ts'
import { consequenceChanged, recordIssueEvents } from './timeline.ts'

/** A dismissed finding is not raised again for so long. */
const SUPPRESSED_MS = 30 * 86_400_000
const MAX_ITEMS = 20
const MAX_POINTS = 500
const MAX_CHARACTERS = 500
const MAX_FINGERPRINT = 200

/** Writes findings, no two of them the same, in one transaction. Those about a server that is gone are dropped. */
export function upsertIssues(db: Db, findings: readonly Finding[], now: Date): Promise<void> {
  return transaction(db, async (trx) => {
    const publicIds = [...new Set(findings.map((finding) => finding.publicId))]
    const owners = await lockOwners(trx, publicIds)
    const servers = new Map((await lockServers(trx, publicIds)).map((server) => [server.public_id, server]))
    const since = new Date(now.getTime() - SUPPRESSED_MS)
    const known = await lockExistingIssues(trx, publicIds, since)
    const former = await listResolvedIssues(trx, publicIds, since)
    const counted: IssueUpdate[] = []
    const created: NewIssue[] = []
    for (const finding of findings) {
      const server = servers.get(finding.publicId)
      if (server === undefined || !owners.has(server.owner_id)) continue
      // If the server changed hands since it was found, nothing was found of its present owner.
      if (finding.ownerId !== undefined && finding.ownerId !== server.owner_id) continue
      const isSame = matches(finding, server)
      const same = known.filter(isSame)
      const issue = same.find(({ status }) => status !== 'DISMISSED') ?? same[0]
      if (issue === undefined) created.push(newIssue(finding, server, former.find(isSame), now))
      else counted.push(issue.status === 'DISMISSED' ? suppressedUpdate(issue, finding) : repeatUpdate(issue, finding))
    }
    await incrementOccurrences(trx, counted, now)
    const inserted = await insertIssues(trx, created)
    const opened = created.filter(({ id }) => inserted.has(id))
    await recordUpserted(trx, opened, counted, now)
  })
}

async function recordUpserted(trx: Db, opened: readonly NewIssue[], counted: readonly IssueUpdate[], now: Date): Promise<void> {
  const openings = opened.map((issue) => ({
    action: 'ISSUE_OPENED' as const,
    issue,
    entry: { kind: 'OPENED', status: 'OPEN', consequence: issue.consequence },
    after: { severity: issue.severity, consequence: issue.consequence },
  }))
  const changes = counted
    .filter(({ hasNewConsequence: consequenceBegan }) => consequenceBegan)
    .map(({ issue, consequence }) => consequenceChanged(issue, issue.consequence, consequence))
  await recordIssueEvents(trx, [...openings, ...changes], now)
  await recordEvent(
    trx,
    ...counted
      .filter(({ issue }) => issue.status !== 'DISMISSED')
      .map(({ issue, summary }) => ({
        action: 'ISSUE_REPEATED' as const,
        ...BY_SYSTEM,
        ownerId: issue.user_id,
        // The summary is in the notices of announces.
        servers: issue.server_id !== null && summary !== issue.summary ? [issue.server_id] : [],
      })),
  )
}

const matches =
  ({ kind, publicId, ...finding }: Finding, { owner_id: ownerId }: OwnedServer) =>
  (issue: Pick<ResolvedIssue, 'kind' | 'server_id' | 'user_id' | 'fingerprint'>): boolean =>
    issue.kind === kind && issue.server_id === publicId && issue.user_id === ownerId && issue.fingerprint === fingerprintOf(finding)

function suppressedUpdate(issue: ExistingIssue, { occurrences, at }: Finding): IssueUpdate {
  const { severity, summary, evidence, consequence } = issue
  const unchanged = {
    severity,
    summary,
    evidence: JSON.stringify(evidence),
    consequence,
    restartsEscalation: false,
    hasNewConsequence: false,
  }
  return { issue, occurrences, lastSeenAt: new Date(at), ...unchanged }
}

function repeatUpdate(issue: ExistingIssue, finding: Finding): IssueUpdate {
  const pausedMs = finding.at - issue.last_seen_at.getTime()
  const goesOnMs = nextStepAfter(issue.consequence, DETECTORS[finding.kind].escalationPolicy)?.step.seenWithinMs
  // What the configuration says is followed from now on; what a person chose stays.
  const consequence = issue.is_consequence_chosen ? undefined : finding.consequence
  return {
    issue,
    occurrences: finding.occurrences,
    lastSeenAt: new Date(finding.at),
    restartsEscalation: goesOnMs !== undefined && pausedMs > goesOnMs,
    severity: higherSeverity(issue.severity, finding.severity),
    summary: truncate(finding.summary),
    evidence: mergedEvidence(issue.evidence, finding),
    consequence: consequence ?? issue.consequence,
    hasNewConsequence: consequence !== undefined && consequence !== issue.consequence,
  }
}

type NewIssue = ReturnType<typeof newIssue>

/**
 * An issue that the program resolved a while ago goes on: a consequence that a person chose stays, and where only an act ends it, so does
 * the time it has lasted. Else making it go away for a moment would be a way out.
 */
function newIssue(finding: Finding, server: OwnedServer, newest: ResolvedIssue | undefined, now: Date) {
  const former = newest?.resolved_by === 'system' ? newest : undefined
  const { escalationPolicy: ladder, autoResolveAfterMs: quietMs } = DETECTORS[finding.kind]
  const isChosen = former?.is_consequence_chosen === true
  const consequence: Consequence = isChosen ? former.consequence : (finding.consequence ?? ladder[0]?.consequence ?? 'NOTICE')
  const openedAt = quietMs === undefined ? former?.opened_at : undefined
  const at = new Date(finding.at)
  return {
    id: uuidv7(),
    user_id: server.owner_id,
    server_id: server.public_id,
    server_name: server.name,
    kind: finding.kind,
    severity: finding.severity,
    fingerprint: fingerprintOf(finding),
    consequence,
    consequence_at: openedAt ?? now,
    is_consequence_chosen: isChosen,
    summary: truncate(finding.summary),
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

export const fingerprintOf = ({ fingerprint }: Pick<Finding, 'fingerprint'>) => truncate(fingerprint, MAX_FINGERPRINT)

/** What a game server sent can be of any length and hold anything; the database takes no NUL and no half characters. */
function truncate(text: string, max = MAX_CHARACTERS): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= max ? clean : Array.from(clean).slice(0, max).join('')
}

function mergedEvidence(known: Evidence, { items, series }: Pick<Finding, 'items' | 'series'>): string {
  const merged: Evidence = {
    items: newestItems(items.map(truncateItem), known.items),
    series: series === undefined ? known.series : boundedSeries(series),
  }
  return JSON.stringify(merged)
}

/** Of two lists, each newest first, the newest; one of the same moment and words is one. */
export function newestItems(newer: readonly EvidenceItem[], older: readonly EvidenceItem[]): EvidenceItem[] {
  const distinct = new Map([...newer, ...older].map((item) => [[item.at, item.observed, item.expected, item.address].join('\n'), item]))
  return [...distinct.values()].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MAX_ITEMS)
}

function truncateItem({ at, observed, expected, address }: EvidenceItem): EvidenceItem {
  return { at, observed: truncate(observed), expected: truncate(expected), address: address === null ? null : truncate(address, 64) }
}

function boundedSeries(series: readonly SeriesPoint[]): SeriesPoint[] {
  return series
    .slice(-MAX_POINTS)
    .map(({ at, players, slots }) => ({ at, players: Math.trunc(players) || 0, slots: Math.trunc(slots) || 0 }))
}

/** Findings become issues: one open row for each that is the same, whatever nodes found it, against whose server it is now. */
import { v7 as uuidv7 } from 'uuid'
import { type Consequence, type Evidence, type EvidenceItem, SEVERITIES, type SeriesPoint, type Severity } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { stepAfter } from './climbing.ts'
import { DETECTORS } from './detectors.ts'
import type { Finding } from './finding.ts'
import { insertTimeline } from './issues.queries.ts'
import {
  type CountedUp,
  type KnownIssue,
  countSilently,
  countUp,
  holdPeople,
  holdServers,
  insertIssues,
  listFormer,
  listOwners,
  lockKnown,
} from './raising.queries.ts'

/** What was dismissed is not raised again for so long. */
const SUPPRESSED_MS = 30 * 86_400_000
const MOST_ITEMS = 20
const MOST_POINTS = 500
const MOST_CHARACTERS = 500
const MOST_FINGERPRINT = 200

/** Writes findings in one transaction, of which no two are the same one. What is about a server that is gone is dropped. */
export function raiseAll(db: Db, findings: readonly Finding[], now: Date): Promise<void> {
  return transaction(db, async (trx) => {
    const publicIds = [...new Set(findings.map((finding) => finding.publicId))]
    const people = await holdPeople(trx, await listOwners(trx, publicIds))
    const servers = new Map((await holdServers(trx, publicIds)).map((server) => [server.public_id, server]))
    const known = await lockKnown(trx, publicIds, new Date(now.getTime() - SUPPRESSED_MS))
    const former = await listFormer(trx, publicIds, new Date(now.getTime() - SUPPRESSED_MS))
    const raising = new Raising(now, former)
    for (const finding of findings) {
      const server = servers.get(finding.publicId)
      // One that changed hands since it was found, or since people were held, is somebody's of whom nothing was found.
      const isHis = server !== undefined && (finding.ownerId ?? server.owner_id) === server.owner_id
      if (isHis && people.has(server.owner_id)) raising.add(finding, server, known)
    }
    await raising.write(trx)
  })
}

interface Owned {
  readonly public_id: string
  readonly owner_id: string
  readonly name: string
}

class Raising {
  readonly #now: Date
  readonly #former: readonly FormerIssue[]
  readonly #silent: { id: string; occurrences: number; lastSeenAt: Date }[] = []
  readonly #counted: (CountedUp & { readonly was: KnownIssue })[] = []
  readonly #new: New[] = []

  constructor(now: Date, former: readonly FormerIssue[]) {
    this.#now = now
    this.#former = former
  }

  add(finding: Finding, server: Owned, known: readonly KnownIssue[]): void {
    const same = known.filter((issue) => isSame(issue, finding, server))
    const open = same.find((issue) => issue.status !== 'DISMISSED')
    if (open !== undefined) {
      this.#counted.push({ ...countedUp(open, finding), was: open })
      return
    }
    const [dismissed] = same
    if (dismissed !== undefined) {
      this.#silent.push({ id: dismissed.id, occurrences: finding.occurrences, lastSeenAt: new Date(finding.at) })
      return
    }
    const former = this.#former.find((issue) => isSame(issue, finding, server))
    this.#new.push({ id: uuidv7(), finding, server, ...continued(finding, former) })
  }

  async write(trx: Db): Promise<void> {
    await countSilently(trx, this.#silent)
    await countUp(trx, this.#counted, this.#now)
    const inserted = await insertIssues(
      trx,
      this.#new.map((one) => rowOf(one, this.#now)),
    )
    const opened = this.#new.filter(({ id }) => inserted.has(id))
    const moved = this.#counted.filter((one) => one.consequenceBegan)
    await insertTimeline(trx, [
      ...opened.map(({ id, consequence }) => ({
        issue_id: id,
        at: this.#now,
        kind: 'OPENED',
        by: 'system',
        status: 'OPEN',
        consequence,
      })),
      ...moved.map(({ id, consequence }) => ({ issue_id: id, at: this.#now, kind: 'CONSEQUENCE', by: 'system', consequence })),
    ])
    await recordEvent(
      trx,
      ...opened.map(({ id, finding, server, consequence }) => ({
        action: 'ISSUE_OPENED' as const,
        ...BY_SYSTEM,
        ownerId: server.owner_id,
        server,
        after: { issue_id: id, kind: finding.kind, severity: finding.severity, consequence },
      })),
      ...moved.map(({ id, was, consequence }) => ({
        action: 'ISSUE_CONSEQUENCE_CHANGED' as const,
        ...BY_SYSTEM,
        ownerId: was.user_id,
        ...(was.server_id !== null && { server: { public_id: was.server_id, name: was.server_name } }),
        before: { consequence: was.consequence },
        after: { issue_id: id, kind: was.kind, consequence },
      })),
      ...this.#counted.map(({ was, summary }) => ({
        action: 'ISSUE_REPEATED' as const,
        ...BY_SYSTEM,
        ownerId: was.user_id,
        // The announces' notices have the summary in them.
        servers: was.server_id !== null && summary !== was.summary ? [was.server_id] : [],
      })),
    )
  }
}

function countedUp(open: KnownIssue, finding: Finding): CountedUp {
  const pausedMs = finding.at - open.last_seen_at.getTime()
  const goesOnMs = stepAfter(open.consequence as Consequence, DETECTORS[finding.kind])?.step.seenWithinMs
  const evidence = mergedEvidence(open.evidence, finding)
  // A configuration that says what follows is followed from now on; what a person chose stands.
  const consequence = open.is_consequence_chosen ? undefined : finding.consequence
  return {
    id: open.id,
    occurrences: finding.occurrences,
    lastSeenAt: new Date(finding.at),
    // It paused for longer than what goes on does: the days before do not count for what follows.
    isAnew: goesOnMs !== undefined && pausedMs > goesOnMs,
    severity: graver(open.severity as Severity, finding.severity),
    summary: cut(finding.summary),
    evidence: JSON.stringify(evidence),
    consequence: consequence ?? open.consequence,
    consequenceBegan: consequence !== undefined && consequence !== open.consequence,
  }
}

type FormerIssue = Awaited<ReturnType<typeof listFormer>>[number]

interface New {
  readonly id: string
  readonly finding: Finding
  readonly server: Owned
  readonly consequence: Consequence
  readonly isChosen: boolean
  /** Since when it climbs; from now on where it is undefined. */
  readonly openedAt: Date | undefined
}

function isSame(
  issue: Pick<FormerIssue, 'kind' | 'server_id' | 'user_id' | 'fingerprint'>,
  finding: Finding,
  { owner_id: ownerId }: Owned,
): boolean {
  return (
    issue.kind === finding.kind &&
    issue.server_id === finding.publicId &&
    issue.user_id === ownerId &&
    issue.fingerprint === fingerprintOf(finding)
  )
}

/**
 * Who makes a thing go away for a moment and come back does not get rid of what a person chose for it, nor, where only an act ends it,
 * of the time that it has lasted.
 */
function continued(finding: Finding, newest: FormerIssue | undefined): Pick<New, 'consequence' | 'isChosen' | 'openedAt'> {
  // What a person ended is over with all that followed.
  const former = newest?.ended_by_itself === true ? newest : undefined
  const { ladder, quietMs } = DETECTORS[finding.kind]
  const isChosen = former?.is_consequence_chosen === true
  return {
    consequence: isChosen ? (former.consequence as Consequence) : (finding.consequence ?? ladder[0]?.consequence ?? 'NOTICE'),
    isChosen,
    openedAt: quietMs === undefined ? former?.opened_at : undefined,
  }
}

function rowOf({ id, finding, server, consequence, isChosen, openedAt }: New, now: Date) {
  const at = new Date(finding.at)
  return {
    id,
    user_id: server.owner_id,
    server_id: server.public_id,
    server_name: server.name,
    kind: finding.kind,
    severity: finding.severity,
    fingerprint: fingerprintOf(finding),
    consequence,
    consequence_at: openedAt ?? now,
    is_consequence_chosen: isChosen,
    summary: cut(finding.summary),
    evidence: JSON.stringify(mergedEvidence({ items: [], series: [] }, finding)),
    occurrences: finding.occurrences,
    first_seen_at: at,
    last_seen_at: at,
    opened_at: openedAt ?? at,
  }
}

function graver(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(b) > SEVERITIES.indexOf(a) ? b : a
}

export const fingerprintOf = (finding: Finding) => cut(finding.fingerprint, MOST_FINGERPRINT)

/** What a game server sent can be of any length and hold anything; the database takes no NUL and no half characters. */
function cut(text: string, most = MOST_CHARACTERS): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= most ? clean : Array.from(clean).slice(0, most).join('')
}

function mergedEvidence(before: Evidence, { items, series }: Pick<Finding, 'items' | 'series'>): Evidence {
  return { items: newestItems(items.map(cutItem), before.items), series: series === undefined ? before.series : boundedSeries(series) }
}

/** Of two lists, each newest first, the newest; one of the same moment and words is one. */
export function newestItems(newer: readonly EvidenceItem[], older: readonly EvidenceItem[]): EvidenceItem[] {
  const distinct = new Map([...newer, ...older].map((item) => [[item.at, item.observed, item.expected, item.address].join('\n'), item]))
  return [...distinct.values()].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MOST_ITEMS)
}

function cutItem({ at, observed, expected, address }: EvidenceItem): EvidenceItem {
  return { at, observed: cut(observed), expected: cut(expected), address: address === null ? null : cut(address, 64) }
}

function boundedSeries(series: readonly SeriesPoint[]): SeriesPoint[] {
  return series
    .slice(-MOST_POINTS)
    .map(({ at, players, slots }) => ({ at, players: Math.trunc(players) || 0, slots: Math.trunc(slots) || 0 }))
}

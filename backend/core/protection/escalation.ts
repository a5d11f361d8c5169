/** Escalates open issues and auto-resolves quiet ones. */
import { m } from '#api-messages'
import { CONSEQUENCES, type Consequence, type IssueKind } from '#contract/protection/protection.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Detector, NextEscalationStep } from './detector.ts'
import { DETECTORS } from './detectors.ts'
import { recordResolved } from './resolution.ts'
import { type IssueRow, openIssues, updateIssues } from './issues.queries.ts'
import { consequenceRank } from './enforcement.ts'
import { consequenceChanged, recordIssueEvents } from './timeline.ts'

/** Issues per transaction. */
const BATCH_SIZE = 200

interface QuietRule {
  readonly kind: IssueKind
  readonly since: Date
  /** Only issues within these limits. */
  readonly shortLived?: Detector['shortLived']
  /** One sentence for the owner. */
  readonly reason: string
}

/** The job. Usually no update finds an issue. */
export async function escalateAndResolveIssues({ db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>): Promise<void> {
  const now = clock.now()
  for (const detector of Object.values(DETECTORS)) {
    const isOff = env.PROTECTION_OFF.includes(detector.kind)
    for (const rule of isOff ? [switchedOff(detector, now)] : quietRulesOf(detector, now))
      await inBatches(() => transaction(db, (trx) => resolve(trx, rule, now)))
    // The last step first, so that an issue takes one step at a time.
    for (const from of isOff ? [] : CONSEQUENCES.toReversed()) {
      const next = nextStepAfter(from, detector.escalationPolicy)
      if (next !== undefined) await inBatches(() => transaction(db, (trx) => escalate(trx, detector.kind, from, next, now)))
    }
  }
}

/** A check that is off cannot detect that the problem is gone. */
const switchedOff = ({ kind }: Detector, now: number): QuietRule => ({
  kind,
  since: new Date(now),
  reason: m.resolution_check_off({}, STORED),
})

function quietRulesOf({ kind, autoResolveAfterMs, shortLived }: Detector, now: number): QuietRule[] {
  const rules: QuietRule[] = []
  if (autoResolveAfterMs !== undefined)
    rules.push({ kind, since: new Date(now - autoResolveAfterMs), reason: m.resolution_quiet({}, STORED) })
  if (shortLived !== undefined) {
    const since = new Date(now - shortLived.autoResolveAfterMs)
    rules.push({ kind, since, shortLived, reason: m.resolution_few_times({}, STORED) })
  }
  return rules
}

/** @param batch returns the number of updated issues. */
async function inBatches(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === BATCH_SIZE);
}

/** Issues without a consequence chosen by an administrator. Skips locked rows until the next run. */
function lockAutomaticIssues(trx: Db, kind: IssueKind) {
  return openIssues(trx).where('kind', '=', kind).where('is_consequence_chosen', '=', false).limit(BATCH_SIZE).forUpdate().skipLocked()
}

async function resolve(trx: Db, rule: QuietRule, now: number): Promise<number> {
  const { kind, since, shortLived } = rule
  let due = lockAutomaticIssues(trx, kind).where('last_seen_at', '<=', since).where('opened_at', '<=', since)
  if (shortLived !== undefined)
    due = due.where('fingerprint', '=', shortLived.fingerprint).where('occurrences', '<=', String(shortLived.maxOccurrences))
  const resolved = await updateIssues(trx, due, { status: 'RESOLVED', closed_at: new Date(now) })
  await recordResolved(trx, resolved, rule, new Date(now))
  return resolved.length
}

/** Escalates issues by one step if both delays of the step have passed. */
async function escalate(trx: Db, kind: IssueKind, from: Consequence, next: NextEscalationStep, now: number): Promise<number> {
  const { step, waitMs } = next
  let due = lockAutomaticIssues(trx, kind)
    .where('consequence', '=', from)
    .where('opened_at', '<=', new Date(now - step.afterMs))
    .where('consequence_at', '<=', new Date(now - waitMs))
    .where('occurrences', '>=', String(step.afterOccurrences))
  if (step.severity !== undefined) due = due.where('severity', '=', step.severity)
  if (step.seenWithinMs !== undefined) due = due.where('last_seen_at', '>=', new Date(now - step.seenWithinMs))
  const issues = await updateIssues(trx, due, { consequence: step.consequence, consequence_at: new Date(now) })
  const reason = m.resolution_persisted({}, STORED)
  const escalated = issues.map((issue) => consequenceChanged(issue, from, step.consequence, reason))
  await recordIssueEvents(trx, escalated, new Date(now))
  return escalated.length
}

/** Undefined after the last step. */
export function nextStepAfter(from: Consequence, policy: Detector['escalationPolicy']): NextEscalationStep | undefined {
  const index = policy.findIndex(({ consequence }) => consequenceRank(consequence) > consequenceRank(from))
  const step = policy[index]
  return step && { step, waitMs: step.afterMs - (policy[index - 1]?.afterMs ?? 0) }
}

/** The next automatic consequence of an open issue and when it starts; null if there is none. */
export function nextConsequenceOf(issue: IssueRow, now: number): { consequence: Consequence; at: string } | null {
  if (issue.is_consequence_chosen) return null
  const next = nextStepAfter(issue.consequence, DETECTORS[issue.kind].escalationPolicy)
  if (next === undefined || Number(issue.occurrences) < next.step.afterOccurrences) return null
  const { step, waitMs } = next
  if (step.severity !== undefined && step.severity !== issue.severity) return null
  if (step.seenWithinMs !== undefined && issue.last_seen_at.getTime() < now - step.seenWithinMs) return null
  const at = Math.max(now, issue.opened_at.getTime() + step.afterMs, issue.consequence_at.getTime() + waitMs)
  return { consequence: step.consequence, at: new Date(at).toISOString() }
}

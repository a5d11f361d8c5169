/** Escalates open issues and auto-resolves quiet ones. */
import { m } from '#api-messages'
import type { Consequence } from '#contract/protection.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Detector, NextEscalationStep } from './detector.ts'
import { DETECTORS } from './detectors.ts'
import { recordResolved } from './resolution.ts'
import type { IssueRow } from './issues.queries.ts'
import { type OpenIssueExtremes, type QuietRule, escalateDueIssues, openIssueExtremes, resolveQuietIssues } from './open-issues.queries.ts'
import { consequenceRank } from './enforcement.ts'
import { consequenceChanged, recordIssueEvents } from './timeline.ts'

/** Issues per transaction. */
const BATCH_SIZE = 200

export async function escalateAndResolveIssues({ db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>): Promise<void> {
  // Usually nothing is due, and this query is enough to know.
  for (const extremes of await openIssueExtremes(db)) {
    const detector = DETECTORS[extremes.kind]
    const isOff = env.PROTECTION_OFF.includes(extremes.kind)
    const now = clock.now()
    for (const rule of isOff ? [switchedOff(detector, now)] : quietRulesOf(detector, now)) {
      if (extremes.first_opened_at <= rule.since && extremes.first_seen_at <= rule.since)
        await inBatches(() => transaction(db, (trx) => resolve(trx, rule, now)))
    }
    const next = isOff ? undefined : nextStepAfter(extremes.consequence, detector.escalationPolicy)
    if (next !== undefined && canBeDue(extremes, next, now))
      await inBatches(() => transaction(db, (trx) => escalate(trx, extremes, next, now)))
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

function canBeDue(extremes: OpenIssueExtremes, { step, waitMs }: NextEscalationStep, now: number): boolean {
  const isOngoing = step.seenWithinMs === undefined || Number(extremes.last_seen_at) >= now - step.seenWithinMs
  return isOngoing && Number(extremes.first_opened_at) <= now - step.afterMs && Number(extremes.first_consequence_at) <= now - waitMs
}

/** @param batch returns the number of updated issues. */
async function inBatches(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === BATCH_SIZE);
}

async function resolve(trx: Db, rule: QuietRule, now: number): Promise<number> {
  const resolved = await resolveQuietIssues(trx, rule, new Date(now), BATCH_SIZE)
  await recordResolved(trx, resolved, rule, new Date(now))
  return resolved.length
}

async function escalate(trx: Db, current: OpenIssueExtremes, next: NextEscalationStep, now: number): Promise<number> {
  const issues = await escalateDueIssues(trx, current, next, now, BATCH_SIZE)
  const { consequence } = next.step
  const escalated = issues.map((issue) => consequenceChanged(issue, current.consequence, consequence, m.resolution_persisted({}, STORED)))
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

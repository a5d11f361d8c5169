/** Escalates open issues, and resolves those of which nothing is found any more. */
import type { Consequence } from '#contract/protection.ts'
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

/** In one transaction; the rest follows in the next. */
const BATCH_SIZE = 200

export async function escalateAndResolveIssues({ db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>): Promise<void> {
  // Most of the time nothing is due, and one query shows it.
  for (const look of await openIssueExtremes(db)) {
    const detector = DETECTORS[look.kind]
    const isOff = env.PROTECTION_OFF.includes(look.kind)
    const now = clock.now()
    for (const quiet of isOff ? [switchedOff(detector, now)] : quietRulesOf(detector, now)) {
      if (look.first_opened_at <= quiet.since && look.first_seen_at <= quiet.since)
        await inBatches(() => transaction(db, (trx) => resolve(trx, quiet, now)))
    }
    const next = isOff ? undefined : nextStepAfter(look.consequence, detector.escalationPolicy)
    if (next !== undefined && canBeDue(look, next, now)) await inBatches(() => transaction(db, (trx) => escalate(trx, look, next, now)))
  }
}

/** Nobody would find that it is over. */
const switchedOff = ({ kind }: Detector, now: number): QuietRule => ({ kind, since: new Date(now), why: 'The check is switched off.' })

function quietRulesOf({ kind, autoResolveAfterMs: quietMs, shortLived: brief }: Detector, now: number): QuietRule[] {
  const quiets: QuietRule[] = []
  if (quietMs !== undefined) quiets.push({ kind, since: new Date(now - quietMs), why: 'Nothing was found any more for long enough.' })
  if (brief !== undefined)
    quiets.push({ kind, since: new Date(now - brief.autoResolveAfterMs), brief, why: 'It was found a few times only, and not again.' })
  return quiets
}

function canBeDue(look: OpenIssueExtremes, { step, waitMs }: NextEscalationStep, now: number): boolean {
  const isGoingOn = step.seenWithinMs === undefined || Number(look.last_seen_at) >= now - step.seenWithinMs
  return isGoingOn && Number(look.first_opened_at) <= now - step.afterMs && Number(look.first_began_at) <= now - waitMs
}

/** @param batch returns how many it moved. */
async function inBatches(batch: () => Promise<number>): Promise<void> {
  while ((await batch()) === BATCH_SIZE);
}

async function resolve(trx: Db, quiet: QuietRule, now: number): Promise<number> {
  const ended = await resolveQuietIssues(trx, quiet, new Date(now), BATCH_SIZE)
  await recordResolved(trx, ended, quiet.why, new Date(now))
  return ended.length
}

async function escalate(trx: Db, look: OpenIssueExtremes, next: NextEscalationStep, now: number): Promise<number> {
  const issues = await escalateDueIssues(trx, look, next, now, BATCH_SIZE)
  const { consequence } = next.step
  const escalated = issues.map((issue) => consequenceChanged(issue, look.consequence, consequence, 'It went on for so long.'))
  await recordIssueEvents(trx, escalated, new Date(now))
  return escalated.length
}

/** The next step of a ladder from a consequence; undefined on the last one. */
export function nextStepAfter(from: Consequence, ladder: Detector['escalationPolicy']): NextEscalationStep | undefined {
  const at = ladder.findIndex(({ consequence }) => consequenceRank(consequence) > consequenceRank(from))
  const step = ladder[at]
  return step && { step, waitMs: step.afterMs - (ladder[at - 1]?.afterMs ?? 0) }
}

/** The next consequence of an open issue, and when it begins by itself; null where none does. */
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

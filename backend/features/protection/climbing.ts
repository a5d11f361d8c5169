/** What time does to issues: what follows from one climbs while it stays open, and one of which nothing is found any more resolves. */
import type { Consequence, IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { type Due, type Look, climb, lookAtOpen } from './climbing.queries.ts'
import { resolveQuiet } from './ending.queries.ts'
import { writeDownEnded } from './ending.ts'
import type { Detector, Step } from './detector.ts'
import { DETECTORS } from './detectors.ts'
import { insertTimeline } from './issues.queries.ts'
import { strengthOf } from './standing.ts'

/** In one transaction; the rest comes right after. */
const MOST_AT_ONCE = 200

type Moving = Pick<Deps, 'db' | 'clock' | 'env'>

/** The repeating task. */
export async function moveIssues({ db, clock, env }: Moving): Promise<void> {
  // Most of the time nothing is due, and one look says so.
  for (const look of await lookAtOpen(db)) {
    const rule = DETECTORS[look.kind as IssueKind]
    const isOff = env.PROTECTION_OFF.includes(rule.kind)
    const now = new Date(clock.now())
    for (const quiet of waysToEnd(rule, isOff, now)) {
      if (look.first_opened_at <= quiet.since && look.first_seen_at <= quiet.since)
        await inTurns(() => transaction(db, (trx) => resolve(trx, rule, quiet)))
    }
    const due = isOff ? undefined : dueFrom(look.consequence as Consequence, rule, now)
    if (due !== undefined && canBeDue(look, due)) await inTurns(() => transaction(db, (trx) => climbUp(trx, due, now)))
  }
}

function waysToEnd({ quietMs, brief }: Detector, isOff: boolean, now: Date): Quiet[] {
  const before = (ms: number) => new Date(now.getTime() - ms)
  // A check that nobody makes any more would never find that it is over.
  if (isOff) return [{ since: now, why: 'The check is switched off.', now }]
  const ways: Quiet[] = []
  if (quietMs !== undefined) ways.push({ since: before(quietMs), why: 'Nothing was found any more for long enough.', now })
  if (brief !== undefined) ways.push({ since: before(brief.quietMs), brief, why: 'It was found a few times only, and not again.', now })
  return ways
}

/** Who moves up from a consequence now: one step at a time, each after its own wait. */
function dueFrom(from: Consequence, rule: Detector, now: Date): Due | undefined {
  const next = stepAfter(from, rule)
  if (next === undefined) return undefined
  const { step, waitMs } = next
  const before = (ms: number) => new Date(now.getTime() - ms)
  return {
    kind: rule.kind,
    from,
    to: step.consequence,
    openedBefore: before(step.afterMs),
    beganBefore: before(waitMs),
    seenSince: step.seenWithinMs === undefined ? undefined : before(step.seenWithinMs),
    occurrences: step.afterOccurrences,
    severity: step.severity,
  }
}

const canBeDue = (look: Look, { openedBefore, beganBefore, seenSince }: Due) =>
  look.first_opened_at <= openedBefore && look.first_began_at <= beganBefore && (seenSince === undefined || look.last_seen_at >= seenSince)

/** @param turn returns how many it moved. */
async function inTurns(turn: () => Promise<number>): Promise<void> {
  while ((await turn()) === MOST_AT_ONCE);
}

interface Quiet {
  readonly since: Date
  /** Only what is as this says; any where it is left out. */
  readonly brief?: Detector['brief']
  readonly why: string
  readonly now: Date
}

async function resolve(trx: Db, { kind }: Detector, { since, brief, why, now }: Quiet): Promise<number> {
  const ended = await resolveQuiet(trx, { kind, since, brief }, now, MOST_AT_ONCE)
  await writeDownEnded(trx, ended, why, now)
  return ended.length
}

async function climbUp(trx: Db, due: Due, now: Date): Promise<number> {
  const climbed = await climb(trx, due, now, MOST_AT_ONCE)
  await insertTimeline(
    trx,
    climbed.map(({ id }) => ({
      issue_id: id,
      at: now,
      kind: 'CONSEQUENCE',
      by: 'system',
      consequence: due.to,
      text: 'It went on for so long.',
    })),
  )
  await recordEvent(
    trx,
    ...climbed.map((row) => ({
      action: 'ISSUE_CONSEQUENCE_CHANGED' as const,
      ...BY_SYSTEM,
      ownerId: row.user_id,
      ...(row.server_id !== null && { server: { public_id: row.server_id, name: row.server_name } }),
      before: { consequence: due.from },
      after: { issue_id: row.id, kind: row.kind, consequence: due.to },
    })),
  )
  return climbed.length
}

/** What follows next by itself from an issue that is open, and when; null where nothing does. */
export function nextOf(
  issue: {
    readonly consequence: Consequence
    readonly is_consequence_chosen: boolean
    readonly occurrences: number
    readonly severity: string
    readonly opened_at: Date
    readonly consequence_at: Date
    readonly last_seen_at: Date
  },
  rule: Detector,
  now: number,
): { consequence: Consequence; at: string } | null {
  if (issue.is_consequence_chosen) return null
  const next = stepAfter(issue.consequence, rule)
  if (next === undefined || issue.occurrences < next.step.afterOccurrences) return null
  const { step, waitMs } = next
  if (step.severity !== undefined && step.severity !== issue.severity) return null
  if (step.seenWithinMs !== undefined && issue.last_seen_at.getTime() < now - step.seenWithinMs) return null
  const at = Math.max(now, issue.opened_at.getTime() + step.afterMs, issue.consequence_at.getTime() + waitMs)
  return { consequence: step.consequence, at: new Date(at).toISOString() }
}

/** The next step of a ladder from a consequence, and how long after the one before; undefined on the last one. */
export function stepAfter(
  consequence: Consequence,
  { ladder }: Pick<Detector, 'ladder'>,
): { readonly step: Step; readonly waitMs: number } | undefined {
  const at = ladder.findIndex((one) => strengthOf(one.consequence) > strengthOf(consequence))
  const step = ladder[at]
  return step && { step, waitMs: step.afterMs - (ladder[at - 1]?.afterMs ?? 0) }
}

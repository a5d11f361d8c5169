/** What time does to issues: what follows from one climbs while it stays open, and one of which nothing is found any more resolves. */
import { CONSEQUENCES, type Consequence, ISSUE_KINDS } from '#contract/protection.ts'
import type { Db } from '#backend/database/open.ts'
import { transaction } from '#backend/database/transaction.ts'
import type { Deps } from '#backend/deps.ts'
import type { Doors } from '#backend/doors.ts'
import { record } from '#backend/features/activity/activity.ts'
import { climb } from './climbing.queries.ts'
import { resolveQuiet } from './ending.queries.ts'
import { type Ended, writeDownEnded } from './ending.ts'
import type { Rule, Step } from './finding.ts'
import { insertTimeline } from './issues.queries.ts'
import { RULES } from './rules.ts'
import { strengthOf } from './standing.ts'
import { tellEnded } from './telling.ts'

/** In one transaction; the rest comes right after. */
const MOST_AT_ONCE = 200

type Moving = Pick<Deps, 'db' | 'clock' | 'env'>

/** The repeating task. */
export async function moveIssues({ db, clock, env }: Moving, doors: Pick<Doors, 'tellList' | 'live'>): Promise<void> {
  const now = new Date(clock.now())
  for (const kind of ISSUE_KINDS) {
    const rule = RULES[kind]
    const before = (ms: number) => new Date(now.getTime() - ms)
    // A check that nobody makes any more would never find that it is over.
    const isOff = env.PROTECTION_OFF.includes(kind)
    const quietMs = isOff ? 0 : rule.quietMs
    if (quietMs !== undefined) {
      const why = isOff ? 'The check is switched off.' : 'Nothing was found any more for long enough.'
      await inTurns(doors, () => transaction(db, (trx) => resolve(trx, rule, { since: before(quietMs), why, now })))
    }
    if (isOff) continue
    if (rule.brief !== undefined) {
      const { quietMs: briefMs, occurrences } = rule.brief
      const brief = { since: before(briefMs), occurrences, why: 'It was found a few times only, and not again.', now }
      await inTurns(doors, () => transaction(db, (trx) => resolve(trx, rule, brief)))
    }
    // The strongest first: who is due for it does not stop at the one below.
    for (const step of rule.ladder.toReversed()) await inTurns(doors, () => transaction(db, (trx) => climbTo(trx, rule, step, now)))
  }
}

async function inTurns(doors: Pick<Doors, 'tellList' | 'live'>, turn: () => Promise<Ended[]>): Promise<void> {
  for (;;) {
    const moved = await turn()
    if (moved.length > 0) await tellEnded(doors, moved)
    if (moved.length < MOST_AT_ONCE) return
  }
}

interface Quiet {
  readonly since: Date
  /** At most; any number where it is left out. */
  readonly occurrences?: number
  readonly why: string
  readonly now: Date
}

async function resolve(trx: Db, { kind }: Rule, { since, occurrences, why, now }: Quiet): Promise<Ended[]> {
  return writeDownEnded(trx, await resolveQuiet(trx, { kind, since, occurrences }, now, MOST_AT_ONCE), why, now)
}

async function climbTo(trx: Db, { kind }: Rule, step: Step, now: Date): Promise<Ended[]> {
  const from = weakerThan(step.consequence)
  if (from.length === 0) return []
  const climbed = await climb(
    trx,
    {
      kind,
      to: step.consequence,
      from,
      openedBefore: new Date(now.getTime() - step.afterMs),
      seenSince: step.seenWithinMs === undefined ? undefined : new Date(now.getTime() - step.seenWithinMs),
      occurrences: step.afterOccurrences,
    },
    now,
    MOST_AT_ONCE,
  )
  await insertTimeline(
    trx,
    climbed.map(({ id }) => ({
      issue_id: id,
      at: now,
      kind: 'CONSEQUENCE',
      by: 'system',
      consequence: step.consequence,
      text: 'It went on for so long.',
    })),
  )
  await record(
    trx,
    ...climbed.map((row) => ({
      action: 'ISSUE_CONSEQUENCE_CHANGED' as const,
      as: 'system' as const,
      actorId: null,
      ownerId: row.user_id,
      ...(row.server_id !== null && { server: { public_id: row.server_id, name: row.server_name } }),
      before: { consequence: row.before },
      after: { issue_id: row.id, kind: row.kind, consequence: step.consequence },
    })),
  )
  return climbed.map((row) => ({ publicId: row.server_id ?? undefined, ownerId: row.user_id }))
}

const weakerThan = (consequence: Consequence) => CONSEQUENCES.filter((one) => strengthOf(one) < strengthOf(consequence))

/** What follows next by itself from an issue that is open, and when; null where nothing does. */
export function nextOf(
  issue: {
    readonly consequence: Consequence
    readonly is_consequence_chosen: boolean
    readonly occurrences: number
    readonly opened_at: Date
    readonly last_seen_at: Date
  },
  { ladder }: Rule,
  now: number,
): { consequence: Consequence; at: string } | null {
  if (issue.is_consequence_chosen) return null
  const step = ladder.find((one) => strengthOf(one.consequence) > strengthOf(issue.consequence))
  if (step === undefined || issue.occurrences < step.afterOccurrences) return null
  if (step.seenWithinMs !== undefined && issue.last_seen_at.getTime() < now - step.seenWithinMs) return null
  return { consequence: step.consequence, at: new Date(Math.max(now, issue.opened_at.getTime() + step.afterMs)).toISOString() }
}

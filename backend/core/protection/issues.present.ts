/** Presents issues. Owners see no foreign addresses, no administrators' notes or names, and no times of reports. */
import { m } from '#api-messages'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { Consequence, EvidenceItem, IssueDetail, ProtectionIssue } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { notFound } from '#backend/platform/errors.ts'
import { translateStored } from '#backend/platform/messages/stored-text.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import { nextConsequenceOf } from './escalation.ts'
import { DETECTORS } from './detectors.ts'
import { type IssueRow, listOwnAddresses, listTimeline } from './issues.queries.ts'
import type { OwnAddresses } from '#backend/platform/http/mask-address.ts'
import { maskEvidence, maskAddressesIn } from './mask-addresses.ts'

const DAY_MS = 86_400_000

export type Reader = 'owner' | 'administrator'

const CONSEQUENCE_TEXTS: Readonly<Record<Consequence, () => string>> = {
  NOTICE: () => m.consequence_notice(),
  UNRANKED: () => m.consequence_unranked(),
  UNLISTED: () => m.consequence_unlisted(),
}

/** @param rows of one user. */
export async function presentIssues(db: Db, rows: readonly IssueRow[], reader: Reader): Promise<ProtectionIssue[]> {
  const ownerId = rows[0]?.user_id
  const shown = reader === 'administrator' || ownerId === undefined ? rows : await maskedForOwner(db, ownerId, rows)
  return shown.map(presentIssue)
}

/** @param now wall milliseconds. */
export async function presentDetail(db: Db, row: IssueRow, reader: Reader, now: number): Promise<IssueDetail> {
  const { explanation, remedy, resolvesWhen: ends } = DETECTORS[row.kind]
  const [issue] = await presentIssues(db, [row], reader)
  const entries = (await listTimeline(db, row.id)).filter((entry) => reader === 'administrator' || entry.kind !== 'NOTE')
  const people = await publicUsers(db, [row.user_id, ...entries.map((entry) => entry.actor_id)])
  const user = people.get(row.user_id)
  if (issue === undefined || user === undefined) throw notFound('ISSUE_NOT_FOUND')
  return {
    ...issue,
    user,
    is_visible_to_owner: row.is_visible_to_owner,
    title: ISSUES[row.kind].name(),
    explanation: explanation(),
    remedy: remedy(),
    consequence_text: row.is_open ? CONSEQUENCE_TEXTS[row.consequence]() : m.consequence_none(),
    next_consequence: row.is_open ? nextConsequenceOf(row, now) : null,
    ends: ends(),
    timeline: entries.map(({ at, kind, by, actor_id: actorId, status, consequence, text }) => {
      const isNamed = reader === 'administrator' || by === 'owner'
      const actor = actorId !== null && isNamed ? (people.get(actorId) ?? null) : null
      return { at: at.toISOString(), kind, by, actor, status, consequence, text: by === 'system' ? translateStored(text) : text }
    }),
  }
}

type OwnersColumns = Pick<IssueRow, 'server_id' | 'kind' | 'summary' | 'evidence' | 'first_seen_at' | 'last_seen_at'>

/** One owner's rows for their page and data export. After a transfer, the server's addresses are no longer the former owner's. */
export async function maskedForOwner<Row extends object>(db: Db, ownerId: string, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return []
  const addresses = Map.groupBy(await listOwnAddresses(db, ownerId), (row) => row.server_id)
  return rows.map((row) => {
    const issue = row as unknown as OwnersColumns
    return { ...row, ...masked(issue, new Set(addresses.get(issue.server_id ?? '')?.map(({ address }) => address))) }
  })
}

function masked({ summary, evidence: { items, series }, ...row }: OwnersColumns, own: OwnAddresses) {
  const timeOf = row.kind === 'PLAYER_REPORTS' ? dayOf : (time: Date) => time
  return {
    summary: maskAddressesIn(summary, own),
    evidence: { items: maskEvidence(items, own), series },
    first_seen_at: timeOf(row.first_seen_at),
    last_seen_at: timeOf(row.last_seen_at),
  }
}

/** The time of a report could tell who made it. */
const dayOf = (time: Date): Date => new Date(Number(time) - (Number(time) % DAY_MS))

const translated = ({ observed, expected, ...item }: EvidenceItem): EvidenceItem => ({
  ...item,
  observed: translateStored(observed),
  expected: translateStored(expected),
})

export function presentIssue(row: IssueRow): ProtectionIssue {
  const { id, user_id, kind, severity, status, consequence, evidence } = row
  return {
    id,
    user_id,
    server: row.server_id === null || !row.server_exists ? null : { public_id: row.server_id, name: row.display_name },
    kind,
    severity,
    status,
    consequence,
    summary: translateStored(row.summary),
    evidence: { items: evidence.items.map(translated), series: evidence.series },
    occurrences: Number(row.occurrences),
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }
}

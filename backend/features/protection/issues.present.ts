/** Issues as each reader gets them: owners without other people's addresses, administrators' notes and administrators' names. */
import type {
  Consequence,
  Evidence,
  IssueDetail,
  IssueKind,
  IssueStatus,
  ProtectionIssue,
  QueuedIssue,
  Severity,
  TimelineEntry,
} from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { notFound } from '#backend/platform/errors.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import { nextOf } from './climbing.ts'
import { DETECTORS } from './detectors.ts'
import { type IssueRow, listOwnAddresses, listTimeline } from './issues.queries.ts'
import { maskAddress, maskText } from './masking.ts'

/** For whom: an administrator sees everything. */
export type Reader = 'owner' | 'administrator'

const MEANINGS: Readonly<Record<Consequence, string>> = {
  NOTICE: 'You are told about it, here and in the replies to announces; nothing else follows.',
  UNRANKED: 'The server stands after all servers that are ranked on the public list, and promotion does not lift it.',
  UNLISTED: 'The server is not on the public list. Its own page and direct connections still work.',
}
const OVER = 'Nothing follows from it any more.'

/** Rows in their order. */
export async function presentIssues(db: Db, rows: readonly IssueRow[], reader: Reader): Promise<ProtectionIssue[]> {
  const own = await ownAddresses(db, rows, reader)
  return rows.map((row) => presentFor(row, reader, own.get(row.id)))
}

/** The administrators' queue; an issue whose person went meanwhile is left out. */
export async function presentQueue(db: Db, rows: readonly IssueRow[]): Promise<QueuedIssue[]> {
  const people = await publicUsers(
    db,
    rows.map((row) => row.user_id),
  )
  return rows.flatMap((row) => {
    const user = people.get(row.user_id)
    return user === undefined ? [] : [{ ...present(row), user }]
  })
}

/** One issue with everything about it. @param now wall milliseconds. */
export async function presentDetail(db: Db, row: IssueRow, reader: Reader, now: number): Promise<IssueDetail> {
  const rule = DETECTORS[row.kind as IssueKind]
  const own = await ownAddresses(db, [row], reader)
  const entries = (await listTimeline(db, row.id)).filter((entry) => reader === 'administrator' || entry.kind !== 'NOTE')
  const people = await publicUsers(db, [row.user_id, ...entries.map((entry) => entry.actor_id)])
  const user = people.get(row.user_id)
  if (user === undefined) throw notFound('issue')
  const consequence = row.consequence as Consequence
  return {
    ...presentFor(row, reader, own.get(row.id)),
    user,
    title: rule.title,
    explanation: rule.explanation,
    remedy: rule.remedy,
    consequence_text: row.is_open ? MEANINGS[consequence] : OVER,
    next_consequence: row.is_open ? nextOf({ ...row, consequence, occurrences: Number(row.occurrences) }, rule, now) : null,
    ends: rule.ends,
    timeline: entries.map((entry): TimelineEntry => {
      const by = entry.by as TimelineEntry['by']
      const isNamed = reader === 'administrator' || by === 'owner'
      return {
        at: entry.at.toISOString(),
        kind: entry.kind as TimelineEntry['kind'],
        by,
        actor: entry.actor_id === null || !isNamed ? null : (people.get(entry.actor_id) ?? null),
        status: entry.status as IssueStatus | null,
        consequence: entry.consequence as Consequence | null,
        text: entry.text,
      }
    }),
  }
}

const NONE: ReadonlySet<string> = new Set()

/** By issue: what the owner may see whole. A server that is somebody else's by now has no address of his. */
async function ownAddresses(db: Db, rows: readonly IssueRow[], reader: Reader): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const publicIds = reader === 'administrator' ? [] : rows.flatMap((row) => (row.is_his && row.server_id !== null ? [row.server_id] : []))
  if (publicIds.length === 0) return new Map()
  const byServer = Map.groupBy(await listOwnAddresses(db, publicIds), (one) => one.server_id)
  return new Map(
    rows.map((row) => [row.id, row.is_his ? new Set(byServer.get(row.server_id ?? '')?.map((one) => one.address)) : NONE] as const),
  )
}

function presentFor(row: IssueRow, reader: Reader, own: ReadonlySet<string> = NONE): ProtectionIssue {
  const issue = present(row)
  if (reader === 'administrator') return issue
  return { ...issue, summary: maskText(issue.summary, own), evidence: maskEvidence(issue.evidence, own) }
}

interface Written {
  readonly server_id: string | null
  readonly summary: string
  readonly evidence: Evidence
}

/** Rows of one person for his export: the same that his page shows. */
export async function maskedForOwner(
  db: Db,
  ownerId: string,
  rows: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return []
  const byServer = Map.groupBy(await listOwnAddresses(db, { ownerId }), (one) => one.server_id)
  return rows.map((row) => {
    const { server_id: publicId, summary, evidence } = row as unknown as Written
    const own = new Set(byServer.get(publicId ?? '')?.map((one) => one.address))
    return { ...row, summary: maskText(summary, own), evidence: maskEvidence(evidence, own) }
  })
}

function maskEvidence({ items, series }: Evidence, own: ReadonlySet<string>): Evidence {
  return {
    items: items.map(({ at, observed, expected, address }) => ({
      at,
      observed: maskText(observed, own),
      expected: maskText(expected, own),
      address: address === null ? null : maskAddress(address, own),
    })),
    series,
  }
}

function present(row: IssueRow): ProtectionIssue {
  return {
    id: row.id,
    user_id: row.user_id,
    server: row.server_id === null || !row.is_there ? null : { public_id: row.server_id, name: row.shown_name },
    kind: row.kind as IssueKind,
    severity: row.severity as Severity,
    status: row.status as IssueStatus,
    consequence: row.consequence as Consequence,
    summary: row.summary,
    evidence: row.evidence,
    occurrences: Number(row.occurrences),
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }
}

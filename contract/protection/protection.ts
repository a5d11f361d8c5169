/** Protection issues, which automatic checks open: evidence, consequence and remedy. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { IssueIdParam, UserIdParam } from '#contract/api/path-params.ts'
import { ISSUE_KINDS, type IssueKind } from './issue-kinds.ts'
import { anyOf, paged, paging, userIdParam } from '#contract/api/paging.ts'
import { lines } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'
import { PublicUser } from '#contract/users/users.ts'

export { ISSUE_KINDS, type IssueKind }

export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ISSUE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

/** Issues whose consequence is in force. */
export const OPEN_STATUSES = ['OPEN', 'ACKNOWLEDGED'] as const satisfies readonly IssueStatus[]

/** In escalation order. The program never bans automatically for an issue: an administrator does. */
export const CONSEQUENCES = ['NOTICE', 'UNRANKED', 'UNLISTED'] as const
export type Consequence = (typeof CONSEQUENCES)[number]

/** One observation. */
export const EvidenceItem = z.object({
  at: Time,
  observed: z.string().describe('The observation: one sentence or value.'),
  expected: z.string().describe('The expected value. Empty if it is obvious.'),
  address: z.string().nullable().describe('The source address, if any. The owner sees addresses masked, except those of their server.'),
})
export type EvidenceItem = z.output<typeof EvidenceItem>

/** A point of a numeric series that is evidence. */
export const SeriesPoint = z.object({ at: Time, players: z.int(), slots: z.int() })
export type SeriesPoint = z.output<typeof SeriesPoint>

export const Evidence = z
  .object({
    items: z.array(EvidenceItem).describe('Newest first, the newest 20.'),
    series: z.array(SeriesPoint).describe('The measured numbers, oldest first. Empty if the evidence is not a number.'),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.output<typeof Evidence>

export const KindEnum = z.enum(ISSUE_KINDS).meta({ id: 'IssueKind' })
export const SeverityEnum = z.enum(SEVERITIES).meta({ id: 'IssueSeverity' })
const StatusEnum = z.enum(ISSUE_STATUSES, { error: m.mustBeOneOf('status', ISSUE_STATUSES) }).meta({ id: 'IssueStatus' })
export const ConsequenceEnum = z
  .enum(CONSEQUENCES, { error: m.mustBeOneOf('consequence', CONSEQUENCES) })
  .meta({ id: 'Consequence', description: 'NOTICE informs the owner, UNRANKED puts the server last, UNLISTED takes it off the list.' })

const fields = {
  id: z.string(),
  user_id: z.string(),
  server: z.object({ public_id: z.string(), name: z.string() }).nullable().describe('Null after the server is deleted.'),
  kind: KindEnum,
  severity: SeverityEnum,
  status: StatusEnum,
  consequence: ConsequenceEnum.describe('In force while the issue is open or acknowledged.'),
  summary: z.string().describe('The problem in one sentence.'),
  evidence: Evidence,
  occurrences: z.int().describe('How often the check found it. A repeat counts here and opens no new issue.'),
  first_seen_at: Time.describe('Owners see only the day of a `PLAYER_REPORTS` issue.'),
  last_seen_at: Time.describe('Owners see only the day of a `PLAYER_REPORTS` issue.'),
}

export const ProtectionIssue = z.object(fields).meta({ id: 'ProtectionIssue' })
export type ProtectionIssue = z.output<typeof ProtectionIssue>

/** An issue in the administrators' queue, with its user. */
export const QueuedIssue = z.object({ ...fields, user: PublicUser }).meta({ id: 'QueuedIssue' })
export type QueuedIssue = z.output<typeof QueuedIssue>

const TIMELINE_KINDS = ['OPENED', 'STATUS', 'CONSEQUENCE', 'REPLY', 'NOTE'] as const

/** One step in the history of an issue. */
export const TimelineEntry = z.object({
  at: Time,
  kind: z.enum(TIMELINE_KINDS),
  by: z.enum(['owner', 'administrator', 'system']),
  actor: PublicUser.nullable().describe('Null for the program. The owner also gets null for an administrator.'),
  status: StatusEnum.nullable().describe('The new status. Null if it did not change.'),
  consequence: ConsequenceEnum.nullable().describe('The new consequence. Null if it did not change.'),
  text: z.string().describe('The note or the reply. Empty if there is none.'),
})
export type TimelineEntry = z.output<typeof TimelineEntry>

export const IssueDetail = z
  .object({
    ...fields,
    user: PublicUser,
    is_visible_to_owner: z
      .boolean()
      .describe(
        'False for `PLAYER_REPORTS` until three reporters have standing, or an administrator acts other than by a note or a dismissal.',
      ),
    title: z.string().describe('The kind in a few words.'),
    explanation: z.string().describe('What it means and why it matters, for the owner.'),
    remedy: z.string().describe('What to do about it.'),
    consequence_text: z.string().describe('What the consequence in force means, one sentence.'),
    next_consequence: z
      .object({ consequence: z.enum(CONSEQUENCES), at: Time })
      .nullable()
      .describe('The next escalation and its time. Null if there is none.'),
    ends: z.string().describe('When the issue resolves automatically, in one sentence.'),
    timeline: z.array(TimelineEntry).describe('Oldest first. Only administrators see notes.'),
  })
  .meta({ id: 'IssueDetail' })
export type IssueDetail = z.output<typeof IssueDetail>

export const ISSUE_SORTS = ['last_seen_at', 'first_seen_at', 'severity', 'occurrences'] as const

export const IssuesQuery = z.strictObject({
  ...paging(ISSUE_SORTS),
  kind: anyOf('kind', ISSUE_KINDS),
  status: anyOf('status', ISSUE_STATUSES),
  severity: anyOf('severity', SEVERITIES),
  user_id: userIdParam('user_id'),
  server_id: z
    .string({ error: m.mustBePublicId('server_id') })
    .regex(/^[0-9A-Za-z]{7}$/, { error: m.mustBePublicId('server_id') })
    .optional(),
})
export type IssuesQuery = z.output<typeof IssuesQuery>

const noIssue = { 404: 'No such issue, or it is not yours.' }
const ofIssue = { access: 'member', rejections: noIssue, params: { userId: UserIdParam, issueId: IssueIdParam } } as const

export const issues = endpoint('GET /api/admin/protection-issues', {
  summary: 'List all protection issues',
  description: 'Last seen first. `search` finds the Discord name or ID of the owner, and the name or public ID of the server.',
  access: 'admin',
  query: IssuesQuery,
  envelope: 'bare',
  reply: paged(QueuedIssue),
})

const TEXT_LIMITS = { note: { label: texts.field_note, max: 1000 }, reply: { label: texts.field_reply, max: 1000 } } as const

export const IssueChanges = z.strictObject({
  status: StatusEnum.optional(),
  note: lines(TEXT_LIMITS.note).optional().describe('For administrators only.'),
  reply: lines(TEXT_LIMITS.reply).optional().describe('For the owner to read.'),
  consequence: ConsequenceEnum.optional().describe('Takes effect at once. It does not escalate automatically any more.'),
})
export type IssueChanges = z.output<typeof IssueChanges>

export const changeIssue = endpoint('PATCH /api/admin/protection-issues/{id}', {
  summary: 'Moderate a protection issue',
  description: 'Sets the status or the consequence, adds a note, or replies to the owner.',
  access: 'admin',
  body: IssueChanges,
  reply: IssueDetail,
  rejections: { 404: 'No such issue.' },
  params: { id: IssueIdParam },
})

export const issuesOfUser = endpoint('GET /api/users/{userId}/protection-issues', {
  summary: 'List the protection issues of a user',
  description: 'Open issues first, the newest 100. For that user and for administrators.',
  access: 'member',
  scope: 'servers:read',
  reply: z.array(ProtectionIssue),
  rejections: { 404: 'No such user, or it is not you.' },
  params: { userId: UserIdParam },
})

export const issue = endpoint('GET /api/users/{userId}/protection-issues/{issueId}', {
  summary: 'Get a protection issue',
  description: 'With its explanation, evidence, remedy and timeline. For that user and for administrators.',
  ...ofIssue,
  scope: 'servers:read',
  reply: IssueDetail,
})

export const acknowledgeIssue = endpoint('POST /api/users/{userId}/protection-issues/{issueId}/acknowledge', {
  summary: 'Acknowledge a protection issue',
  description: 'Records that the owner has seen it. Nothing else changes.',
  ...ofIssue,
  scope: 'servers:write',
  reply: IssueDetail,
})

const IssueReply = z.strictObject({ message: lines({ ...TEXT_LIMITS.reply, min: 1 }) })

export const replyToIssue = endpoint('POST /api/users/{userId}/protection-issues/{issueId}/reply', {
  summary: 'Reply to a protection issue',
  description: 'Administrators see the reply. At most 10 replies a day for each issue.',
  ...ofIssue,
  scope: 'servers:write',
  body: IssueReply,
  reply: IssueDetail,
})

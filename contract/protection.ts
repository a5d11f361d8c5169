/** Protection issues: what the list's own checks found, the evidence, what follows from it, and the way out (contract section 10). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ISSUE_KINDS, type IssueKind } from './issue-kinds.ts'
import { anyOf, paged, paging, userIdParam } from './paging.ts'
import { lines } from './text.ts'
import { Time } from './time.ts'
import { PublicUser } from './users.ts'

export { ISSUE_KINDS, type IssueKind }

export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ISSUE_STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

/** The first two are in force; the others are over. */
export const OPEN_STATUSES = ['OPEN', 'ACKNOWLEDGED'] as const satisfies readonly IssueStatus[]

/** In the order in which they climb. A ban is never the program's: a person bans the server or the user by the calls for that. */
export const CONSEQUENCES = ['NOTICE', 'UNRANKED', 'UNLISTED'] as const
export type Consequence = (typeof CONSEQUENCES)[number]

/** One thing that was seen. */
export const EvidenceItem = z.object({
  at: Time,
  observed: z.string().describe('What was seen, one sentence or value.'),
  expected: z.string().describe('What would have been right; empty where that goes without saying.'),
  address: z
    .string()
    .nullable()
    .describe("From where; null where no address is part of it. For the owner every address but his server's own is masked."),
})
export type EvidenceItem = z.output<typeof EvidenceItem>

/** A point of the number that is the evidence. */
export const SeriesPoint = z.object({ at: Time, players: z.int(), slots: z.int() })
export type SeriesPoint = z.output<typeof SeriesPoint>

export const Evidence = z
  .object({
    items: z.array(EvidenceItem).describe('Newest first, the newest 20.'),
    series: z.array(SeriesPoint).describe('Oldest first, where the evidence is a number; empty otherwise.'),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.output<typeof Evidence>

const fields = {
  id: z.string(),
  user_id: z.string(),
  server: z.object({ public_id: z.string(), name: z.string() }).nullable().describe('Null once it is deleted.'),
  kind: z.enum(ISSUE_KINDS),
  severity: z.enum(SEVERITIES),
  status: z.enum(ISSUE_STATUSES),
  consequence: z.enum(CONSEQUENCES).describe('What follows from it while it is open or acknowledged.'),
  summary: z.string().describe('What was found, in one sentence.'),
  evidence: Evidence,
  occurrences: z.int().describe('How often it was found; repeats count here and make no new issue.'),
  first_seen_at: Time,
  last_seen_at: Time,
}

export const ProtectionIssue = z.object(fields).meta({ id: 'ProtectionIssue' })
export type ProtectionIssue = z.output<typeof ProtectionIssue>

/** In the administrators' queue, with whose it is. */
export const QueuedIssue = z.object({ ...fields, user: PublicUser }).meta({ id: 'QueuedIssue' })
export type QueuedIssue = z.output<typeof QueuedIssue>

const TIMELINE_KINDS = ['OPENED', 'STATUS', 'CONSEQUENCE', 'REPLY', 'NOTE'] as const

/** Who did what about it. */
export const TimelineEntry = z.object({
  at: Time,
  kind: z.enum(TIMELINE_KINDS),
  by: z.enum(['owner', 'administrator', 'system']),
  actor: PublicUser.nullable().describe('Null for the program, and, for the owner, for administrators.'),
  status: z.enum(ISSUE_STATUSES).nullable().describe('The status it got, where it got one.'),
  consequence: z.enum(CONSEQUENCES).nullable().describe('The consequence that began, where one did.'),
  text: z.string().describe('What was said; empty where nothing was.'),
})
export type TimelineEntry = z.output<typeof TimelineEntry>

export const IssueDetail = z
  .object({
    ...fields,
    user: PublicUser,
    title: z.string().describe('The kind in a few words.'),
    explanation: z.string().describe('What it means and why it matters, for the owner.'),
    remedy: z.string().describe('What to do about it.'),
    consequence_text: z.string().describe('What the consequence in force means, one sentence.'),
    next_consequence: z
      .object({ consequence: z.enum(CONSEQUENCES), at: Time })
      .nullable()
      .describe('What follows, and when, where it goes on; null where nothing more follows by itself.'),
    ends: z.string().describe('When it resolves by itself, one sentence.'),
    timeline: z.array(TimelineEntry).describe("Oldest first. Administrators' notes are in it for administrators only."),
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
    .string({ error: 'server_id must be the public id of a server.' })
    .regex(/^[0-9A-Za-z]{7}$/, 'server_id must be the public id of a server.')
    .optional(),
})
export type IssuesQuery = z.output<typeof IssuesQuery>

const noIssue = { 404: 'No such issue, or it is not yours.' }

export const issues = endpoint('GET /api/admin/protection-issues', {
  summary:
    'The queue: all protection issues, last seen first. `search` is the Discord name or id of the person, or the name or public id of the server.',
  access: 'admin',
  query: IssuesQuery,
  envelope: 'bare',
  reply: paged(QueuedIssue),
})

const SAID = { note: { label: 'The note', max: 1000 }, reply: { label: 'The answer', max: 1000 } } as const

export const IssueChanges = z.strictObject({
  status: z.enum(ISSUE_STATUSES, { error: `status must be one of ${ISSUE_STATUSES.join(', ')}.` }).optional(),
  note: lines(SAID.note).optional().describe('For administrators only.'),
  reply: lines(SAID.reply).optional().describe('For the owner to read.'),
  consequence: z
    .enum(CONSEQUENCES, { error: `consequence must be one of ${CONSEQUENCES.join(', ')}.` })
    .optional()
    .describe('In force from now on, whatever the rule would do; it climbs no further by itself.'),
})
export type IssueChanges = z.output<typeof IssueChanges>

export const changeIssue = endpoint('PATCH /api/admin/protection-issues/{id}', {
  summary: 'Says what became of an issue, adds a note or an answer to the owner, or sets its consequence.',
  access: 'admin',
  body: IssueChanges,
  reply: IssueDetail,
  rejections: { 404: 'No such issue.' },
})

export const issuesOfUser = endpoint('GET /api/users/{userId}/protection-issues', {
  summary: 'The issues of a user, open ones first, the newest 100. For that user and for administrators.',
  access: 'member',
  reply: z.array(ProtectionIssue),
  rejections: { 404: 'No such user, or it is not you.' },
})

export const issue = endpoint('GET /api/users/{userId}/protection-issues/{issueId}', {
  summary: 'One issue with its explanation, evidence, remedy and what was done about it. For that user and for administrators.',
  access: 'member',
  reply: IssueDetail,
  rejections: noIssue,
})

export const acknowledgeIssue = endpoint('POST /api/users/{userId}/protection-issues/{issueId}/acknowledge', {
  summary: 'The owner says that he has seen it. Nothing else changes.',
  access: 'member',
  reply: IssueDetail,
  rejections: noIssue,
})

const IssueReply = z.strictObject({ message: lines({ ...SAID.reply, min: 1 }) })

export const replyToIssue = endpoint('POST /api/users/{userId}/protection-issues/{issueId}/reply', {
  summary: 'The owner answers. Administrators see it in the queue; 10 an issue a day.',
  access: 'member',
  body: IssueReply,
  reply: IssueDetail,
  rejections: noIssue,
})

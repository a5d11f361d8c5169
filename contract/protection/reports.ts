/** Reports of servers by signed-in users. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { IssueIdParam, PublicOrVanityIdParam } from '#contract/api/path-params.ts'
import { lines } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'
import { PublicUser } from '#contract/users/users.ts'

export const REPORT_REASONS = ['fake_players', 'impersonation', 'malicious', 'offensive', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

export const REPORT_OUTCOMES = ['upheld', 'dismissed'] as const
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number]

const Reason = z.enum(REPORT_REASONS, { error: m.mustBeOneOf('reason', REPORT_REASONS) }).meta({ id: 'ReportReason' })

export const NewReport = z.strictObject({
  reason: Reason,
  details: lines({ label: texts.field_details, max: 1000 }).default('').describe('For administrators.'),
})
export type NewReport = z.output<typeof NewReport>

export const report = endpoint('POST /api/public/servers/{id}/reports', {
  summary: 'Report a server',
  description:
    'Administrators see the report and who made it. The owner sees how many players reported it, once three of them have standing or an administrator acts, and never who. One report a week for each server, and 10 a day.',
  access: 'member',
  body: NewReport,
  reply: z.object({ reported_at: Time, next_at: Time.describe('When you can report this server again.') }),
  rejections: { 404: 'No server with this ID has a public page.', 409: 'You reported this server within the last week.' },
  params: { id: PublicOrVanityIdParam },
})

const Count = z.int().nonnegative()

const ServerReport = z
  .object({
    id: z.string(),
    server: z.object({ public_id: z.string(), name: z.string() }),
    created_at: Time,
    reason: Reason,
    details: z.string(),
    reporter: PublicUser,
    account_created_at: Time.describe('When the reporter signed up.'),
    standing: z.object({ upheld: Count, dismissed: Count }).describe('How all reports of this reporter were decided.'),
    is_counted: z.boolean().describe('False if the reporter had an open `REPORT_ABUSE` issue.'),
    outcome: z.enum(REPORT_OUTCOMES).nullable().describe('Null until an administrator decides.'),
  })
  .meta({ id: 'ServerReport' })
export type ServerReport = z.output<typeof ServerReport>

export const IssueReports = z
  .object({
    total: Count,
    reasons: z.array(z.object({ reason: Reason, count: Count })).describe('Most frequent first.'),
    reporters: Count,
    new_reporters: Count.describe('Reporters who had signed up within the week before their report.'),
    reports: z.array(ServerReport).describe('Newest first, the newest 100.'),
  })
  .meta({ id: 'IssueReports' })
export type IssueReports = z.output<typeof IssueReports>

export const ofIssue = endpoint('GET /api/admin/protection-issues/{id}/reports', {
  summary: 'List the reports of a protection issue',
  description: 'Of a `PLAYER_REPORTS` issue its own reports, of a `REPORT_ABUSE` issue those of its user. Other issues have none.',
  access: 'admin',
  reply: IssueReports,
  rejections: { 404: 'No such issue.' },
  params: { id: IssueIdParam },
})

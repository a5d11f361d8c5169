import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ReportOutcome, ReportReason } from '#contract/protection/reports.ts'
import type { Consequence, Evidence, IssueKind, IssueStatus, Severity, TimelineEntry } from '#contract/protection/protection.ts'

/** Reads have the contract's type. The rules check what is written. */
type Known<T extends string> = ColumnType<T, string, string>

export interface ProtectionTables {
  protection_issues: {
    id: string
    user_id: string
    server_id: string | null
    server_name: Generated<string>
    kind: Known<IssueKind>
    severity: Known<Severity>
    severity_rank: GeneratedAlways<number>
    fingerprint: Generated<string>
    status: ColumnType<IssueStatus, string | undefined, string>
    is_open: GeneratedAlways<boolean>
    consequence: ColumnType<Consequence, string | undefined, string>
    consequence_at: Generated<Date>
    is_consequence_chosen: Generated<boolean>
    is_visible_to_owner: Generated<boolean>
    summary: string
    evidence: ColumnType<Evidence, string, string>
    occurrences: ColumnType<string, number | undefined, number>
    first_seen_at: Date
    last_seen_at: Date
    opened_at: Generated<Date>
    closed_at: Generated<Date | null>
  }
  protection_timeline: {
    id: Generated<string>
    issue_id: string
    at: Generated<Date>
    kind: Known<TimelineEntry['kind']>
    by: Known<TimelineEntry['by']>
    actor_id: Generated<string | null>
    status: ColumnType<IssueStatus | null, string | null | undefined, string | null>
    consequence: ColumnType<Consequence | null, string | null | undefined, string | null>
    text: Generated<string>
  }
  server_reports: {
    id: string
    server_id: string
    user_id: string
    reason: ReportReason
    details: Generated<string>
    created_at: Date
    issue_id: string | null
    is_counted: boolean
    outcome: Generated<ReportOutcome | null>
    decided_at: Generated<Date | null>
  }
}

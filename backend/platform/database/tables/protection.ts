/** What the list's own checks found. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Consequence, Evidence, IssueKind, IssueStatus, Severity, TimelineEntry } from '#contract/protection.ts'
import type { Defaulted, DefaultedTime } from './columns.ts'

/** What is read is of the contract; what is written is checked by the rules. */
type Known<T extends string> = ColumnType<T, string, string>

export interface ProtectionIssues {
  id: string
  user_id: string
  server_id: string | null
  server_name: Defaulted<string>
  kind: Known<IssueKind>
  severity: Known<Severity>
  severity_rank: GeneratedAlways<number>
  fingerprint: Defaulted<string>
  status: ColumnType<IssueStatus, string | undefined, string>
  is_open: GeneratedAlways<boolean>
  consequence: ColumnType<Consequence, string | undefined, string>
  consequence_at: DefaultedTime
  is_consequence_chosen: Defaulted<boolean>
  summary: string
  evidence: ColumnType<Evidence, string, string>
  occurrences: ColumnType<string, number | undefined, number>
  first_seen_at: Date
  last_seen_at: Date
  opened_at: DefaultedTime
  ended_at: Defaulted<Date | null>
}

export interface ProtectionTimeline {
  id: Generated<string>
  issue_id: string
  at: DefaultedTime
  kind: Known<TimelineEntry['kind']>
  by: Known<TimelineEntry['by']>
  actor_id: Defaulted<string | null>
  status: ColumnType<IssueStatus | null, string | null | undefined, string | null>
  consequence: ColumnType<Consequence | null, string | null | undefined, string | null>
  text: Defaulted<string>
}

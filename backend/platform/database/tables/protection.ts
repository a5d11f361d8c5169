/** What the list's own checks found. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Evidence } from '#contract/protection.ts'
import type { Defaulted, DefaultedTime } from './columns.ts'

export interface ProtectionIssues {
  id: string
  user_id: string
  server_id: string | null
  server_name: Defaulted<string>
  kind: string
  severity: string
  severity_rank: GeneratedAlways<number>
  fingerprint: Defaulted<string>
  status: Defaulted<string>
  is_open: GeneratedAlways<boolean>
  consequence: Defaulted<string>
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
  kind: string
  by: string
  actor_id: Defaulted<string | null>
  status: Defaulted<string | null>
  consequence: Defaulted<string | null>
  text: Defaulted<string>
}

/** What the list's own checks found. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Evidence } from '#contract/protection.ts'

export interface ProtectionTables {
  protection_issues: {
    id: string
    user_id: string
    server_id: string | null
    server_name: Generated<string>
    kind: string
    severity: string
    severity_rank: GeneratedAlways<number>
    fingerprint: Generated<string>
    status: Generated<string>
    is_open: GeneratedAlways<boolean>
    consequence: Generated<string>
    consequence_at: Generated<Date>
    is_consequence_chosen: Generated<boolean>
    summary: string
    evidence: ColumnType<Evidence, string, string>
    occurrences: ColumnType<string, number | undefined, number>
    first_seen_at: Date
    last_seen_at: Date
    opened_at: Generated<Date>
    ended_at: Generated<Date | null>
  }
  protection_timeline: {
    id: Generated<string>
    issue_id: string
    at: Generated<Date>
    kind: string
    by: string
    actor_id: Generated<string | null>
    status: Generated<string | null>
    consequence: Generated<string | null>
    text: Generated<string>
  }
}

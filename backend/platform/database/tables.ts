/** The columns of each table: as Postgres has them, and what its types don't say. Times are Dates, `inet` is text. */
import type { ColumnType, GeneratedAlways } from 'kysely'
import type { ReportOutcome, ReportReason } from '#contract/protection/reports.ts'
import type { AddressPolicy } from '#contract/servers/server-fields.ts'
import type { Consequence, Evidence, IssueKind, IssueStatus, Severity, TimelineEntry } from '#contract/protection/protection.ts'
import type { GeneratedTables } from './tables.generated.ts'

type Json<T> = ColumnType<T, string, string>
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>

/** Reads have the contract's type. The rules check what is written. */
type Known<T extends string> = ColumnType<T, string, string>
type KnownWithDefault<T extends string> = ColumnType<T, string | undefined, string>
type KnownOrNull<T extends string> = ColumnType<T | null, string | null | undefined, string | null>

type JsonOrNull = ColumnType<Record<string, unknown> | null, string | null, string | null>

interface Refinements {
  activity: { before: JsonOrNull; after: JsonOrNull }
  /** Triggers set these. */
  all_servers: { search_text: GeneratedAlways<string>; version: GeneratedAlways<number>; address_policy: KnownWithDefault<AddressPolicy> }
  server_groups: { version: GeneratedAlways<number> }
  benefit_settings: { version: GeneratedAlways<number> }
  cloud_auth_keys: { public_jwk: Json<Record<string, unknown>>; private_jwk: Json<Record<string, unknown>> }
  notifications: { data: JsonWithDefault<Record<string, unknown>> }
  preferences: { notifications: JsonWithDefault<Record<string, boolean>> }
  protection_issues: {
    kind: Known<IssueKind>
    severity: Known<Severity>
    status: KnownWithDefault<IssueStatus>
    consequence: KnownWithDefault<Consequence>
    evidence: Json<Evidence>
    occurrences: ColumnType<string, number | undefined, number>
  }
  protection_timeline: {
    kind: Known<TimelineEntry['kind']>
    by: Known<TimelineEntry['by']>
    status: KnownOrNull<IssueStatus>
    consequence: KnownOrNull<Consequence>
  }
  server_reports: { reason: Known<ReportReason>; outcome: ReportOutcome | null }
  webhook_deliveries: { request_headers: JsonWithDefault<Record<string, string>> }
  /** Those before `previous_secret` that still sign, the latest first. */
  webhooks: { older_secrets: ColumnType<readonly { readonly secret: string; readonly until: string }[], never, string> }
}

type Refined = {
  [T in keyof GeneratedTables]: T extends keyof Refinements
    ? Omit<GeneratedTables[T], keyof Refinements[T]> & Refinements[T]
    : GeneratedTables[T]
}

type ServerColumns = Omit<Refined['all_servers'], 'deleted_at' | 'last_deleted_at'>

/** `all_servers` is for what must include the bin: taken names and IDs, used images, history, and personal data. */
export interface Tables extends Refined {
  /** A view of the servers that are not in the bin. */
  servers: ServerColumns
  /** A view of the servers in the bin. */
  deleted_servers: ServerColumns & { deleted_at: Date }
}

export type Servers = Tables['servers']

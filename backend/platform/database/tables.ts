/** The columns of each table; the SQL in `migrations/` is the source. Times are Dates, `inet` is text. */
import type { Generated } from 'kysely'
import type { BenefitTables } from './tables/benefits.ts'
import type { HistoryTables } from './tables/history.ts'
import type { NotificationTables } from './tables/notifications.ts'
import type { PeopleTables } from './tables/people.ts'
import type { ProtectionTables } from './tables/protection.ts'
import type { ServerTables } from './tables/servers.ts'
import type { WebhookTables } from './tables/webhooks.ts'

export interface Tables
  extends PeopleTables, ServerTables, BenefitTables, ProtectionTables, HistoryTables, WebhookTables, NotificationTables {
  nodes: {
    id: string
    started_at: Generated<Date>
    heartbeat_at: Generated<Date>
    /** The node's `RELEASE`. */
    version: string
    /** Null for nodes of programs without schema levels. */
    schema_level: number | null
  }
  leases: {
    name: string
    owner_node_id: string
    expires_at: Date
  }
  schema_migrations: {
    name: string
    digest: string
    compatible_with: string
    applied_at: Generated<Date>
    compatible_level: number | null
  }
  /** The record of versions up to 1.3.0, which they compare at their start. */
  migration_digests: {
    name: string
    digest: string
  }
}

export type Servers = Tables['servers']

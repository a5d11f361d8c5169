/** One interface a table; the SQL in `migrations/` is the source. Times are Dates, `inet` is text. */
import type { DefaultedTime } from './tables/columns.ts'
import type {
  Users,
  BenefitGrants,
  Sessions,
  UsedSignInStates,
  Managements,
  Activity,
  Supporters,
  SupporterNotices,
} from './tables/people.ts'
import type { PlayerSamples } from './tables/player-samples.ts'
import type {
  Servers,
  Credentials,
  CredentialUses,
  Presence,
  AnnounceAttempts,
  Transfers,
  FreedVanityIds,
  RememberedBans,
} from './tables/servers.ts'
import type {
  Images,
  DoomedFiles,
  ServerGroups,
  BenefitSettings,
  BenefitSettingsServers,
  CloudAuthKeys,
  CloudAuthSecret,
} from './tables/benefits.ts'
import type { Nodes, Leases, PresenceLife, PlayerHistory, ListSamples, ListHistory } from './tables/scale.ts'
import type { ProtectionIssues, ProtectionTimeline } from './tables/protection.ts'

export type { Activity, Servers }

/** The record of versions up to 1.3.0, kept so that they still start on this database. */
export interface MigrationDigests {
  name: string
  digest: string
}

export interface SchemaMigrations {
  name: string
  digest: string
  compatible_with: string
  applied_at: DefaultedTime
}

export interface Tables {
  users: Users
  benefit_grants: BenefitGrants
  sessions: Sessions
  used_sign_in_states: UsedSignInStates
  servers: Servers
  credentials: Credentials
  credential_uses: CredentialUses
  presence: Presence
  announce_attempts: AnnounceAttempts
  managements: Managements
  transfers: Transfers
  activity: Activity
  images: Images
  doomed_files: DoomedFiles
  server_groups: ServerGroups
  benefit_settings: BenefitSettings
  benefit_settings_servers: BenefitSettingsServers
  freed_vanity_ids: FreedVanityIds
  remembered_bans: RememberedBans
  supporters: Supporters
  supporter_notices: SupporterNotices
  cloud_auth_keys: CloudAuthKeys
  cloud_auth_secret: CloudAuthSecret
  protection_issues: ProtectionIssues
  protection_timeline: ProtectionTimeline
  player_samples: PlayerSamples
  player_history: PlayerHistory
  list_samples: ListSamples
  list_history: ListHistory
  nodes: Nodes
  leases: Leases
  presence_life: PresenceLife
  migration_digests: MigrationDigests
  schema_migrations: SchemaMigrations
}

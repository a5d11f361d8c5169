/** One interface a table; the SQL in `migrations/` is the source. Times are Dates, `inet` is text. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Evidence } from '#contract/protection.ts'

type Defaulted<T> = ColumnType<T, T | undefined, T>
type DefaultedTime = ColumnType<Date, Date | undefined, Date>

export interface Users {
  id: string
  discord_id: string
  username: string
  avatar: string | null
  owned_tier: Defaulted<string | null>
  forced_tier: Defaulted<string | null>
  max_servers: Defaulted<number | null>
  max_managers: Defaulted<number | null>
  max_groups: Defaulted<number | null>
  banned: Defaulted<boolean>
  ban_reason: Defaulted<string | null>
  banned_at: Defaulted<Date | null>
  banned_until: Defaulted<Date | null>
  search_text: GeneratedAlways<string>
  delete_at: Defaulted<Date | null>
  signed_in_at: DefaultedTime
  created_at: DefaultedTime
  updated_at: DefaultedTime
}

export interface BenefitGrants {
  user_id: string
  key: string
  granted_at: DefaultedTime
}

export interface Sessions {
  id_hash: Buffer
  user_id: string
  created_at: DefaultedTime
  last_used_at: DefaultedTime
  expires_at: Date
}

export interface UsedSignInStates {
  state_hash: Buffer
  expires_at: Date
}

export interface Servers {
  public_id: string
  owner_id: string
  name: string
  name_key: string
  description: Defaulted<string>
  language: Defaulted<string>
  tags: Defaulted<string[]>
  game_mode: Defaulted<string>
  website: Defaulted<string>
  visible: Defaulted<boolean>
  hidden_at: Defaulted<Date | null>
  vanity_url: Defaulted<string | null>
  promoted: Defaulted<boolean>
  verified: Defaulted<boolean>
  banned: Defaulted<boolean>
  ban_reason: Defaulted<string | null>
  banned_at: Defaulted<Date | null>
  banned_until: Defaulted<Date | null>
  /** A trigger keeps it. */
  search_text: GeneratedAlways<string>
  group_id: Defaulted<string | null>
  icon_image_id: Defaulted<string | null>
  created_at: DefaultedTime
  updated_at: DefaultedTime
}

export interface Credentials {
  id: string
  server_id: string | null
  hash: Buffer
  hint: string
  issued_at: DefaultedTime
  grace_until: Defaulted<Date | null>
  revoked_at: Defaulted<Date | null>
}

export interface CredentialUses {
  credential_id: string
  bound_address: string | null
  bound_at: Date | null
  last_used_at: Date | null
}

export interface Presence {
  server_id: string
  online: boolean
  since: Date
  ended_by: Defaulted<string>
  last_announce_at: Date
  address: string
  credential_id: string | null
  announce: ColumnType<unknown, string, string>
  changed_at: Date
  /** When the server was registered, again: lists are sorted by it. */
  registered_at: Date
  /** -1 while offline. */
  players: GeneratedAlways<number>
}

export interface AnnounceAttempts {
  id: Generated<string>
  server_id: string
  at: Date
  code: string
  detail: Defaulted<string>
  address: string
}

export interface Managements {
  id: string
  owner_id: string
  manager_id: string
  permissions: string[]
  created_at: DefaultedTime
}

export interface Transfers {
  id: string
  server_id: string
  from_user_id: string
  to_user_id: string
  created_at: DefaultedTime
  expires_at: Date
}

export interface Activity {
  id: Generated<string>
  at: DefaultedTime
  action: string
  role: string
  actor_id: string | null
  owner_id: string | null
  other_id: string | null
  server_id: string | null
  server_name: string | null
  before: ColumnType<Record<string, unknown> | null, string | null, string | null>
  after: ColumnType<Record<string, unknown> | null, string | null, string | null>
}

export interface Images {
  id: string
  owner_id: string
  purpose: string
  file: string
  width: number
  height: number
  mime: string
  bytes: number
  is_copy: Defaulted<boolean>
  created_at: DefaultedTime
}

export interface DoomedFiles {
  file: string
  since: DefaultedTime
}

export interface ServerGroups {
  id: string
  owner_id: string
  name: string
  created_at: DefaultedTime
}

export interface BenefitSettings {
  user_id: string
  key: string
  for_all: Defaulted<boolean>
  image_id: Defaulted<string | null>
  name: Defaulted<string | null>
  primary_color: Defaulted<string | null>
  background_image_id: Defaulted<string | null>
  logo_image_id: Defaulted<string | null>
  ui_background_image_id: Defaulted<string | null>
  rss_url: Defaulted<string | null>
  ui_url: Defaulted<string | null>
  updated_at: DefaultedTime
}

export interface BenefitSettingsServers {
  user_id: string
  key: string
  server_id: string
}

export interface FreedVanityIds {
  digest: Buffer
  freed_by: string | null
  freed_at: DefaultedTime
}

export interface Supporters {
  provider: string
  member_id: string
  discord_id: string | null
  tier: string | null
  updated_at: DefaultedTime
}

export interface SupporterNotices {
  provider: string
  digest: Buffer
  received_at: DefaultedTime
}

export interface CloudAuthKeys {
  kid: string
  public_jwk: ColumnType<Record<string, unknown>, string, string>
  private_jwk: ColumnType<Record<string, unknown>, string, string>
  created_at: DefaultedTime
}

export interface CloudAuthSecret {
  is_only: Defaulted<boolean>
  secret: Buffer
}

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

export interface PlayerSamples {
  server_id: string
  hour: Date
  players: number[]
}

export interface MigrationDigests {
  name: string
  digest: string
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
  supporters: Supporters
  supporter_notices: SupporterNotices
  cloud_auth_keys: CloudAuthKeys
  cloud_auth_secret: CloudAuthSecret
  protection_issues: ProtectionIssues
  protection_timeline: ProtectionTimeline
  player_samples: PlayerSamples
  migration_digests: MigrationDigests
}

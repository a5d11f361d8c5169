/** People and what is theirs alone, and what happened. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Defaulted, DefaultedTime } from './columns.ts'

export interface Users {
  id: string
  discord_id: string
  username: string
  avatar: string | null
  owned_tier: Defaulted<string | null>
  forced_tier: Defaulted<string | null>
  active_tier: GeneratedAlways<string | null>
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

export interface Managements {
  id: string
  owner_id: string
  manager_id: string
  permissions: string[]
  created_at: DefaultedTime
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

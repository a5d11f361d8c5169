/** Servers, and what the master list knows of them. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Defaulted, DefaultedTime } from './columns.ts'

export interface RememberedBans {
  owner_id: string
  name_key: string
  bound_address: string | null
  ban_reason: string | null
  banned_at: Date
  banned_until: Date | null
}

export interface Servers {
  public_id: string
  owner_id: string
  name: string
  name_key: string
  name_key_version: Defaulted<number>
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
  lower_tags: GeneratedAlways<string[]>
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

export interface Transfers {
  id: string
  server_id: string
  from_user_id: string
  to_user_id: string
  created_at: DefaultedTime
  expires_at: Date
}

export interface FreedVanityIds {
  digest: Buffer
  freed_by: string | null
  freed_at: DefaultedTime
}

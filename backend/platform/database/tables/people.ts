import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface PeopleTables {
  users: {
    id: string
    discord_id: string
    username: string
    avatar: string | null
    owned_tier: Generated<string | null>
    forced_tier: Generated<string | null>
    active_tier: GeneratedAlways<string | null>
    max_servers: Generated<number | null>
    max_managers: Generated<number | null>
    max_groups: Generated<number | null>
    banned: Generated<boolean>
    ban_reason: Generated<string | null>
    banned_at: Generated<Date | null>
    banned_until: Generated<Date | null>
    search_text: GeneratedAlways<string>
    delete_at: Generated<Date | null>
    signed_in_at: Generated<Date>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  benefit_grants: {
    user_id: string
    key: string
    granted_at: Generated<Date>
  }
  sessions: {
    id_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    expires_at: Date
    id: Generated<string>
    last_seen_at: Generated<Date>
    browser: string | null
    os: string | null
    masked_address: string | null
  }
  preferences: {
    user_id: string
    language: Generated<string | null>
    time_zone: Generated<string | null>
    theme: Generated<string>
    notifications: ColumnType<Record<string, boolean>, string | undefined, string>
    updated_at: Generated<Date>
  }
  api_keys: {
    id: string
    user_id: string
    name: string
    prefix: string
    hash: Buffer
    scopes: string[]
    created_at: Generated<Date>
    expires_at: Date
    last_used_at: Generated<Date | null>
    revoked_at: Generated<Date | null>
  }
  used_sign_in_states: {
    state_hash: Buffer
    expires_at: Date
  }
  manager_grants: {
    id: string
    owner_id: string
    manager_id: string
    permissions: string[]
    created_at: Generated<Date>
  }
  activity: {
    id: Generated<string>
    at: Generated<Date>
    action: string
    role: string
    actor_id: string | null
    owner_id: string | null
    other_id: string | null
    server_id: string | null
    server_name: string | null
    api_key_name: Generated<string | null>
    before: ColumnType<Record<string, unknown> | null, string | null, string | null>
    after: ColumnType<Record<string, unknown> | null, string | null, string | null>
  }
  supporters: {
    provider: string
    member_id: string
    discord_id: string | null
    tier: string | null
    updated_at: Generated<Date>
  }
  supporter_webhook_deliveries: {
    provider: string
    digest: Buffer
    received_at: Generated<Date>
  }
}

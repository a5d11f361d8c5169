/** The columns of all tables. Written by "npm run schema"; never edit it. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface GeneratedTables {
  activity: {
    id: GeneratedAlways<string>
    at: Generated<Date>
    action: string
    role: string
    actor_id: string | null
    owner_id: string | null
    other_id: string | null
    server_id: string | null
    server_name: string | null
    before: ColumnType<unknown, string | null, string | null>
    after: ColumnType<unknown, string | null, string | null>
    api_key_name: string | null
  }
  all_servers: {
    public_id: string
    owner_id: string
    name: string
    name_key: string
    description: Generated<string>
    language: Generated<string>
    tags: Generated<string[]>
    game_mode: Generated<string>
    website: Generated<string>
    visible: Generated<boolean>
    hidden_at: Date | null
    vanity_url: string | null
    promoted: Generated<boolean>
    verified: Generated<boolean>
    banned: Generated<boolean>
    ban_reason: string | null
    banned_at: Date | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    group_id: string | null
    icon_image_id: string | null
    banned_until: Date | null
    search_text: Generated<string>
    lower_tags: GeneratedAlways<string[]>
    name_key_version: Generated<number>
    version: Generated<number>
    deleted_at: Date | null
    region: Generated<string>
    last_deleted_at: Date | null
    address_policy: Generated<string>
  }
  announce_attempts: {
    id: GeneratedAlways<string>
    server_id: string
    at: Date
    code: string
    detail: Generated<string>
    address: string
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
    last_used_at: Date | null
    revoked_at: Date | null
  }
  benefit_grants: {
    user_id: string
    key: string
    granted_at: Generated<Date>
  }
  benefit_settings: {
    user_id: string
    key: string
    for_all: Generated<boolean>
    image_id: string | null
    name: string | null
    primary_color: string | null
    background_image_id: string | null
    logo_image_id: string | null
    ui_background_image_id: string | null
    rss_url: string | null
    ui_url: string | null
    updated_at: Generated<Date>
    version: Generated<number>
  }
  benefit_settings_servers: {
    user_id: string
    key: string
    server_id: string
  }
  cloud_auth_keys: {
    kid: string
    public_jwk: ColumnType<unknown, string, string>
    private_jwk: ColumnType<unknown, string, string>
    created_at: Generated<Date>
  }
  cloud_auth_secret: {
    singleton: Generated<boolean>
    secret: Buffer
  }
  credential_addresses: {
    credential_id: string
    address: string
    family: GeneratedAlways<number>
    bound_at: Date
  }
  credential_uses: {
    credential_id: string
    last_used_at: Date | null
  }
  credentials: {
    id: string
    server_id: string | null
    hash: Buffer
    hint: string
    issued_at: Generated<Date>
    grace_until: Date | null
    revoked_at: Date | null
  }
  discord_url_limits: {
    url_digest: Buffer
    sent_at: Generated<Date[]>
    blocked_until: Date | null
  }
  endpoint_proofs: {
    server_id: string
    host: string
    port: number
    addresses: string[]
    is_name_proven: boolean
    proven_at: Date | null
    failure: Generated<string>
    failed_at: Date | null
  }
  erased_users: {
    digest: Buffer
    erased_at: Generated<Date>
  }
  file_deletions: {
    file: string
    scheduled_at: Generated<Date>
  }
  identities: {
    issuer: string
    subject: string
    user_id: string
    name: string
    roles: Generated<string[]>
    created_at: Generated<Date>
    last_signed_in_at: Generated<Date>
  }
  images: {
    id: string
    owner_id: string
    purpose: string
    file: string
    width: number
    height: number
    mime: string
    bytes: number
    is_copy: Generated<boolean>
    created_at: Generated<Date>
  }
  leases: {
    name: string
    owner_node_id: string
    expires_at: Date
  }
  list_buckets: {
    bucket_minutes: number
    at: Date
    sampled: number
    players: string
    servers: string
    players_highest: number
    servers_highest: number
  }
  manager_grants: {
    id: string
    owner_id: string
    manager_id: string
    permissions: string[]
    created_at: Generated<Date>
  }
  migration_digests: {
    name: string
    digest: string
  }
  nodes: {
    id: string
    started_at: Generated<Date>
    heartbeat_at: Generated<Date>
    version: string
    schema_level: number | null
    figures: ColumnType<unknown, string | null, string | null>
  }
  notifications: {
    id: string
    user_id: string
    type: string
    actor_id: string | null
    server_id: string | null
    server_name: string | null
    data: ColumnType<unknown, string | undefined, string>
    created_at: Generated<Date>
    read_at: Date | null
  }
  pinned_servers: {
    user_id: string
    server_id: string
    pinned_at: Generated<Date>
  }
  player_buckets: {
    at: Date
    players: number
    highest: number
    online: number
    sampled: number
    bucket_minutes: number
    server_id: string
  }
  preferences: {
    user_id: string
    language: string | null
    time_zone: string | null
    theme: Generated<string>
    notifications: ColumnType<unknown, string | undefined, string>
    updated_at: Generated<Date>
  }
  presence: {
    server_id: string
    online: boolean
    since: Date
    ended_by: Generated<string>
    last_announce_at: Date
    address: string
    credential_id: string | null
    announce: ColumnType<unknown, string, string>
    changed_at: Date
    registered_at: Date
    players: GeneratedAlways<number>
    other_address: string | null
    endpoint_since: Date | null
  }
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
    evidence: ColumnType<unknown, string, string>
    occurrences: Generated<string>
    first_seen_at: Date
    last_seen_at: Date
    opened_at: Generated<Date>
    closed_at: Date | null
    is_visible_to_owner: Generated<boolean>
  }
  protection_timeline: {
    id: GeneratedAlways<string>
    issue_id: string
    at: Generated<Date>
    kind: string
    by: string
    actor_id: string | null
    status: string | null
    consequence: string | null
    text: Generated<string>
  }
  recovery_links: {
    user_id: string
    token_hash: Buffer
    created_at: Generated<Date>
    expires_at: Date
  }
  released_vanity_ids: {
    digest: Buffer
    released_by: string | null
    released_at: Generated<Date>
  }
  remembered_bans: {
    owner_id: string
    name_key: string
    bound_address: string | null
    ban_reason: string | null
    banned_at: Date
    banned_until: Date | null
    other_address: string | null
  }
  schema_migrations: {
    name: string
    digest: string
    compatible_with: string
    applied_at: Generated<Date>
    compatible_level: number | null
  }
  server_groups: {
    id: string
    owner_id: string
    name: string
    created_at: Generated<Date>
    version: Generated<number>
  }
  server_reports: {
    id: string
    server_id: string
    user_id: string
    reason: string
    details: Generated<string>
    created_at: Date
    issue_id: string | null
    is_counted: boolean
    outcome: string | null
    decided_at: Date | null
  }
  server_restarts: {
    server_id: string
    at: Date
    version: string
    previous_version: string
    offline_since: Date | null
  }
  server_watch_states: {
    webhook_id: string | null
    server_id: string
    user_id: string | null
    is_offline: boolean
    is_listed: boolean
    is_above: boolean
    binding: string | null
    is_shared: Generated<boolean>
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
  supporter_webhook_deliveries: {
    provider: string
    digest: Buffer
    received_at: Generated<Date>
  }
  supporters: {
    provider: string
    member_id: string
    discord_id: string | null
    tier: string | null
    updated_at: Generated<Date>
  }
  transfers: {
    id: string
    server_id: string
    from_user_id: string
    to_user_id: string
    created_at: Generated<Date>
    expires_at: Date
  }
  used_sign_in_states: {
    state_hash: Buffer
    expires_at: Date
  }
  users: {
    id: string
    discord_id: string
    username: string
    avatar: string | null
    owned_tier: string | null
    forced_tier: string | null
    max_servers: number | null
    max_managers: number | null
    max_groups: number | null
    banned: Generated<boolean>
    ban_reason: string | null
    banned_at: Date | null
    delete_at: Date | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    signed_in_at: Generated<Date>
    banned_until: Date | null
    search_text: GeneratedAlways<string>
    active_tier: GeneratedAlways<string | null>
  }
  webhook_deliveries: {
    id: string
    seq: GeneratedAlways<string>
    webhook_id: string
    event_id: string
    event_type: string
    body: string
    state: Generated<string>
    attempt: Generated<number>
    created_at: Generated<Date>
    attempted_at: Date | null
    next_attempt_at: Date | null
    duration_ms: number | null
    request_headers: ColumnType<unknown, string | undefined, string>
    response_status: number | null
    response_body: string | null
    error: string | null
    traceparent: string | null
  }
  webhooks: {
    id: string
    owner_id: string | null
    name: string
    kind: string
    url: string
    events: string[]
    server_ids: string[]
    offline_after_seconds: number
    players_above: number | null
    enabled: Generated<boolean>
    disabled_reason: string | null
    secret: string | null
    previous_secret: string | null
    previous_secret_until: Date | null
    watching_since: Generated<Date>
    failing_since: Date | null
    last_attempt_at: Date | null
    last_status: number | null
    created_at: Generated<Date>
    older_secrets: ColumnType<unknown, string | undefined, string>
    paused_until: Date | null
    claimed_until: Date | null
  }
}

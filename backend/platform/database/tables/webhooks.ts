import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface WebhookTables {
  webhooks: {
    id: string
    /** Null for the operator's webhook. */
    owner_id: string | null
    name: string
    kind: string
    url: string
    events: string[]
    server_ids: string[]
    offline_after_seconds: number
    players_above: number | null
    enabled: Generated<boolean>
    disabled_reason: Generated<string | null>
    secret: string | null
    previous_secret: Generated<string | null>
    previous_secret_until: Generated<Date | null>
    /** Those before `previous_secret` that still sign, the latest first. */
    older_secrets: ColumnType<readonly { readonly secret: string; readonly until: string }[], never, string>
    /** The receiver's `Retry-After`. */
    paused_until: Generated<Date | null>
    /** Until when a node sends for this webhook. In the past: when one last did. */
    claimed_until: Generated<Date | null>
    watching_since: Generated<Date>
    failing_since: Generated<Date | null>
    last_attempt_at: Generated<Date | null>
    last_status: Generated<number | null>
    created_at: Generated<Date>
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
    attempted_at: Generated<Date | null>
    next_attempt_at: Generated<Date | null>
    duration_ms: Generated<number | null>
    request_headers: ColumnType<Record<string, string>, string | undefined, string>
    response_status: Generated<number | null>
    response_body: Generated<string | null>
    error: Generated<string | null>
  }
  server_watch_states: {
    /** Null for the inbox of the owner. */
    webhook_id: string | null
    server_id: string
    user_id: string | null
    is_offline: boolean
    is_listed: boolean
    is_above: boolean
    binding: string | null
  }
  discord_url_limits: {
    url_digest: Buffer
    sent_at: Generated<Date[]>
    blocked_until: Generated<Date | null>
  }
}

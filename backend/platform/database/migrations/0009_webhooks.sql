-- compatible-with: 1.4
-- Webhooks and the log of their deliveries. The jobs that send them are in the schema graphile_worker, which its library maintains.

create table webhooks (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null,
  kind text not null check (kind in ('standard', 'discord')),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- Public IDs; empty for all servers. A deleted server's ID stays, because an empty list would mean all servers.
  server_ids text[] not null,
  offline_after_seconds integer not null,
  players_above integer,
  enabled boolean not null default true,
  disabled_reason text,
  -- Needed to sign, so they are stored as they are. Null for Discord.
  secret text,
  previous_secret text,
  previous_secret_until timestamptz,
  -- Of servers from before then, only later changes are published.
  watching_since timestamptz not null default now(),
  -- Since when no attempt has succeeded; null after a success.
  failing_since timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  created_at timestamptz not null default now(),
  constraint webhooks_secret check ((kind = 'standard') = (secret is not null))
);
create index webhooks_owner_id on webhooks (owner_id, created_at);

-- One event for one webhook. The last attempt overwrites what the previous one stored.
create table webhook_deliveries (
  id uuid primary key,
  -- In the order of events.
  seq bigint generated always as identity,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id text not null,
  event_type text not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  attempt integer not null default 0,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  next_attempt_at timestamptz,
  duration_ms integer,
  request_headers jsonb not null default '{}',
  response_status integer,
  response_body text,
  error text,
  constraint webhook_deliveries_event unique (webhook_id, event_id)
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, seq);
create index webhook_deliveries_created_at on webhook_deliveries (created_at);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, seq) where state = 'pending';

-- What a webhook was last told about a live server, so that each change is published once.
create table webhook_server_states (
  webhook_id uuid not null references webhooks on delete cascade,
  server_id text not null references servers on delete cascade,
  is_offline boolean not null,
  is_listed boolean not null,
  is_above boolean not null,
  -- A digest of credential and bound address; null while unbound.
  binding text,
  primary key (webhook_id, server_id)
);
create index webhook_server_states_server_id on webhook_server_states (server_id);

-- Discord's limit is per URL, which several webhooks and nodes may share. The digest keeps the URL, a secret, out of this table.
create table discord_url_limits (
  url_digest bytea primary key,
  -- When the newest 30 messages were sent, oldest first.
  sent_at timestamptz[] not null default '{}',
  -- Discord's own 429 says until when.
  blocked_until timestamptz
);

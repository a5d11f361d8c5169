-- compatible-with: 1.4
-- What owners see of their sessions. Sessions of older versions get these details with their next use.
alter table sessions
  -- Names a session in the API. Unlike `id_hash`, it is not derived from the secret.
  add column id uuid not null default gen_random_uuid(),
  add column last_seen_at timestamptz not null default now(),
  add column browser text,
  add column os text,
  -- Only the masked address is stored.
  add column masked_address text;
update sessions set last_seen_at = last_used_at;
create unique index sessions_id on sessions (id);

-- One row per user who changed something. Without a row, all defaults apply.
create table preferences (
  user_id uuid primary key references users,
  language text,
  time_zone text,
  theme text not null default 'system' check (theme in ('system', 'dark', 'light')),
  -- Only types that the user switched on or off: {"server.offline": false}.
  notifications jsonb not null default '{}' check (jsonb_typeof(notifications) = 'object'),
  updated_at timestamptz not null default now()
);

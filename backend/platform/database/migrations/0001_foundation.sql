-- People, their sessions, their game servers, the servers' credentials, and what the master list knows of them.

create table users (
  id uuid primary key,
  discord_id text not null constraint users_discord_id_key unique,
  username text not null,
  avatar text,
  owned_tier text,
  -- An administrator's choice; it stands before the owned tier while it is set.
  forced_tier text,
  -- Overrides; null means what the active tier allows.
  max_servers integer check (max_servers >= 0),
  max_managers integer check (max_managers >= 0),
  max_groups integer check (max_groups >= 0),
  banned boolean not null default false,
  ban_reason text,
  banned_at timestamptz,
  delete_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table benefit_grants (
  user_id uuid not null references users on delete cascade,
  key text not null,
  granted_at timestamptz not null default now(),
  primary key (user_id, key)
);

create table sessions (
  -- SHA-256 of the id in the cookie: a copy of this table signs nobody in.
  id_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- A sign-in's state is good once, on whichever node it comes back to.
create table used_sign_in_states (
  state_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_sign_in_states_expires_at on used_sign_in_states (expires_at);

create table servers (
  public_id text primary key check (public_id ~ '^[0-9A-Za-z]{7}$' and public_id ~ '[A-Z]'),
  owner_id uuid not null references users on delete cascade,
  name text not null,
  -- The name as the eye reads it: case, width, accents and lookalike letters folded (contract section 5).
  name_key text not null constraint servers_name_key unique,
  description text not null default '',
  language text not null default 'all',
  tags text[] not null default '{}',
  game_mode text not null default '',
  website text not null default '',
  visible boolean not null default true,
  -- Since when it is hidden; null while it is not.
  hidden_at timestamptz,
  vanity_url text constraint servers_vanity_url_key unique,
  promoted boolean not null default false,
  verified boolean not null default false,
  banned boolean not null default false,
  ban_reason text,
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index servers_owner_id on servers (owner_id, created_at);
create unique index servers_one_promoted_for_each_owner on servers (owner_id) where promoted;

create table credentials (
  id uuid primary key,
  -- Null once the server is gone; the row stays so that a late announce can be told "revoked" from "never existed".
  server_id text references servers on delete set null,
  hash bytea not null constraint credentials_hash_key unique,
  hint text not null,
  issued_at timestamptz not null default now(),
  -- Set when a newer one was issued with a grace: until then both work.
  grace_until timestamptz,
  revoked_at timestamptz
);
create index credentials_server_id on credentials (server_id, issued_at desc);
create unique index credentials_one_current_for_each_server
  on credentials (server_id) where revoked_at is null and grace_until is null;

-- What the master list learned of a credential by its use; written by the list, never by the panel's forms.
create table credential_uses (
  credential_id uuid primary key references credentials on delete cascade,
  bound_address inet,
  bound_at timestamptz,
  last_used_at timestamptz
);

-- The last known live state of each server that ever announced. A restart begins from here.
create table presence (
  server_id text primary key references servers on delete cascade,
  online boolean not null,
  -- Since when it is online, or offline.
  since timestamptz not null,
  -- Why it is offline: EXPIRED, LEFT, REISSUED; empty while online.
  ended_by text not null default '',
  last_announce_at timestamptz not null,
  address inet not null,
  credential_id uuid references credentials on delete set null,
  -- The announce's body, as accepted.
  announce jsonb not null,
  -- When something that players see last changed.
  changed_at timestamptz not null
);

create table announce_attempts (
  id bigint generated always as identity primary key,
  server_id text not null references servers on delete cascade,
  at timestamptz not null,
  code text not null,
  -- What was wrong exactly, where the code alone does not say it.
  detail text not null default '',
  address inet not null
);
create index announce_attempts_server on announce_attempts (server_id, id desc);

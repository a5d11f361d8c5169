-- compatible-with: 1.4
-- API keys of users, and the name of the key with which a user acted.
create table api_keys (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null,
  -- `msk_` and eight characters, by which the owner recognizes the key.
  prefix text not null,
  -- SHA-256 of the key: a copy of this table opens nothing.
  hash bytea not null constraint api_keys_hash unique check (octet_length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Exact to the minute.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_user_id on api_keys (user_id);
-- For the deletion of old keys.
create index api_keys_retention on api_keys (coalesce(revoked_at, expires_at));

alter table activity add column api_key_name text;

-- compatible-with-level: 28
-- A credential binds one address of each family. Programs before this level read and wrote the one address in `credential_uses`.
create table credential_addresses (
  credential_id uuid not null references credentials(id) on delete cascade,
  address inet not null,
  family smallint not null generated always as (family(address)::smallint) stored,
  bound_at timestamptz not null,
  primary key (credential_id, family)
);
create index credential_addresses_address on credential_addresses (address);
insert into credential_addresses (credential_id, address, bound_at)
  select credential_id, bound_address, coalesce(bound_at, last_used_at, now()) from credential_uses where bound_address is not null;
alter table credential_uses drop column bound_address, drop column bound_at;

-- What happens to announces from elsewhere: they are rejected, or move the binding of a silent server.
alter table all_servers add column address_policy text not null default 'bound' check (address_policy in ('bound', 'follow'));
select refresh_server_views();

-- The newest source address of the other family, which counts for ten minutes. `address` is the IPv4 address if both count.
alter table presence add column other_address inet;
-- Since when a server claims its endpoint: of two with the same one, the earlier is listed.
alter table presence add column endpoint_since timestamptz;

-- The endpoints that servers named, as far as the list could prove them. A transfer deletes the row.
create table endpoint_proofs (
  server_id text primary key references all_servers(public_id) on delete cascade,
  -- Empty for the source address.
  host text not null,
  port integer not null check (port between 1 and 65535),
  -- Those that answered.
  addresses inet[] not null,
  -- Whether all addresses of the name answered.
  is_name_proven boolean not null,
  -- When one answered last.
  proven_at timestamptz,
  -- Why the newest attempt failed. Empty if it did not.
  failure text not null default '' check (failure in ('', 'UNRESOLVED', 'PRIVATE', 'REFUSED', 'TIMEOUT', 'WRONG_ANSWER', 'UNREACHABLE')),
  failed_at timestamptz,
  check ((failure = '') = (failed_at is null))
);

-- Whether the owner knows that two processes announce with the credential.
alter table server_watch_states add column is_shared boolean not null default false;

-- The address of the other family of a banned server that was deleted.
alter table remembered_bans add column other_address inet;

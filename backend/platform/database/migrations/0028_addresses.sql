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

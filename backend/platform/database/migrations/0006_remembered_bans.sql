-- compatible-with: 1.3
-- Bans of servers that their owners deleted, for as long as they last. A server of the same owner with the same name or address is banned again.
create table remembered_bans (
  owner_id uuid not null references users,
  name_key text not null,
  bound_address inet,
  ban_reason text,
  banned_at timestamptz not null,
  banned_until timestamptz,
  primary key (owner_id, name_key)
);

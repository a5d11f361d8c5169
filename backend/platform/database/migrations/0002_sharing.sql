-- Managing for others, handing over, leaving, and what happened.

-- When the person last came in: of two rows with one name on Discord the newer one is right.
alter table users add column signed_in_at timestamptz not null default now();
update users set signed_in_at = updated_at;
create index users_username on users (lower(username), signed_in_at desc);
create index users_delete_at on users (delete_at) where delete_at is not null;

-- Nothing that belongs to a person goes by itself with his row: the erasure names every table, and one it forgot stops it.
alter table servers drop constraint servers_owner_id_fkey, add constraint servers_owner_id_fkey foreign key (owner_id) references users;
alter table sessions drop constraint sessions_user_id_fkey, add constraint sessions_user_id_fkey foreign key (user_id) references users;
alter table benefit_grants
  drop constraint benefit_grants_user_id_fkey, add constraint benefit_grants_user_id_fkey foreign key (user_id) references users;

-- A credential that is forgotten is looked for here.
create index presence_credential_id on presence (credential_id) where credential_id is not null;

-- For the offers below: an offered server is its sender's.
alter table servers add constraint servers_with_owner unique (public_id, owner_id);

-- A grant is over all servers of its owner.
create table managements (
  id uuid primary key,
  owner_id uuid not null references users,
  manager_id uuid not null references users,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null default now(),
  check (owner_id <> manager_id),
  constraint managements_one_for_each_pair unique (owner_id, manager_id)
);
create index managements_manager_id on managements (manager_id);

-- Open offers only: whoever deletes the row decided its end. A server has one at most.
create table transfers (
  id uuid primary key,
  server_id text not null constraint transfers_one_for_each_server unique,
  from_user_id uuid not null references users,
  to_user_id uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check (from_user_id <> to_user_id),
  foreign key (server_id, from_user_id) references servers (public_id, owner_id) on delete cascade
);
create index transfers_from_user_id on transfers (from_user_id);
create index transfers_to_user_id on transfers (to_user_id);
create index transfers_expires_at on transfers (expires_at);

-- What happened, one row in the transaction of each change. It outlives the people and servers it names, so it refers to none.
create table activity (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  -- In which part the actor acted: self, manager, administrator, system.
  role text not null,
  actor_id uuid,
  -- Whose account or server it is about.
  owner_id uuid,
  -- The other person in it: manager, recipient, sender.
  other_id uuid,
  server_id text,
  -- The server's name then.
  server_name text,
  before jsonb,
  after jsonb
);
create index activity_server on activity (server_id, id desc) where server_id is not null;
create index activity_owner on activity (owner_id, id desc);
create index activity_other on activity (other_id, id desc) where other_id is not null;
create index activity_actor on activity (actor_id, id desc) where actor_id is not null and role <> 'administrator';
create index activity_administrator on activity (actor_id, id desc) where role = 'administrator';

-- compatible-with: 1.4
-- The inbox: what users were notified of, and what it was last told about each live server.

create table notifications (
  -- A UUIDv7, so that rows sort by time.
  id uuid primary key,
  -- Without a foreign key: two changes that notify each other's users would wait for each other's lock on the users.
  user_id uuid not null,
  type text not null,
  -- The other user who caused it. Null for the program and for administrators.
  actor_id uuid,
  server_id text,
  -- At that time.
  server_name text,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_user on notifications (user_id, id desc);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_actor on notifications (actor_id) where actor_id is not null;
create index notifications_server on notifications (server_id) where server_id is not null;
create index notifications_created_at on notifications (created_at);

-- What the inbox was last told about a live server, so that each change notifies once. A server without a row has never announced.
create table notification_server_states (
  server_id text primary key references all_servers on delete cascade,
  -- The owner at that time. Nobody else is notified of a difference from this state.
  user_id uuid,
  is_offline boolean not null,
  is_listed boolean not null,
  -- A digest of credential and bound address; null while unbound.
  binding text
);
create index notification_server_states_user on notification_server_states (user_id);

insert into notification_server_states (server_id, user_id, is_offline, is_listed)
select public_id, null, false, false from all_servers;

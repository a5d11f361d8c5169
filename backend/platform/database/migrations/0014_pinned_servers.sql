-- compatible-with: 1.4
-- Servers that a user pins to the top of their list. A preference of one view, so it is neither an event nor visible to others.

create table pinned_servers (
  user_id uuid not null references users,
  server_id text not null references all_servers on delete cascade,
  pinned_at timestamptz not null default now(),
  primary key (user_id, server_id)
);
create index pinned_servers_server on pinned_servers (server_id);

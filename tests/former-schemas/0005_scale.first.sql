-- Many nodes on one database, and the history of players.

-- The programs that run on this database, each by the id it gave itself at its start. A row that is not renewed belongs to one that is gone.
create unlogged table nodes (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Who does what only one of the nodes may do, and until when unless he renews it. The database's clock decides.
create table leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);

-- Goes with `presence` when that is emptied by a crash of the database or a change to its replica: where this row is missing, or is another
-- one than a node knows, the node tells the database anew what it knows.
create unlogged table presence_life (
  is_only boolean primary key default true check (is_only),
  id uuid not null
);

-- Of days and weeks that are over, what is kept after the minutes: one row a server and day with 144 steps of 10 minutes, and one a server
-- and week (since the Monday of 1969-12-29, UTC) with 168 steps of an hour. -1 where the server was offline throughout, -2 where nobody looked.
create table player_history (
  server_id text not null references servers on delete cascade,
  step_minutes smallint not null,
  from_at timestamptz not null,
  -- Of the minutes in which it was online, rounded.
  average smallint[] not null,
  highest smallint[] not null,
  -- Of each step a byte: how many per cent of the minutes in which somebody looked it was online; 255 where nobody looked.
  online bytea not null,
  primary key (server_id, step_minutes, from_at),
  constraint player_history_steps check (
    cardinality(average) = case step_minutes when 10 then 144 when 60 then 168 end
    and cardinality(highest) = cardinality(average) and length(online) = cardinality(average))
);
create index player_history_from_at on player_history (step_minutes, from_at);

-- The whole list in each minute of an hour: 60 numbers each, -2 where nobody looked.
create table list_samples (
  hour timestamptz primary key,
  players integer[] not null check (cardinality(players) = 60),
  servers integer[] not null check (cardinality(servers) = 60)
);

-- The same after the minutes, in the steps of player_history.
create table list_history (
  step_minutes smallint not null,
  from_at timestamptz not null,
  players_average integer[] not null,
  players_highest integer[] not null,
  servers_average integer[] not null,
  servers_highest integer[] not null,
  primary key (step_minutes, from_at)
);

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
-- and week (from Monday on, UTC) with 168 steps of an hour. Only of those in which the server was online. A step is four bytes with average,
-- highest and how many minutes those are of: features/history/steps.ts says how. In this order of columns 13 days fit a page, else 12.
create table player_history (
  from_at timestamptz not null,
  server_id text not null references servers on delete cascade,
  step_minutes smallint not null,
  steps bytea not null,
  primary key (server_id, step_minutes, from_at),
  constraint player_history_steps check (length(steps) = 4 * case step_minutes when 10 then 144 when 60 then 168 end)
);
create index player_history_from_at on player_history (step_minutes, from_at);

-- The whole list in each minute of an hour: 60 numbers each, -2 where nobody looked.
create table list_samples (
  hour timestamptz primary key,
  players integer[] not null check (cardinality(players) = 60),
  servers integer[] not null check (cardinality(servers) = 60)
);

-- The same after the minutes, in the steps of player_history; 0 where nobody looked. It is written when the rows of all servers are: a
-- day or week that stands here is done.
create table list_history (
  step_minutes smallint not null,
  from_at timestamptz not null,
  players_average integer[] not null,
  players_highest integer[] not null,
  servers_average integer[] not null,
  servers_highest integer[] not null,
  -- Minutes of each step in which somebody looked.
  looked smallint[] not null,
  primary key (step_minutes, from_at)
);

-- Each row is written anew a dozen times within its hour: what that leaves behind is cleared before it is a fifth of eight days.
alter table player_samples set (autovacuum_vacuum_scale_factor = 0.02);

-- From the first form of 0005_scale. No program ever wrote to its player_history or list_history.
drop table player_history;
create table player_history (
  from_at timestamptz not null,
  server_id text not null references servers on delete cascade,
  step_minutes smallint not null,
  steps bytea not null,
  primary key (server_id, step_minutes, from_at),
  constraint player_history_steps check (length(steps) = 4 * case step_minutes when 10 then 144 when 60 then 168 end)
);
create index player_history_from_at on player_history (step_minutes, from_at);

alter table list_history add column looked smallint[] not null;
alter table player_samples set (autovacuum_vacuum_scale_factor = 0.02);

-- From the second form of 0005_scale: the same numbers of each step as big-endian bytes, in columns of another order.
create temporary table player_history_bytes on commit drop as
select from_at, server_id, step_minutes,
  (select string_agg(int4send(step), ''::bytea order by place) from unnest(steps) with ordinality as each (step, place)) as steps
from player_history;

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
insert into player_history (from_at, server_id, step_minutes, steps)
select from_at, server_id, step_minutes, steps from player_history_bytes;

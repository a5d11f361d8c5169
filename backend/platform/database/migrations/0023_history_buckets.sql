-- compatible-with-level: 23
-- One row for each server and bucket in which it was online: five minutes, an hour or a day.
create table player_buckets (
  at timestamptz not null,
  -- Sum over the minutes in which the server was online.
  players integer not null,
  highest smallint not null,
  -- Minutes.
  online smallint not null,
  sampled smallint not null,
  bucket_minutes smallint not null check (bucket_minutes in (5, 60, 1440)),
  server_id text not null references all_servers on delete cascade,
  primary key (server_id, bucket_minutes, at)
);
create index player_buckets_at on player_buckets (bucket_minutes, at);
-- Expired rows are cleared before they are a fifth of eight days.
alter table player_buckets set (autovacuum_vacuum_scale_factor = 0.05);

-- The whole list. A bucket has a row here once all servers have theirs: servers without one were offline.
create table list_buckets (
  bucket_minutes smallint not null,
  at timestamptz not null,
  sampled smallint not null,
  -- Sums over the sampled minutes.
  players bigint not null,
  servers bigint not null,
  players_highest integer not null,
  servers_highest integer not null,
  primary key (bucket_minutes, at)
);

-- Minutes: -1 while the server was offline, -2 without a sample.
insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
select 5, s.hour + b.bucket * interval '5 minutes', b.sampled, b.players, b.servers, b.players_highest, b.servers_highest
from list_samples s cross join lateral (
  select (m.minute - 1) / 5 as bucket, count(*) as sampled, sum(m.players) as players, sum(m.servers) as servers,
    max(m.players) as players_highest, max(m.servers) as servers_highest
  from unnest(s.players, s.servers) with ordinality as m (players, servers, minute) where m.players <> -2 group by 1
) b;

insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
select s.server_id, 5, s.hour + b.bucket * interval '5 minutes', b.players, b.highest, b.online, b.sampled
from player_samples s cross join lateral (
  select (m.minute - 1) / 5 as bucket, sum(greatest(m.players, 0)) as players, max(m.players) as highest,
    count(*) filter (where m.players >= 0) as online, count(*) as sampled
  from unnest(s.players) with ordinality as m (players, minute) where m.players <> -2 group by 1
) b
where b.online > 0
order by 3, 1;

-- A former step is an integer: the highest and the average in a triangular number, and a code for the online and sampled minutes.
create function pg_temp.unpack_step(
  step integer, minutes integer, out average integer, out highest integer, out online integer, out sampled integer
) language plpgsql immutable as $$
declare
  code constant integer := step % 240;
  pair constant integer := step / 240;
  partial_code constant integer := code - minutes - 1;
begin
  highest := floor((sqrt(8 * pair::double precision + 1) - 1) / 2);
  if (highest + 1) * (highest + 2) / 2 <= pair then highest := highest + 1; end if;
  average := pair - highest * (highest + 1) / 2;
  if code <= minutes then
    online := code;
    sampled := minutes;
  else
    sampled := partial_code / 15 * minutes / 10;
    online := (2 * (partial_code % 15) * sampled + 14) / 28;
  end if;
end $$;

create function pg_temp.unpack_steps(steps bytea, minutes integer, out index integer, out average integer, out highest integer,
  out online integer, out sampled integer) returns setof record language sql immutable as $$
  select n, s.average, s.highest, s.online, s.sampled
  from generate_series(0, length(steps) / 4 - 1) n cross join lateral pg_temp.unpack_step(
    (get_byte(steps, 4 * n) << 24) | (get_byte(steps, 4 * n + 1) << 16) | (get_byte(steps, 4 * n + 2) << 8) | get_byte(steps, 4 * n + 3),
    minutes) s
$$;

-- Six steps of ten minutes are an hour, and 24 steps of an hour are a day.
create temporary table levels on commit drop as
  select * from (values (10, 6, 60, interval '1 hour'), (60, 24, 1440, interval '1 day'))
    as l (step_minutes, steps, bucket_minutes, bucket_length);

insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
select l.bucket_minutes, h.from_at + (s.index - 1) / l.steps * l.bucket_length, sum(s.sampled), sum(s.players_average * s.sampled),
  sum(s.servers_average * s.sampled), max(s.players_highest), max(s.servers_highest)
from list_history h join levels l using (step_minutes) cross join lateral unnest(
  h.players_average, h.players_highest, h.servers_average, h.servers_highest, h.sampled_minutes
) with ordinality as s (players_average, players_highest, servers_average, servers_highest, sampled, index)
where s.sampled > 0
group by 1, 2;

insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
select h.server_id, l.bucket_minutes, h.from_at + b.bucket * l.bucket_length, b.players, b.highest, b.online, b.sampled
from player_history h join levels l using (step_minutes) cross join lateral (
  select s.index / l.steps as bucket, sum(s.average * s.online) as players, max(s.highest) as highest, sum(s.online) as online,
    sum(s.sampled) as sampled
  from pg_temp.unpack_steps(h.steps, l.step_minutes) s group by 1
) b
where b.online > 0
order by 2, 3, 1;

-- Days of unfinished weeks: the job that rolls up hours adds them from here.
drop table player_history, list_history, player_samples, list_samples;
drop function pg_temp.unpack_steps;
drop function pg_temp.unpack_step;

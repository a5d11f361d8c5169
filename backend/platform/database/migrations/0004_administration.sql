-- Administration: bans that end, lists that stay fast, an audit log that only grows, protection issues, and the players of the last days.

-- The indexes below are built over everything there is.
set local maintenance_work_mem = '256MB';

create extension if not exists pg_trgm;

-- When a ban ends by itself; null for never.
alter table users add column banned_until timestamptz;
alter table servers add column banned_until timestamptz;
create index users_banned_until on users (banned_until) where banned_until is not null;
create index servers_banned_until on servers (banned_until) where banned_until is not null;

-- What administrators search in: everything a server or a person can be asked for by, in small letters.
alter table users add column search_text text not null generated always as (lower(username || ' ' || discord_id)) stored;
alter table servers add column search_text text not null default '';

create function server_search_text(name text, public_id text, vanity_url text, owner uuid) returns text language sql stable as $$
  select lower(concat_ws(' ', $1, $2, $3, u.username, u.discord_id)) from users u where u.id = $4
$$;

create function keep_server_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := coalesce(server_search_text(new.name, new.public_id, new.vanity_url, new.owner_id), '');
  return new;
end
$$;
create trigger servers_search_text before insert or update of name, vanity_url, owner_id on servers
  for each row execute function keep_server_search_text();

-- Whoever makes a server for somebody holds his row, so neither misses what the other writes.
create function keep_search_text_of_owned() returns trigger language plpgsql as $$
begin
  update servers set search_text = server_search_text(name, public_id, vanity_url, owner_id) where owner_id = new.id;
  return null;
end
$$;
create trigger users_search_text after update of username on users for each row
  when (old.username is distinct from new.username) execute function keep_search_text_of_owned();

update servers set search_text = server_search_text(name, public_id, vanity_url, owner_id);

create index servers_search on servers using gin (search_text gin_trgm_ops) with (fastupdate = off);
create index users_search on users using gin (search_text gin_trgm_ops) with (fastupdate = off);

-- Three letters make a trigram; for one or two that index would be read as a whole. So each letter and each pair of them has an index, too:
-- the pairs that begin at odd places, then those at even ones.
create function short_grams(text text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(text, null)
    || string_to_array(regexp_replace(text, '..', '\&' || chr(1), 'g'), chr(1))
    || string_to_array(regexp_replace(right(text, -1), '..', '\&' || chr(1), 'g'), chr(1))
$$;
-- What a term must have of them: each pair of its letters, or its one letter.
create function grams_of_term(term text) returns text[] language sql immutable parallel safe as $$
  select case when length(term) < 2 then array[term] else array(select substr(term, i, 2) from generate_series(1, length(term) - 1) i) end
$$;
create index servers_short_search on servers using gin (short_grams(search_text)) with (fastupdate = off);
create index users_short_search on users using gin (short_grams(search_text)) with (fastupdate = off);

-- Tags are alike whatever their capitals. The text of an array in small letters is the array in small letters: its own signs have no capitals.
create function lower_tags(tags text[]) returns text[] language sql immutable parallel safe as $$
  select lower(tags::text)::text[]
$$;
alter table servers add column lower_tags text[] not null generated always as (lower_tags(tags)) stored;

-- The lists in each of their orders, the id last so that no two rows are alike.
create index servers_created_at on servers (created_at desc, public_id desc);
create index servers_lower_name on servers (lower(name), public_id);
create index servers_banned on servers (created_at desc, public_id desc) where banned;
create index servers_tags on servers using gin (lower_tags) with (fastupdate = off);
create index users_created_at on users (created_at desc, id desc);
create index users_lower_username on users (lower(username), id);
create index users_signed_in_at on users (signed_in_at desc, id desc);
create index users_banned on users (created_at desc, id desc) where banned;
-- A column of its own and not an expression: only so the index answers alone how many there are.
alter table users add column active_tier text generated always as (coalesce(forced_tier, owned_tier)) stored;
create index users_active_tier on users (active_tier, created_at desc, id desc) where active_tier is not null;
create index benefit_grants_key on benefit_grants (key, user_id);
create index activity_action on activity (action, id desc);
create index activity_role on activity (role, id desc);
create index activity_server_name on activity (lower(server_name), id desc) where server_name is not null;

-- What a list of servers is sorted and narrowed by beside the server's own columns. Players of an offline server: -1, below every online one.
alter table presence
  add column registered_at timestamptz,
  add column players integer not null
    generated always as (case when online then coalesce((announce ->> 'playersCount')::integer, 0) else -1 end) stored;
update presence p set registered_at = s.created_at from servers s where s.public_id = p.server_id;
alter table presence alter column registered_at set not null;
create index presence_players on presence (players desc, server_id desc);
create index presence_online on presence (online, registered_at desc, server_id desc);
create index presence_address on presence (address);
create index credential_uses_bound_address on credential_uses (bound_address) where bound_address is not null;

-- The audit log: rows come and stay. Only the erasure of an account may take names out of them.
create function refuse_change_of_activity() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('muster.erasing', true) = 'on' then
    return new;
  end if;
  raise exception 'The audit log is append-only.';
end
$$;
create trigger activity_append_only before update or delete on activity for each row execute function refuse_change_of_activity();
create trigger activity_no_truncate before truncate on activity for each statement execute function refuse_change_of_activity();

-- What the list's own checks found. Repeats of one finding count up its one open row.
create table protection_issues (
  id uuid primary key,
  user_id uuid not null references users,
  -- The server it is about, with the name it had; no reference: a finding outlives its server.
  server_id text,
  server_name text not null default '',
  kind text not null,
  severity text not null,
  -- A number for each severity, to sort by: 1 low, 2 medium, 3 high.
  severity_rank smallint not null generated always as (case severity when 'HIGH' then 3 when 'MEDIUM' then 2 else 1 end) stored,
  -- What makes two findings one, beside kind, user and server.
  fingerprint text not null default '',
  status text not null default 'OPEN' check (status in ('OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED')),
  is_open boolean not null generated always as (status in ('OPEN', 'ACKNOWLEDGED')) stored,
  consequence text not null default 'NOTICE' check (consequence in ('NOTICE', 'UNRANKED', 'UNLISTED')),
  consequence_at timestamptz not null default now(),
  -- An administrator chose the consequence: it climbs no further by itself.
  is_consequence_chosen boolean not null default false,
  summary text not null,
  -- {"items": [...], "series": [...]}, bounded by whoever writes it.
  evidence jsonb not null,
  occurrences bigint not null default 1,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- From when on its ladder and its quiet are counted: when it was first seen, or opened again.
  opened_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index protection_issues_one_open on protection_issues (kind, user_id, coalesce(server_id, ''), fingerprint)
  where status in ('OPEN', 'ACKNOWLEDGED');
-- The queue in each of its orders, and by what it is narrowed.
create index protection_issues_last_seen on protection_issues (last_seen_at desc, id desc);
create index protection_issues_first_seen on protection_issues (first_seen_at desc, id desc);
create index protection_issues_severity on protection_issues (severity_rank desc, last_seen_at desc, id desc);
create index protection_issues_occurrences on protection_issues (occurrences desc, id desc);
create index protection_issues_kind on protection_issues (kind, last_seen_at desc);
create index protection_issues_status on protection_issues (status, last_seen_at desc);
create index protection_issues_server_name on protection_issues (lower(server_name));
-- What climbs, and what has been quiet.
create index protection_issues_open on protection_issues (kind, last_seen_at) where status in ('OPEN', 'ACKNOWLEDGED');
create index protection_issues_user on protection_issues (user_id, last_seen_at desc);
create index protection_issues_server on protection_issues (server_id, last_seen_at desc) where server_id is not null;

-- Who did what about an issue, oldest first.
create table protection_timeline (
  id bigint generated always as identity primary key,
  issue_id uuid not null references protection_issues on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  -- owner, administrator or system.
  by text not null,
  actor_id uuid,
  status text,
  consequence text,
  text text not null default ''
);
create index protection_timeline_issue on protection_timeline (issue_id, id);
create index protection_timeline_actor on protection_timeline (actor_id) where actor_id is not null;

-- How many players a server had in each minute of an hour: 60 numbers, -1 where it was offline, -2 where nobody looked.
create table player_samples (
  server_id text not null references servers on delete cascade,
  hour timestamptz not null,
  players smallint[] not null check (cardinality(players) = 60),
  primary key (server_id, hour)
);
create index player_samples_hour on player_samples (hour);

-- compatible-with-level: 17
-- Bounds what an account can hold: the time of servers in the bin, and released vanity IDs. Versions compare whole rows.

-- When a restored server was deleted before. A second deletion doesn't renew its days in the bin.
alter table all_servers add column last_deleted_at timestamptz;

-- Callers lock the owner for update, so two releases of one owner run one after the other.
create or replace function release_vanity_id() returns trigger language plpgsql as $$
begin
  insert into released_vanity_ids (digest, released_by) values (sha256(old.vanity_url::bytea), old.owner_id)
  on conflict (digest) do update set released_by = excluded.released_by, released_at = now();
  delete from released_vanity_ids where digest in (
    select digest from released_vanity_ids where released_by = old.owner_id order by released_at desc, digest offset 3);
  return null;
end
$$;
delete from released_vanity_ids where digest in (
  select digest from (
    select digest, row_number() over (partition by released_by order by released_at desc, digest) as n
    from released_vanity_ids where released_by is not null
  ) ranked where n > 3);

-- The arguments are the columns that may change without a new version, so a column that a migration adds raises it.
create or replace function raise_version() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - tg_argv::text[] is distinct from to_jsonb(new) - tg_argv::text[] then new.version := old.version + 1; end if;
  return new;
end
$$;
drop trigger all_servers_version on all_servers;
-- Derived columns, the time of the change, and bans, which no form edits.
create trigger all_servers_version before update on all_servers for each row execute function raise_version(
  'version', 'updated_at', 'name_key', 'name_key_version', 'search_text', 'lower_tags', 'banned', 'ban_reason', 'banned_at', 'banned_until',
  'last_deleted_at');
drop trigger server_groups_version on server_groups;
create trigger server_groups_version before update on server_groups for each row execute function raise_version('version');
drop trigger benefit_settings_version on benefit_settings;
create trigger benefit_settings_version before update on benefit_settings for each row execute function raise_version('version');

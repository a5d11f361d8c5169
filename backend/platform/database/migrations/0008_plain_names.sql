-- compatible-with: 1.4
-- Renames tables, columns, functions and triggers. Only the catalog changes, so it takes milliseconds at any size.

-- Constraints and indexes get the new name of their table or column.
create function pg_temp.rename_parts(of_table regclass, old_name text, new_name text) returns void language plpgsql as $$
declare
  part record;
begin
  -- A constraint renames its index with it. Postgres 18 and newer also names NOT NULL constraints.
  for part in select conname as name from pg_constraint where conrelid = of_table and strpos(conname, old_name) > 0 loop
    execute format('alter table %s rename constraint %I to %I', of_table, part.name, replace(part.name, old_name, new_name));
  end loop;
  for part in
    select relname as name, oid::regclass as index from pg_class
    where oid in (select indexrelid from pg_index where indrelid = of_table) and strpos(relname, old_name) > 0
  loop
    execute format('alter index %s rename to %I', part.index, replace(part.name, old_name, new_name));
  end loop;
end
$$;

alter table managements rename to manager_grants;
select pg_temp.rename_parts('manager_grants', 'managements', 'manager_grants');

alter table supporter_notices rename to supporter_webhook_deliveries;
select pg_temp.rename_parts('supporter_webhook_deliveries', 'supporter_notices', 'supporter_webhook_deliveries');

alter table cloud_auth_secret rename column is_only to singleton;
select pg_temp.rename_parts('cloud_auth_secret', 'is_only', 'singleton');

alter table presence_life rename to presence_epoch;
alter table presence_epoch rename column is_only to singleton;
select pg_temp.rename_parts('presence_epoch', 'presence_life', 'presence_epoch');
select pg_temp.rename_parts('presence_epoch', 'is_only', 'singleton');

alter table leases rename column holder to owner_node_id;
alter table leases rename column until to expires_at;
select pg_temp.rename_parts('leases', 'holder', 'owner_node_id');
select pg_temp.rename_parts('leases', 'until', 'expires_at');

alter table protection_issues rename column ended_at to closed_at;
alter table list_history rename column looked to sampled_minutes;
select pg_temp.rename_parts('list_history', 'looked', 'sampled_minutes');

-- A later version compares `version` to find the nodes that must stop. It has no default, so an older node can't register.
delete from nodes;
alter table nodes rename column seen_at to heartbeat_at;
alter table nodes add column version text not null;
select pg_temp.rename_parts('nodes', 'seen_at', 'heartbeat_at');

alter table doomed_files rename to file_deletions;
alter table file_deletions rename column since to scheduled_at;
select pg_temp.rename_parts('file_deletions', 'doomed_files', 'file_deletions');
select pg_temp.rename_parts('file_deletions', 'since', 'scheduled_at');

drop trigger images_doom_file on images;
drop function doom_file();
create function schedule_file_deletion() returns trigger language plpgsql as $$
begin
  -- An update, not nothing: a sweep that just finished with this file must not swallow the new row.
  insert into file_deletions (file) values (old.file) on conflict (file) do update set scheduled_at = now();
  return null;
end
$$;
create trigger images_schedule_file_deletion after delete on images for each row execute function schedule_file_deletion();

alter table freed_vanity_ids rename to released_vanity_ids;
alter table released_vanity_ids rename column freed_by to released_by;
alter table released_vanity_ids rename column freed_at to released_at;
select pg_temp.rename_parts('released_vanity_ids', 'freed_vanity_ids', 'released_vanity_ids');
select pg_temp.rename_parts('released_vanity_ids', 'freed_by', 'released_by');
select pg_temp.rename_parts('released_vanity_ids', 'freed_at', 'released_at');

drop trigger servers_rest_vanity_id_changed on servers;
drop trigger servers_rest_vanity_id_deleted on servers;
drop function rest_vanity_id();
-- Starts the cooldown of a vanity id.
create function release_vanity_id() returns trigger language plpgsql as $$
begin
  insert into released_vanity_ids (digest, released_by) values (sha256(old.vanity_url::bytea), old.owner_id)
  on conflict (digest) do update set released_by = excluded.released_by, released_at = now();
  return null;
end
$$;
create trigger servers_vanity_id_changed after update of vanity_url on servers for each row
  when (old.vanity_url is not null and old.vanity_url is distinct from new.vanity_url) execute function release_vanity_id();
create trigger servers_vanity_id_deleted after delete on servers for each row
  when (old.vanity_url is not null) execute function release_vanity_id();

-- Triggers find a function by its id, so these renames need no more.
alter function keep_server_search_text() rename to set_server_search_text;
alter function keep_search_text_of_owned() rename to update_search_text_of_owned_servers;
alter function refuse_change_of_activity() rename to reject_activity_change;

-- Programs before 0006 read only this record. A step that they don't know stops their start.
do $$
begin
  if to_regclass('kysely_migration') is not null then
    insert into kysely_migration (name, timestamp) values ('0008_plain_names', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  end if;
end
$$;

drop function pg_temp.rename_parts(regclass, text, text);

-- compatible-with: 1.4
-- Versions for conditional changes, and a bin of deleted servers. The table of servers gets a new name, and `servers` is a view of those
-- that are not in the bin, so no query can show a deleted server by accident.

alter table servers rename to all_servers;
alter table all_servers
  add column version integer not null default 1,
  -- Since when the server is in the bin. Null outside it.
  add column deleted_at timestamptz;
alter table server_groups add column version integer not null default 1;
alter table benefit_settings add column version integer not null default 1;

create function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
create trigger all_servers_version before update on all_servers for each row
  when ((old.owner_id, old.name, old.description, old.language, old.tags, old.game_mode, old.website, old.visible, old.vanity_url, old.promoted,
    old.verified, old.group_id, old.icon_image_id, old.deleted_at) is distinct from (new.owner_id, new.name, new.description, new.language,
    new.tags, new.game_mode, new.website, new.visible, new.vanity_url, new.promoted, new.verified, new.group_id, new.icon_image_id,
    new.deleted_at))
  execute function raise_version();
create trigger server_groups_version before update on server_groups for each row
  when (old.name is distinct from new.name) execute function raise_version();
create trigger benefit_settings_version before update on benefit_settings for each row
  when (old.* is distinct from new.*) execute function raise_version();

-- The chosen servers belong to the settings. Within one transaction the time stays the same, so a save raises the version once.
create function touch_benefit_settings() returns trigger language plpgsql as $$
begin
  update benefit_settings b set updated_at = now() from changed c where b.user_id = c.user_id and b.key = c.key;
  return null;
end
$$;
create trigger benefit_settings_servers_added after insert on benefit_settings_servers
  referencing new table as changed for each statement execute function touch_benefit_settings();
create trigger benefit_settings_servers_removed after delete on benefit_settings_servers
  referencing old table as changed for each statement execute function touch_benefit_settings();

create view servers as
  select public_id, owner_id, name, name_key, name_key_version, description, language, tags, game_mode, website, visible, hidden_at,
    vanity_url, promoted, verified, banned, ban_reason, banned_at, banned_until, search_text, lower_tags, group_id, icon_image_id,
    created_at, updated_at, version
  from all_servers where deleted_at is null;

create view deleted_servers as select * from all_servers where deleted_at is not null;
create index all_servers_deleted_at on all_servers (deleted_at) where deleted_at is not null;

-- The name stays taken in the bin (`servers_name_key`). The vanity ID and the promotion do not.
alter table all_servers drop constraint servers_vanity_url_key;
-- Not implied by the condition of the view alone: otherwise a list could be planned as a scan of this index.
create unique index servers_vanity_url_key on all_servers (vanity_url) where vanity_url is not null and deleted_at is null;
drop index servers_one_promoted_for_each_owner;
create unique index servers_one_promoted_for_each_owner on all_servers (owner_id) where promoted and deleted_at is null;

-- The cooldown of a vanity ID starts when its server is deleted, not when the server leaves the bin.
drop trigger servers_vanity_id_changed on all_servers;
drop trigger servers_vanity_id_deleted on all_servers;
create trigger servers_vanity_id_changed after update of vanity_url on all_servers for each row
  when (old.deleted_at is null and old.vanity_url is not null and old.vanity_url is distinct from new.vanity_url)
  execute function release_vanity_id();
create trigger servers_vanity_id_binned after update of deleted_at on all_servers for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.vanity_url is not null) execute function release_vanity_id();
create trigger servers_vanity_id_deleted after delete on all_servers for each row
  when (old.deleted_at is null and old.vanity_url is not null) execute function release_vanity_id();

create or replace function update_search_text_of_owned_servers() returns trigger language plpgsql as $$
begin
  update all_servers set search_text = server_search_text(name, public_id, vanity_url, owner_id) where owner_id = new.id;
  return null;
end
$$;

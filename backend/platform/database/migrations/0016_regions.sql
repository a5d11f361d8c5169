-- compatible-with: 1.4
-- The region where a server runs, as its owner chose it. Empty if not set.
alter table all_servers
  add column region text not null default '' constraint servers_region_check check (region in ('', 'eu-west', 'eu-central', 'eu-north',
    'eu-east', 'na-east', 'na-west', 'na-central', 'sa', 'asia-east', 'asia-south', 'asia-southeast', 'oceania', 'middle-east', 'africa'));

-- The new column is the last one of both views.
create or replace view servers as
  select public_id, owner_id, name, name_key, name_key_version, description, language, tags, game_mode, website, visible, hidden_at,
    vanity_url, promoted, verified, banned, ban_reason, banned_at, banned_until, search_text, lower_tags, group_id, icon_image_id,
    created_at, updated_at, version, region
  from all_servers where deleted_at is null;
create or replace view deleted_servers as select * from all_servers where deleted_at is not null;

drop trigger all_servers_version on all_servers;
create trigger all_servers_version before update on all_servers for each row
  when ((old.owner_id, old.name, old.description, old.language, old.region, old.tags, old.game_mode, old.website, old.visible,
    old.vanity_url, old.promoted, old.verified, old.group_id, old.icon_image_id, old.deleted_at) is distinct from (new.owner_id, new.name,
    new.description, new.language, new.region, new.tags, new.game_mode, new.website, new.visible, new.vanity_url, new.promoted,
    new.verified, new.group_id, new.icon_image_id, new.deleted_at))
  execute function raise_version();

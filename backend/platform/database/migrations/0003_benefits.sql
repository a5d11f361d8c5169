-- What benefits unlock: pictures, groups, settings, vanity ids that rest, supporters, and the keys of cloud auth.

-- Uploaded pictures. Their bytes lie in a storage under `file`, a random name that is never used twice for other bytes. Two rows may
-- share one file: a server that changes hands takes its icon along as the new owner's own.
create table images (
  id uuid primary key,
  owner_id uuid not null references users,
  purpose text not null,
  file text not null,
  width integer not null,
  height integer not null,
  mime text not null,
  bytes integer not null,
  -- Came with a server that changed hands, or from a manager: the owner did not upload it, so it does not count against him.
  is_copy boolean not null default false,
  created_at timestamptz not null default now(),
  constraint images_with_owner unique (id, owner_id)
);
create index images_owner_id on images (owner_id);
create index images_file on images (file);
create index images_created_at on images (created_at);

-- Files that may have to go from the storage. An upload stands here before its bytes are written, so that a crash leaves no file that
-- nobody knows; whatever deletes a picture's row, its file is here in the same transaction. A sweep deletes those that no row has.
create table doomed_files (
  file text primary key,
  since timestamptz not null default now()
);

create function doom_file() returns trigger language plpgsql as $$
begin
  -- An update and not nothing: a sweep that is just done with the same file must not swallow this.
  insert into doomed_files (file) values (old.file) on conflict (file) do update set since = now();
  return null;
end
$$;
create trigger images_doom_file after delete on images for each row execute function doom_file();

create table server_groups (
  id uuid primary key,
  owner_id uuid not null references users,
  name text not null,
  created_at timestamptz not null default now(),
  constraint server_groups_with_owner unique (id, owner_id)
);
create index server_groups_owner_id on server_groups (owner_id, created_at);
create unique index server_groups_name_key on server_groups (owner_id, lower(name));

-- A group and an icon are the owner's own: the database lets no other in.
alter table servers
  add column group_id uuid,
  add column icon_image_id uuid,
  add constraint servers_group_of_owner foreign key (group_id, owner_id) references server_groups (id, owner_id) on delete set null (group_id),
  add constraint servers_icon_of_owner foreign key (icon_image_id, owner_id) references images (id, owner_id);
-- A vanity id may not be a public id in another spelling, so it is looked for here.
create index servers_public_id_lower on servers (lower(public_id));
create index servers_group_id on servers (group_id) where group_id is not null;
create index servers_icon_image_id on servers (icon_image_id) where icon_image_id is not null;

-- The settings of the benefits that have some, one row a user and benefit. Which columns count is the key's to say.
create table benefit_settings (
  user_id uuid not null references users,
  key text not null check (key in ('CUSTOM_BANNER', 'CUSTOM_JOIN_BACKGROUND', 'CUSTOM_LAUNCHER')),
  -- False with no row below: the servers it was for are gone, and it is for none.
  for_all boolean not null default true,
  image_id uuid,
  name text,
  primary_color text,
  background_image_id uuid,
  logo_image_id uuid,
  ui_background_image_id uuid,
  rss_url text,
  ui_url text,
  updated_at timestamptz not null default now(),
  primary key (user_id, key),
  foreign key (image_id, user_id) references images (id, owner_id),
  foreign key (background_image_id, user_id) references images (id, owner_id),
  foreign key (logo_image_id, user_id) references images (id, owner_id),
  foreign key (ui_background_image_id, user_id) references images (id, owner_id)
);

create table benefit_settings_servers (
  user_id uuid not null,
  key text not null,
  server_id text not null,
  primary key (user_id, key, server_id),
  foreign key (user_id, key) references benefit_settings (user_id, key) on delete cascade,
  foreign key (server_id, user_id) references servers (public_id, owner_id) on delete cascade
);
create index benefit_settings_servers_server on benefit_settings_servers (server_id, user_id);

-- A vanity id that was given up rests before somebody else may have it: players may still have it in their favourites.
create table freed_vanity_ids (
  -- SHA-256 of the id: people put their names into it, and it outlives them.
  digest bytea primary key,
  -- Whoever gave it up may take it back at any time. No reference: the row outlives him, without him.
  freed_by uuid,
  freed_at timestamptz not null default now()
);
create index freed_vanity_ids_freed_at on freed_vanity_ids (freed_at);
create index freed_vanity_ids_freed_by on freed_vanity_ids (freed_by) where freed_by is not null;

create function rest_vanity_id() returns trigger language plpgsql as $$
begin
  insert into freed_vanity_ids (digest, freed_by) values (sha256(old.vanity_url::bytea), old.owner_id)
  on conflict (digest) do update set freed_by = excluded.freed_by, freed_at = now();
  return null;
end
$$;
create trigger servers_rest_vanity_id_changed after update of vanity_url on servers for each row
  when (old.vanity_url is not null and old.vanity_url is distinct from new.vanity_url) execute function rest_vanity_id();
create trigger servers_rest_vanity_id_deleted after delete on servers for each row
  when (old.vanity_url is not null) execute function rest_vanity_id();

-- Who supports, and with which tier, as the services that take the money said last; also those who never signed in here.
create table supporters (
  provider text not null,
  -- The membership's id at the provider.
  member_id text not null,
  discord_id text,
  tier text,
  updated_at timestamptz not null default now(),
  primary key (provider, member_id)
);
create index supporters_discord_id on supporters (discord_id) where discord_id is not null;

-- Notices that were taken in, by the hash of their bytes: none counts twice, however late it comes again.
create table supporter_notices (
  provider text not null,
  digest bytea not null,
  received_at timestamptz not null default now(),
  primary key (provider, digest)
);

-- The keys that players' tickets are signed with. The newest that is old enough to be known everywhere signs.
create table cloud_auth_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);

-- From which a player's id on each owner's servers is made. It never changes, or every player would be somebody else.
create table cloud_auth_secret (
  is_only boolean primary key default true check (is_only),
  secret bytea not null
);

-- What each step was when it ran here: a step that was edited afterwards is told at the start, before anything goes wrong by it.
create table migration_digests (
  name text primary key,
  digest text not null
);

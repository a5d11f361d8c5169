-- The schema after all migrations, to read. Written by "npm run schema"; never edit or run it.
-- Changes are migrations, in backend/platform/database/migrations. The queue has a schema of its own.

create table activity (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  action text not null,
  role text not null,
  actor_id uuid,
  owner_id uuid,
  other_id uuid,
  server_id text,
  server_name text,
  before jsonb,
  after jsonb,
  api_key_name text,
  constraint activity_pkey PRIMARY KEY (id)
);
CREATE INDEX activity_action ON activity (action, id DESC);
CREATE INDEX activity_actor ON activity (actor_id, id DESC) WHERE ((actor_id IS NOT NULL) AND (role <> 'administrator'));
CREATE INDEX activity_administrator ON activity (actor_id, id DESC) WHERE (role = 'administrator');
CREATE INDEX activity_at ON activity USING brin (at);
CREATE INDEX activity_other ON activity (other_id, id DESC) WHERE (other_id IS NOT NULL);
CREATE INDEX activity_owner ON activity (owner_id, id DESC);
CREATE INDEX activity_role ON activity (role, id DESC);
CREATE INDEX activity_server ON activity (server_id, id DESC) WHERE (server_id IS NOT NULL);
CREATE INDEX activity_server_name ON activity (lower(server_name), id DESC) WHERE (server_name IS NOT NULL);
CREATE TRIGGER activity_append_only BEFORE DELETE OR UPDATE ON activity FOR EACH ROW EXECUTE FUNCTION reject_activity_change();
CREATE TRIGGER activity_no_truncate BEFORE TRUNCATE ON activity FOR EACH STATEMENT EXECUTE FUNCTION reject_activity_change();

create table all_servers (
  public_id text not null,
  owner_id uuid not null,
  name text not null,
  name_key text not null,
  description text not null default '',
  language text not null default 'all',
  tags text[] not null default '{}'::text[],
  game_mode text not null default '',
  website text not null default '',
  visible boolean not null default true,
  hidden_at timestamptz,
  vanity_url text,
  promoted boolean not null default false,
  verified boolean not null default false,
  banned boolean not null default false,
  ban_reason text,
  banned_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  group_id uuid,
  icon_image_id uuid,
  banned_until timestamptz,
  search_text text not null default '',
  lower_tags text[] not null generated always as (lower_tags(tags)) stored,
  name_key_version smallint not null default 1,
  version integer not null default 1,
  deleted_at timestamptz,
  region text not null default '',
  last_deleted_at timestamptz,
  address_policy text not null default 'bound',
  constraint servers_pkey PRIMARY KEY (public_id),
  constraint all_servers_address_policy_check CHECK (address_policy = ANY (ARRAY['bound', 'follow'])),
  constraint servers_group_of_owner FOREIGN KEY (group_id, owner_id) REFERENCES server_groups(id, owner_id) ON DELETE SET NULL (group_id),
  constraint servers_icon_of_owner FOREIGN KEY (icon_image_id, owner_id) REFERENCES images(id, owner_id),
  constraint servers_name_key UNIQUE (name_key),
  constraint servers_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint servers_public_id_check CHECK (public_id ~ '^[0-9A-Za-z]{7}$' AND public_id ~ '[A-Z]'),
  constraint servers_region_check CHECK (region = ANY (ARRAY['', 'eu-west', 'eu-central', 'eu-north', 'eu-east', 'na-east', 'na-west', 'na-central', 'sa', 'asia-east', 'asia-south', 'asia-southeast', 'oceania', 'middle-east', 'africa'])),
  constraint servers_with_owner UNIQUE (public_id, owner_id)
);
CREATE INDEX all_servers_deleted_at ON all_servers (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX servers_banned ON all_servers (created_at DESC, public_id DESC) WHERE banned;
CREATE INDEX servers_banned_until ON all_servers (banned_until) WHERE (banned_until IS NOT NULL);
CREATE INDEX servers_created_at ON all_servers (created_at DESC, public_id DESC);
CREATE INDEX servers_group_id ON all_servers (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX servers_icon_image_id ON all_servers (icon_image_id) WHERE (icon_image_id IS NOT NULL);
CREATE INDEX servers_lower_name ON all_servers (lower(name), public_id);
CREATE INDEX servers_name_key_version ON all_servers (name_key_version, created_at) WHERE (name_key_version < 3);
CREATE UNIQUE INDEX servers_one_promoted_for_each_owner ON all_servers (owner_id) WHERE (promoted AND (deleted_at IS NULL));
CREATE INDEX servers_owner_id ON all_servers (owner_id, created_at);
CREATE INDEX servers_public_id_lower ON all_servers (lower(public_id));
CREATE INDEX servers_search ON all_servers USING gin (search_text gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX servers_tags ON all_servers USING gin (lower_tags) WITH (fastupdate=off);
CREATE UNIQUE INDEX servers_vanity_url_key ON all_servers (vanity_url) WHERE ((vanity_url IS NOT NULL) AND (deleted_at IS NULL));
CREATE TRIGGER all_servers_version BEFORE UPDATE ON all_servers FOR EACH ROW EXECUTE FUNCTION raise_version('version', 'updated_at', 'name_key', 'name_key_version', 'search_text', 'lower_tags', 'banned', 'ban_reason', 'banned_at', 'banned_until', 'last_deleted_at');
CREATE TRIGGER servers_delete_restarts AFTER DELETE ON all_servers FOR EACH ROW EXECUTE FUNCTION delete_server_restarts();
CREATE TRIGGER servers_search_text BEFORE INSERT OR UPDATE OF name, vanity_url, owner_id ON all_servers FOR EACH ROW EXECUTE FUNCTION set_server_search_text();
CREATE TRIGGER servers_vanity_id_binned AFTER UPDATE OF deleted_at ON all_servers FOR EACH ROW WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL AND old.vanity_url IS NOT NULL) EXECUTE FUNCTION release_vanity_id();
CREATE TRIGGER servers_vanity_id_changed AFTER UPDATE OF vanity_url ON all_servers FOR EACH ROW WHEN (old.deleted_at IS NULL AND old.vanity_url IS NOT NULL AND old.vanity_url IS DISTINCT FROM new.vanity_url) EXECUTE FUNCTION release_vanity_id();
CREATE TRIGGER servers_vanity_id_deleted AFTER DELETE ON all_servers FOR EACH ROW WHEN (old.deleted_at IS NULL AND old.vanity_url IS NOT NULL) EXECUTE FUNCTION release_vanity_id();

create table announce_attempts (
  id bigint not null generated always as identity,
  server_id text not null,
  at timestamptz not null,
  code text not null,
  detail text not null default '',
  address inet not null,
  constraint announce_attempts_pkey PRIMARY KEY (id),
  constraint announce_attempts_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE
);
CREATE INDEX announce_attempts_server ON announce_attempts (server_id, id DESC);

create table api_keys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash UNIQUE (hash),
  constraint api_keys_hash_check CHECK (octet_length(hash) = 32),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) > 0),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX api_keys_retention ON api_keys (COALESCE(revoked_at, expires_at));
CREATE INDEX api_keys_user_id ON api_keys (user_id);

create table benefit_grants (
  user_id uuid not null,
  key text not null,
  granted_at timestamptz not null default now(),
  constraint benefit_grants_pkey PRIMARY KEY (user_id, key),
  constraint benefit_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX benefit_grants_key ON benefit_grants (key, user_id);

create table benefit_settings (
  user_id uuid not null,
  key text not null,
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
  version integer not null default 1,
  constraint benefit_settings_pkey PRIMARY KEY (user_id, key),
  constraint benefit_settings_background_image_id_user_id_fkey FOREIGN KEY (background_image_id, user_id) REFERENCES images(id, owner_id),
  constraint benefit_settings_image_id_user_id_fkey FOREIGN KEY (image_id, user_id) REFERENCES images(id, owner_id),
  constraint benefit_settings_key_check CHECK (key = ANY (ARRAY['CUSTOM_BANNER', 'CUSTOM_JOIN_BACKGROUND', 'CUSTOM_LAUNCHER'])),
  constraint benefit_settings_logo_image_id_user_id_fkey FOREIGN KEY (logo_image_id, user_id) REFERENCES images(id, owner_id),
  constraint benefit_settings_ui_background_image_id_user_id_fkey FOREIGN KEY (ui_background_image_id, user_id) REFERENCES images(id, owner_id),
  constraint benefit_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE TRIGGER benefit_settings_version BEFORE UPDATE ON benefit_settings FOR EACH ROW EXECUTE FUNCTION raise_version('version');

create table benefit_settings_servers (
  user_id uuid not null,
  key text not null,
  server_id text not null,
  constraint benefit_settings_servers_pkey PRIMARY KEY (user_id, key, server_id),
  constraint benefit_settings_servers_server_id_user_id_fkey FOREIGN KEY (server_id, user_id) REFERENCES all_servers(public_id, owner_id) ON DELETE CASCADE,
  constraint benefit_settings_servers_user_id_key_fkey FOREIGN KEY (user_id, key) REFERENCES benefit_settings(user_id, key) ON DELETE CASCADE
);
CREATE INDEX benefit_settings_servers_server ON benefit_settings_servers (server_id, user_id);
CREATE TRIGGER benefit_settings_servers_added AFTER INSERT ON benefit_settings_servers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_benefit_settings();
CREATE TRIGGER benefit_settings_servers_removed AFTER DELETE ON benefit_settings_servers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION touch_benefit_settings();

create table cloud_auth_keys (
  kid text not null,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  constraint cloud_auth_keys_pkey PRIMARY KEY (kid)
);

create table cloud_auth_secret (
  singleton boolean not null default true,
  secret bytea not null,
  constraint cloud_auth_secret_pkey PRIMARY KEY (singleton),
  constraint cloud_auth_secret_singleton_check CHECK (singleton)
);

create table credential_addresses (
  credential_id uuid not null,
  address inet not null,
  family smallint not null generated always as ((family(address))::smallint) stored,
  bound_at timestamptz not null,
  constraint credential_addresses_pkey PRIMARY KEY (credential_id, family),
  constraint credential_addresses_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credentials(id) ON DELETE CASCADE
);
CREATE INDEX credential_addresses_address ON credential_addresses (address);

create table credential_uses (
  credential_id uuid not null,
  last_used_at timestamptz,
  constraint credential_uses_pkey PRIMARY KEY (credential_id),
  constraint credential_uses_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credentials(id) ON DELETE CASCADE
);

create table credentials (
  id uuid not null,
  server_id text,
  hash bytea not null,
  hint text not null,
  issued_at timestamptz not null default now(),
  grace_until timestamptz,
  revoked_at timestamptz,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_hash_key UNIQUE (hash),
  constraint credentials_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX credentials_one_current_for_each_server ON credentials (server_id) WHERE ((revoked_at IS NULL) AND (grace_until IS NULL));
CREATE INDEX credentials_server_id ON credentials (server_id, issued_at DESC);

create table discord_url_limits (
  url_digest bytea not null,
  sent_at timestamptz[] not null default '{}'::timestamptz[],
  blocked_until timestamptz,
  constraint discord_url_limits_pkey PRIMARY KEY (url_digest)
);

create table endpoint_proofs (
  server_id text not null,
  host text not null,
  port integer not null,
  addresses inet[] not null,
  is_name_proven boolean not null,
  proven_at timestamptz,
  failure text not null default '',
  failed_at timestamptz,
  constraint endpoint_proofs_pkey PRIMARY KEY (server_id),
  constraint endpoint_proofs_check CHECK ((failure = '') = (failed_at IS NULL)),
  constraint endpoint_proofs_failure_check CHECK (failure = ANY (ARRAY['', 'UNRESOLVED', 'PRIVATE', 'REFUSED', 'TIMEOUT', 'WRONG_ANSWER', 'UNREACHABLE'])),
  constraint endpoint_proofs_port_check CHECK (port >= 1 AND port <= 65535),
  constraint endpoint_proofs_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE
);

create table erased_users (
  digest bytea not null,
  erased_at timestamptz not null default now(),
  constraint erased_users_pkey PRIMARY KEY (digest)
);

create table file_deletions (
  file text not null,
  scheduled_at timestamptz not null default now(),
  constraint file_deletions_pkey PRIMARY KEY (file)
);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  name text not null,
  roles text[] not null default '{}'::text[],
  created_at timestamptz not null default now(),
  last_signed_in_at timestamptz not null default now(),
  constraint identities_pkey PRIMARY KEY (issuer, subject),
  constraint identities_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 32),
  constraint identities_subject_check CHECK (char_length(subject) >= 1 AND char_length(subject) <= 255),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint identities_user_id_issuer_key UNIQUE (user_id, issuer)
);

create table images (
  id uuid not null,
  owner_id uuid not null,
  purpose text not null,
  file text not null,
  width integer not null,
  height integer not null,
  mime text not null,
  bytes integer not null,
  is_copy boolean not null default false,
  created_at timestamptz not null default now(),
  constraint images_pkey PRIMARY KEY (id),
  constraint images_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint images_with_owner UNIQUE (id, owner_id)
);
CREATE INDEX images_created_at ON images (created_at);
CREATE INDEX images_file ON images (file);
CREATE INDEX images_owner_id ON images (owner_id);
CREATE TRIGGER images_schedule_file_deletion AFTER DELETE ON images FOR EACH ROW EXECUTE FUNCTION schedule_file_deletion();

create table leases (
  name text not null,
  owner_node_id uuid not null,
  expires_at timestamptz not null,
  constraint leases_pkey PRIMARY KEY (name)
);

create table list_buckets (
  bucket_minutes smallint not null,
  at timestamptz not null,
  sampled smallint not null,
  players bigint not null,
  servers bigint not null,
  players_highest integer not null,
  servers_highest integer not null,
  constraint list_buckets_pkey PRIMARY KEY (bucket_minutes, at)
);

create table manager_grants (
  id uuid not null,
  owner_id uuid not null,
  manager_id uuid not null,
  permissions text[] not null,
  created_at timestamptz not null default now(),
  constraint manager_grants_pkey PRIMARY KEY (id),
  constraint manager_grants_check CHECK (owner_id <> manager_id),
  constraint manager_grants_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES users(id),
  constraint manager_grants_one_for_each_pair UNIQUE (owner_id, manager_id),
  constraint manager_grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint manager_grants_permissions_check CHECK (cardinality(permissions) > 0)
);
CREATE INDEX manager_grants_manager_id ON manager_grants (manager_id);

create table migration_digests (
  name text not null,
  digest text not null,
  constraint migration_digests_pkey PRIMARY KEY (name)
);

create unlogged table nodes (
  id uuid not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  version text not null,
  schema_level integer,
  figures jsonb,
  constraint nodes_pkey PRIMARY KEY (id)
);

create table notifications (
  id uuid not null,
  user_id uuid not null,
  type text not null,
  actor_id uuid,
  server_id text,
  server_name text,
  data jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_pkey PRIMARY KEY (id)
);
CREATE INDEX notifications_actor ON notifications (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX notifications_created_at ON notifications (created_at);
CREATE INDEX notifications_server ON notifications (server_id) WHERE (server_id IS NOT NULL);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE (read_at IS NULL);
CREATE INDEX notifications_user ON notifications (user_id, id DESC);

create table pinned_servers (
  user_id uuid not null,
  server_id text not null,
  pinned_at timestamptz not null default now(),
  constraint pinned_servers_pkey PRIMARY KEY (user_id, server_id),
  constraint pinned_servers_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE,
  constraint pinned_servers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX pinned_servers_server ON pinned_servers (server_id);

create table player_buckets (
  at timestamptz not null,
  players integer not null,
  highest smallint not null,
  online smallint not null,
  sampled smallint not null,
  bucket_minutes smallint not null,
  server_id text not null,
  constraint player_buckets_pkey PRIMARY KEY (server_id, bucket_minutes, at),
  constraint player_buckets_bucket_minutes_check CHECK (bucket_minutes = ANY (ARRAY[5, 60, 1440])),
  constraint player_buckets_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE
);
CREATE INDEX player_buckets_at ON player_buckets (bucket_minutes, at);

create table preferences (
  user_id uuid not null,
  language text,
  time_zone text,
  theme text not null default 'system',
  notifications jsonb not null default '{}'::jsonb,
  updated_at timestamptz not null default now(),
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_notifications_check CHECK (jsonb_typeof(notifications) = 'object'),
  constraint preferences_theme_check CHECK (theme = ANY (ARRAY['system', 'dark', 'light'])),
  constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table presence (
  server_id text not null,
  online boolean not null,
  since timestamptz not null,
  ended_by text not null default '',
  last_announce_at timestamptz not null,
  address inet not null,
  credential_id uuid,
  announce jsonb not null,
  changed_at timestamptz not null,
  registered_at timestamptz not null,
  players integer not null generated always as (
CASE
    WHEN online THEN COALESCE(((announce ->> 'playersCount'))::integer, 0)
    ELSE '-1'::integer
END) stored,
  other_address inet,
  endpoint_since timestamptz,
  constraint presence_pkey PRIMARY KEY (server_id),
  constraint presence_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credentials(id) ON DELETE SET NULL,
  constraint presence_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE
);
CREATE INDEX presence_address ON presence (address);
CREATE INDEX presence_credential_id ON presence (credential_id) WHERE (credential_id IS NOT NULL);
CREATE INDEX presence_online ON presence (online, registered_at DESC, server_id DESC);
CREATE INDEX presence_players ON presence (players DESC, server_id DESC);
CREATE TRIGGER presence_restart AFTER UPDATE ON presence FOR EACH ROW WHEN (new.online AND (NOT old.online OR (old.announce ->> 'version') IS DISTINCT FROM (new.announce ->> 'version'))) EXECUTE FUNCTION record_server_restart();

create table protection_issues (
  id uuid not null,
  user_id uuid not null,
  server_id text,
  server_name text not null default '',
  kind text not null,
  severity text not null,
  severity_rank smallint not null generated always as (
CASE severity
    WHEN 'HIGH' THEN 3
    WHEN 'MEDIUM' THEN 2
    ELSE 1
END) stored,
  fingerprint text not null default '',
  status text not null default 'OPEN',
  is_open boolean not null generated always as ((status = ANY (ARRAY['OPEN', 'ACKNOWLEDGED']))) stored,
  consequence text not null default 'NOTICE',
  consequence_at timestamptz not null default now(),
  is_consequence_chosen boolean not null default false,
  summary text not null,
  evidence jsonb not null,
  occurrences bigint not null default 1,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  is_visible_to_owner boolean not null default true,
  constraint protection_issues_pkey PRIMARY KEY (id),
  constraint protection_issues_consequence_check CHECK (consequence = ANY (ARRAY['NOTICE', 'UNRANKED', 'UNLISTED'])),
  constraint protection_issues_status_check CHECK (status = ANY (ARRAY['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'])),
  constraint protection_issues_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX protection_issues_first_seen ON protection_issues (first_seen_at DESC, id DESC);
CREATE INDEX protection_issues_kind ON protection_issues (kind, last_seen_at DESC);
CREATE INDEX protection_issues_last_seen ON protection_issues (last_seen_at DESC, id DESC);
CREATE INDEX protection_issues_occurrences ON protection_issues (occurrences DESC, id DESC);
CREATE UNIQUE INDEX protection_issues_one_open ON protection_issues (kind, user_id, COALESCE(server_id, ''), fingerprint) WHERE (status = ANY (ARRAY['OPEN', 'ACKNOWLEDGED']));
CREATE INDEX protection_issues_open ON protection_issues (kind, last_seen_at) WHERE (status = ANY (ARRAY['OPEN', 'ACKNOWLEDGED']));
CREATE INDEX protection_issues_server ON protection_issues (server_id, last_seen_at DESC) WHERE (server_id IS NOT NULL);
CREATE INDEX protection_issues_server_name ON protection_issues (lower(server_name));
CREATE INDEX protection_issues_severity ON protection_issues (severity_rank DESC, last_seen_at DESC, id DESC);
CREATE INDEX protection_issues_status ON protection_issues (status, last_seen_at DESC);
CREATE INDEX protection_issues_user ON protection_issues (user_id, last_seen_at DESC);

create table protection_timeline (
  id bigint not null generated always as identity,
  issue_id uuid not null,
  at timestamptz not null default now(),
  kind text not null,
  by text not null,
  actor_id uuid,
  status text,
  consequence text,
  text text not null default '',
  constraint protection_timeline_pkey PRIMARY KEY (id),
  constraint protection_timeline_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES protection_issues(id) ON DELETE CASCADE
);
CREATE INDEX protection_timeline_actor ON protection_timeline (actor_id) WHERE (actor_id IS NOT NULL);
CREATE INDEX protection_timeline_issue ON protection_timeline (issue_id, id);

create table recovery_links (
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint recovery_links_pkey PRIMARY KEY (user_id),
  constraint recovery_links_token_hash_check CHECK (octet_length(token_hash) = 32),
  constraint recovery_links_token_hash_key UNIQUE (token_hash),
  constraint recovery_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table released_vanity_ids (
  digest bytea not null,
  released_by uuid,
  released_at timestamptz not null default now(),
  constraint released_vanity_ids_pkey PRIMARY KEY (digest)
);
CREATE INDEX released_vanity_ids_released_at ON released_vanity_ids (released_at);
CREATE INDEX released_vanity_ids_released_by ON released_vanity_ids (released_by) WHERE (released_by IS NOT NULL);

create table remembered_bans (
  owner_id uuid not null,
  name_key text not null,
  bound_address inet,
  ban_reason text,
  banned_at timestamptz not null,
  banned_until timestamptz,
  other_address inet,
  constraint remembered_bans_pkey PRIMARY KEY (owner_id, name_key),
  constraint remembered_bans_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);

create table schema_migrations (
  name text not null,
  digest text not null,
  compatible_with text not null,
  applied_at timestamptz not null default now(),
  compatible_level integer,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table server_groups (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  constraint server_groups_pkey PRIMARY KEY (id),
  constraint server_groups_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint server_groups_with_owner UNIQUE (id, owner_id)
);
CREATE UNIQUE INDEX server_groups_name_key ON server_groups (owner_id, lower(name));
CREATE INDEX server_groups_owner_id ON server_groups (owner_id, created_at);
CREATE TRIGGER server_groups_version BEFORE UPDATE ON server_groups FOR EACH ROW EXECUTE FUNCTION raise_version('version');

create table server_reports (
  id uuid not null,
  server_id text not null,
  user_id uuid not null,
  reason text not null,
  details text not null default '',
  created_at timestamptz not null,
  issue_id uuid,
  is_counted boolean not null,
  outcome text,
  decided_at timestamptz,
  constraint server_reports_pkey PRIMARY KEY (id),
  constraint server_reports_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES protection_issues(id) ON DELETE SET NULL,
  constraint server_reports_outcome_check CHECK (outcome = ANY (ARRAY['upheld', 'dismissed'])),
  constraint server_reports_reason_check CHECK (reason = ANY (ARRAY['fake_players', 'impersonation', 'malicious', 'offensive', 'other'])),
  constraint server_reports_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE,
  constraint server_reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX server_reports_decided_at ON server_reports (decided_at) WHERE (outcome IS NOT NULL);
CREATE INDEX server_reports_issue ON server_reports (issue_id, id DESC) WHERE (issue_id IS NOT NULL);
CREATE INDEX server_reports_server ON server_reports (server_id);
CREATE INDEX server_reports_user ON server_reports (user_id, created_at DESC);

create table server_restarts (
  server_id text not null,
  at timestamptz not null,
  version text not null,
  previous_version text not null,
  offline_since timestamptz,
  constraint server_restarts_pkey PRIMARY KEY (server_id, at)
);
CREATE INDEX server_restarts_at ON server_restarts (at);

create table server_watch_states (
  webhook_id uuid,
  server_id text not null,
  user_id uuid,
  is_offline boolean not null,
  is_listed boolean not null,
  is_above boolean not null,
  binding text,
  is_shared boolean not null default false,
  constraint server_watch_states_server_id_fkey FOREIGN KEY (server_id) REFERENCES all_servers(public_id) ON DELETE CASCADE,
  constraint server_watch_states_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint server_watch_states_webhook_id_server_id_key UNIQUE NULLS NOT DISTINCT (webhook_id, server_id)
);
CREATE INDEX server_watch_states_server_id ON server_watch_states (server_id);
CREATE INDEX server_watch_states_user_id ON server_watch_states (user_id);

create table sessions (
  id_hash bytea not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id uuid not null default gen_random_uuid(),
  last_seen_at timestamptz not null default now(),
  browser text,
  os text,
  masked_address text,
  constraint sessions_pkey PRIMARY KEY (id_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_user_id ON sessions (user_id);

create table supporter_webhook_deliveries (
  provider text not null,
  digest bytea not null,
  received_at timestamptz not null default now(),
  constraint supporter_webhook_deliveries_pkey PRIMARY KEY (provider, digest)
);

create table supporters (
  provider text not null,
  member_id text not null,
  discord_id text,
  tier text,
  updated_at timestamptz not null default now(),
  constraint supporters_pkey PRIMARY KEY (provider, member_id)
);
CREATE INDEX supporters_discord_id ON supporters (discord_id) WHERE (discord_id IS NOT NULL);

create table transfers (
  id uuid not null,
  server_id text not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint transfers_pkey PRIMARY KEY (id),
  constraint transfers_check CHECK (from_user_id <> to_user_id),
  constraint transfers_from_user_id_fkey FOREIGN KEY (from_user_id) REFERENCES users(id),
  constraint transfers_one_for_each_server UNIQUE (server_id),
  constraint transfers_server_id_from_user_id_fkey FOREIGN KEY (server_id, from_user_id) REFERENCES all_servers(public_id, owner_id) ON DELETE CASCADE,
  constraint transfers_to_user_id_fkey FOREIGN KEY (to_user_id) REFERENCES users(id)
);
CREATE INDEX transfers_expires_at ON transfers (expires_at);
CREATE INDEX transfers_from_user_id ON transfers (from_user_id);
CREATE INDEX transfers_to_user_id ON transfers (to_user_id);

create table used_sign_in_states (
  state_hash bytea not null,
  expires_at timestamptz not null,
  constraint used_sign_in_states_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX used_sign_in_states_expires_at ON used_sign_in_states (expires_at);

create table users (
  id uuid not null,
  discord_id text not null,
  username text not null,
  avatar text,
  owned_tier text,
  forced_tier text,
  max_servers integer,
  max_managers integer,
  max_groups integer,
  banned boolean not null default false,
  ban_reason text,
  banned_at timestamptz,
  delete_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  signed_in_at timestamptz not null default now(),
  banned_until timestamptz,
  search_text text not null generated always as (lower(((username || ' ') || discord_id))) stored,
  active_tier text generated always as (COALESCE(forced_tier, owned_tier)) stored,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_discord_id_key UNIQUE (discord_id),
  constraint users_max_groups_check CHECK (max_groups >= 0),
  constraint users_max_managers_check CHECK (max_managers >= 0),
  constraint users_max_servers_check CHECK (max_servers >= 0)
);
CREATE INDEX users_active_tier ON users (active_tier, created_at DESC, id DESC) WHERE (active_tier IS NOT NULL);
CREATE INDEX users_banned ON users (created_at DESC, id DESC) WHERE banned;
CREATE INDEX users_banned_until ON users (banned_until) WHERE (banned_until IS NOT NULL);
CREATE INDEX users_created_at ON users (created_at DESC, id DESC);
CREATE INDEX users_delete_at ON users (delete_at) WHERE (delete_at IS NOT NULL);
CREATE INDEX users_lower_username ON users (lower(username), id);
CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX users_signed_in_at ON users (signed_in_at DESC, id DESC);
CREATE INDEX users_username ON users (lower(username), signed_in_at DESC);
CREATE TRIGGER users_remember_erasure AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION remember_erased_user();
CREATE TRIGGER users_search_text AFTER UPDATE OF username ON users FOR EACH ROW WHEN (old.username IS DISTINCT FROM new.username) EXECUTE FUNCTION update_search_text_of_owned_servers();

create table webhook_deliveries (
  id uuid not null,
  seq bigint not null generated always as identity,
  webhook_id uuid not null,
  event_id text not null,
  event_type text not null,
  body text not null,
  state text not null default 'pending',
  attempt integer not null default 0,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  next_attempt_at timestamptz,
  duration_ms integer,
  request_headers jsonb not null default '{}'::jsonb,
  response_status integer,
  response_body text,
  error text,
  traceparent text,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_event UNIQUE (webhook_id, event_id),
  constraint webhook_deliveries_state_check CHECK (state = ANY (ARRAY['pending', 'succeeded', 'failed'])),
  constraint webhook_deliveries_traceparent_check CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, next_attempt_at, seq) WHERE (state = 'pending');
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, seq);

create table webhooks (
  id uuid not null,
  owner_id uuid,
  name text not null,
  kind text not null,
  url text not null,
  events text[] not null,
  server_ids text[] not null,
  offline_after_seconds integer not null,
  players_above integer,
  enabled boolean not null default true,
  disabled_reason text,
  secret text,
  previous_secret text,
  previous_secret_until timestamptz,
  watching_since timestamptz not null default now(),
  failing_since timestamptz,
  last_attempt_at timestamptz,
  last_status integer,
  created_at timestamptz not null default now(),
  older_secrets jsonb not null default '[]'::jsonb,
  paused_until timestamptz,
  claimed_until timestamptz,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_events_check CHECK (cardinality(events) > 0),
  constraint webhooks_kind_check CHECK (kind = ANY (ARRAY['standard', 'discord'])),
  constraint webhooks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint webhooks_secret CHECK (owner_id IS NULL OR (kind = 'standard') = (secret IS NOT NULL))
);
CREATE INDEX webhooks_owner_id ON webhooks (owner_id, created_at);

create view deleted_servers as
 SELECT public_id,
    owner_id,
    name,
    name_key,
    description,
    language,
    tags,
    game_mode,
    website,
    visible,
    hidden_at,
    vanity_url,
    promoted,
    verified,
    banned,
    ban_reason,
    banned_at,
    created_at,
    updated_at,
    group_id,
    icon_image_id,
    banned_until,
    search_text,
    lower_tags,
    name_key_version,
    version,
    deleted_at,
    region,
    last_deleted_at,
    address_policy
   FROM all_servers
  WHERE deleted_at IS NOT NULL;

create view servers as
 SELECT public_id,
    owner_id,
    name,
    name_key,
    description,
    language,
    tags,
    game_mode,
    website,
    visible,
    hidden_at,
    vanity_url,
    promoted,
    verified,
    banned,
    ban_reason,
    banned_at,
    created_at,
    updated_at,
    group_id,
    icon_image_id,
    banned_until,
    search_text,
    lower_tags,
    name_key_version,
    version,
    deleted_at,
    region,
    last_deleted_at,
    address_policy
   FROM all_servers
  WHERE deleted_at IS NULL;

CREATE OR REPLACE FUNCTION delete_server_restarts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from server_restarts where server_id = old.public_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION lower_tags(tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(tags)::text[]
$function$;

CREATE OR REPLACE FUNCTION raise_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if to_jsonb(old) - tg_argv::text[] is distinct from to_jsonb(new) - tg_argv::text[] then new.version := old.version + 1; end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION record_server_restart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  restarted_at timestamptz := case when old.online then new.changed_at else new.since end;
begin
  if exists (select from server_restarts where server_id = new.server_id and at > restarted_at - interval '1 minute') then
    return null;
  end if;
  insert into server_restarts (server_id, at, version, previous_version, offline_since)
  values (
    new.server_id,
    restarted_at,
    coalesce(new.announce ->> 'version', ''),
    coalesce(old.announce ->> 'version', ''),
    case when old.online then null else old.since end
  )
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION refresh_server_views()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  create or replace view servers as select * from all_servers where deleted_at is null;
  create or replace view deleted_servers as select * from all_servers where deleted_at is not null;
end
$function$;

CREATE OR REPLACE FUNCTION reject_activity_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  days integer;
begin
  if tg_op = 'UPDATE' and current_setting('muster.erasing', true) = 'on' then
    return new;
  end if;
  if tg_op = 'DELETE' then
    days := nullif(current_setting('muster.audit_days', true), '')::integer;
    if days >= 30 and old.at < now() - make_interval(days => days) then
      return old;
    end if;
  end if;
  raise exception 'The audit log is append-only.';
end
$function$;

CREATE OR REPLACE FUNCTION release_vanity_id()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into released_vanity_ids (digest, released_by) values (sha256(old.vanity_url::bytea), old.owner_id)
  on conflict (digest) do update set released_by = excluded.released_by, released_at = now();
  delete from released_vanity_ids where digest in (
    select digest from released_vanity_ids where released_by = old.owner_id order by released_at desc, digest offset 3);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION remember_erased_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from erased_users where erased_at < now() - interval '1 year';
  insert into erased_users (digest) values (sha256(convert_to(old.id, 'UTF8'))) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION schedule_file_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- An update, not nothing: a sweep that just finished with this file must not swallow the new row.
  insert into file_deletions (file) values (old.file) on conflict (file) do update set scheduled_at = now();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION server_search_text(name text, public_id text, vanity_url text, owner uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select lower(concat_ws(' ', $1, $2, $3, u.username, u.discord_id)) from users u where u.id = $4
$function$;

CREATE OR REPLACE FUNCTION set_server_search_text()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search_text := coalesce(server_search_text(new.name, new.public_id, new.vanity_url, new.owner_id), '');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION touch_benefit_settings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update benefit_settings b set updated_at = now() from changed c where b.user_id = c.user_id and b.key = c.key;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION update_search_text_of_owned_servers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update all_servers set search_text = server_search_text(name, public_id, vanity_url, owner_id) where owner_id = new.id;
  return null;
end
$function$;

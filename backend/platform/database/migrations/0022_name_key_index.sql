-- compatible-with-level: 17
-- The job that refreshes name keys looks for those of an earlier version of the rule.
drop index servers_name_key_version;
create index servers_name_key_version on all_servers (name_key_version, created_at) where name_key_version < 3;

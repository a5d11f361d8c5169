-- compatible-with: 1.3
-- By which version of the program's rule `name_key` was made. A job brings older ones up to date (features/servers/refresh-name-keys.ts).
alter table servers add column name_key_version smallint not null default 1;
create index servers_name_key_version on servers (name_key_version, created_at) where name_key_version < 2;

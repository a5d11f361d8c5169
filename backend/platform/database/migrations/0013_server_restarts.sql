-- compatible-with: 1.4
-- When a server came back online, or announced another version.
create table server_restarts (
  -- Without a foreign key: its check would lock the server's row, and an announce must not wait for a user's transaction.
  server_id text not null,
  at timestamptz not null,
  version text not null,
  previous_version text not null,
  -- Null if the version changed while the server was online.
  offline_since timestamptz,
  primary key (server_id, at)
);
create index server_restarts_at on server_restarts (at);

-- At most one row a minute for each server. Otherwise a server that changes its version with each announce would fill the table.
create function record_server_restart() returns trigger language plpgsql as $$
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
end $$;

create trigger presence_restart after update on presence for each row
  when (new.online and (not old.online or old.announce ->> 'version' is distinct from new.announce ->> 'version'))
  execute function record_server_restart();

create function delete_server_restarts() returns trigger language plpgsql as $$
begin
  delete from server_restarts where server_id = old.public_id;
  return null;
end $$;

create trigger servers_delete_restarts after delete on all_servers for each row execute function delete_server_restarts();

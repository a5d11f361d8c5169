-- compatible-with-level: 17
-- A migration that adds a column to `all_servers` ends with `select refresh_server_views();`. PostgreSQL expands `*` only once.
create function refresh_server_views() returns void language plpgsql as $$
begin
  create or replace view servers as select * from all_servers where deleted_at is null;
  create or replace view deleted_servers as select * from all_servers where deleted_at is not null;
end
$$;
drop view servers;
select refresh_server_views();

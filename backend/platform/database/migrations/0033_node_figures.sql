-- compatible-with-level: 17
-- What each node knows of itself, for the status page. Null for nodes of older programs.
alter table nodes add column figures jsonb;

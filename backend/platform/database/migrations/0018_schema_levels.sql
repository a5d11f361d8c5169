-- compatible-with-level: 17
-- The level of each node's program. Nodes of older programs store none.
alter table nodes add column schema_level integer;

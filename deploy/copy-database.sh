#!/bin/sh
# Copies everything that Muster keeps from one database to another: deploy/copy-database.sh FROM TO
# FROM and TO are what psql takes: a URL, or "host=… user=… dbname=…". TO has the schema already (npm run muster -- migrate)
# and holds nothing yet. It is one snapshot and one transaction: TO gets all or nothing. How to use it: docs/operating.md.
set -eu
from=$1
to=$2

# What belongs to one installation of the program, and not to its data.
own="'schema_migrations', 'kysely_migration', 'kysely_migration_lock', 'migration_digests', 'nodes', 'leases', 'presence_epoch', 'presence_life'"

# Tables in an order in which each refers only to those before it, with the columns that are not generated.
tables=$(psql "$from" -XAt -F' ' -v ON_ERROR_STOP=1 -c "
  with recursive depth (id, level) as (
    select oid, 0 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ($own)
    union
    select conrelid, level + 1 from depth join pg_constraint on confrelid = id and contype = 'f' and conrelid <> confrelid where level < 20)
  select id::regclass, string_agg(quote_ident(attname), ',' order by attnum)
  from (select id, max(level) as level from depth group by id) as tables
  join pg_attribute on attrelid = id and attnum > 0 and not attisdropped and attgenerated = ''
  group by id, level order by level, id::regclass::text")

script() {
  echo "begin;"
  {
    echo "begin isolation level repeatable read read only;"
    echo "$tables" | while read -r table columns; do
      printf '%s\n' "\\echo copy $table '($columns)' from stdin;" "copy $table ($columns) to stdout;" "\\echo '\\\\.'"
    done
    echo "commit;"
  } | psql "$from" -Xq -v ON_ERROR_STOP=1
  # Columns that count up go on where they were.
  psql "$from" -XAt -v ON_ERROR_STOP=1 -c "
    select format('select setval(%L, %s, %L);', sequencename, coalesce(last_value, 1), last_value is not null)
    from pg_sequences where schemaname = 'public'"
  echo "commit;"
}

umask 077
file=$(mktemp)
trap 'rm -f "$file"' EXIT
script > "$file"
psql "$to" -Xq -o /dev/null -v ON_ERROR_STOP=1 -f "$file"
echo "Copied $(echo "$tables" | wc -l) tables."

#!/bin/sh
# Copies all data of Muster from one database to another: deploy/copy-database.sh FROM TO
# FROM and TO are as for psql: a URL, or "host=… user=… dbname=…". TO must have the schema (npm run muster -- migrate) and no data.
# It reads one snapshot and writes one transaction: TO gets everything or nothing. How to use it: docs/operating.md.
set -eu
from=$1
to=$2

# Tables that describe the database or its nodes. They are not copied.
own="'schema_migrations', 'kysely_migration', 'kysely_migration_lock', 'migration_digests', 'nodes', 'leases'"

# The tables, each after those that it references, with their columns that are not generated.
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
  # Sequences continue where they were.
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

/** `npm run schema` writes schema.sql and tables.generated.ts: the schema after all migrations, as Postgres describes it. A test says when they are out of date. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { type Db, connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'

const FOLDER = join(import.meta.dirname, '../../backend/platform/database')
export const SCHEMA_FILE = join(FOLDER, 'schema.sql')
export const TYPES_FILE = join(FOLDER, 'tables.generated.ts')

const HEADER = `-- The schema after all migrations, to read. Written by "npm run schema"; never edit or run it.
-- Changes are migrations, in backend/platform/database/migrations. The queue has a schema of its own.
`

/** Each column: its type, default and constraint, in the order of the table. */
const COLUMNS = sql`
  select c.relname as table, c.relpersistence = 'u' as is_unlogged, string_agg(
    format('  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> 0 and a.attcollation <> t.typcollation then format(' collate %I', co.collname) else '' end,
      case when a.attnotnull then ' not null' else '' end,
      case when a.attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when a.attidentity <> '' then ' generated always as identity'
        when d.oid is not null then format(' default %s', pg_get_expr(d.adbin, d.adrelid)) else '' end),
    E',\n' order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_collation co on co.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  group by c.oid order by c.relname`

/** Primary keys first, then the others by name. */
const CONSTRAINTS = sql`
  select conrelid::regclass::text as table, format('  constraint %I %s', conname, pg_get_constraintdef(oid, true)) as text
  from pg_constraint
  where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c', 'x')
  order by conrelid::regclass::text, contype <> 'p', conname`

const INDEXES = sql`
  select indrelid::regclass::text as table, pg_get_indexdef(indexrelid) as text
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by relname`

const TRIGGERS = sql`
  select tgrelid::regclass::text as table, pg_get_triggerdef(oid, true) as text
  from pg_trigger where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  order by tgname`

const VIEWS = sql`
  select format(E'create view %I as\n%s', relname, pg_get_viewdef(oid, true)) as text
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`

/** Those of extensions are not ours. */
const FUNCTIONS = sql`
  select rtrim(pg_get_functiondef(p.oid), E'\n') || ';' as text from pg_proc p
  where pronamespace = 'public'::regnamespace and prokind = 'f'
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  order by proname`

interface Part {
  readonly table: string
  readonly text: string
}

export async function describeSchema(db: Db): Promise<string> {
  const rowsOf = async <R>(query: typeof COLUMNS) => (await query.execute(db)).rows as R[]
  const tables = await rowsOf<{ table: string; is_unlogged: boolean; columns: string }>(COLUMNS)
  const [constraints, indexes, triggers] = [await rowsOf<Part>(CONSTRAINTS), await rowsOf<Part>(INDEXES), await rowsOf<Part>(TRIGGERS)]
  const parts = tables.map(({ table, is_unlogged: isUnlogged, columns }) => {
    const textsOf = (all: readonly Part[]) => all.filter((part) => part.table === table).map(({ text }) => text)
    const body = [columns, ...textsOf(constraints)].join(',\n')
    const create = `create ${isUnlogged ? 'unlogged ' : ''}table ${table} (\n${body}\n);`
    return [create, ...[...textsOf(indexes), ...textsOf(triggers)].map((text) => `${text.replaceAll('public.', '')};`)].join('\n')
  })
  const others = [...(await rowsOf<Part>(VIEWS)), ...(await rowsOf<Part>(FUNCTIONS))]
  const text = [...parts, ...others.map((other) => other.text.replaceAll('public.', ''))].join('\n\n')
  return `${HEADER}\n${plain(text)}\n`
}

/** By the type's name in the catalogue. A jsonb is written as text. */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  jsonb: 'unknown',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  varchar: 'string',
}

const COLUMN_TYPES = sql`
  select c.relname as table, a.attname as column, t.typname as type, a.attnotnull as is_required,
    a.attgenerated <> '' or a.attidentity = 'a' as is_generated, a.atthasdef or a.attidentity <> '' as has_default
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  order by c.relname, a.attnum`

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly is_required: boolean
  readonly is_generated: boolean
  readonly has_default: boolean
}

function typeOf({ type, is_required: isRequired, is_generated: isGenerated, has_default: hasDefault }: Column): string {
  const [, item] = /^_(.*)$/.exec(type) ?? []
  const read = item === undefined ? TYPES[type] : `${TYPES[item]}[]`
  const nullable = isRequired ? '' : ' | null'
  if (type === 'jsonb') return `ColumnType<unknown, string${nullable}${hasDefault ? ' | undefined' : ''}, string${nullable}>`
  if (isGenerated) return `GeneratedAlways<${read}${nullable}>`
  return hasDefault ? `Generated<${read}${nullable}>` : `${read}${nullable}`
}

export async function describeTypes(db: Db): Promise<string> {
  const { rows } = await COLUMN_TYPES.execute(db)
  const tables = Map.groupBy(rows as Column[], ({ table }) => table)
  const parts = Array.from(tables, ([table, columns]) =>
    [`  ${table}: {`, ...columns.map((column) => `    ${column.column}: ${typeOf(column)}`), '  }'].join('\n'),
  )
  return `/** The columns of all tables. Written by "npm run schema"; never edit it. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface GeneratedTables {
${parts.join('\n')}
}
`
}

/** Shorter spellings of the same. */
function plain(text: string): string {
  return text
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(/::text\b(?!\[)/g, '')
    .replaceAll(' USING btree', '')
    .replaceAll(/[ \t]+$/gm, '')
}

async function write(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-schema-'))
  const postgres = await startEmbeddedPostgres(folder)
  const db = connect({ host: postgres.socketFolder, user: 'postgres', database: 'postgres' }, createLog('warn'), 1)
  try {
    await migrateToLatest(db)
    writeFileSync(SCHEMA_FILE, await describeSchema(db))
    writeFileSync(TYPES_FILE, await describeTypes(db))
  } finally {
    await db.destroy()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await write()

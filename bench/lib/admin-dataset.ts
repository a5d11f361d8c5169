/** A database with 100,000 users, 200,000 servers and their activity, generated in SQL within seconds. */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { type Db, connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'

const USERS = 100_000
const SERVERS = 200_000
const EVENTS = 400_000

export interface AdminDataset {
  /** Has the indexes of the program. */
  readonly indexed: Db
  /** Has the same rows with primary keys and unique constraints only. */
  readonly plain: Db
  stop(): Promise<void>
}

const FAST_IMPORT = `set synchronous_commit = off; set maintenance_work_mem = '256MB'`
/** This file identifies the rows and the schema of a kept folder. */
const MARKER = 'dataset'

/**
 * Starts a database server and fills two databases with the same rows.
 * @param kept a folder to keep and to reuse if it has the same rows; a temporary folder otherwise
 */
export async function openAdminDataset(kept?: string): Promise<AdminDataset> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const marker = join(folder, MARKER)
  const isReusable = existsSync(marker) && readFileSync(marker, 'utf8') === digest()
  if (!isReusable) clear(folder)
  const postgres = await startEmbeddedPostgres(folder)
  const open = (database: string) => connect({ host: postgres.socketFolder, user: 'postgres', database }, createLog('warn'), 4, 600_000)
  if (!isReusable) {
    await createDatabases(open)
    writeFileSync(marker, digest())
  }
  const [indexed, plain] = [open('indexed'), open('plain')]
  return {
    indexed,
    plain,
    async stop() {
      await Promise.all([indexed.destroy(), plain.destroy()])
      await postgres.stop()
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Refuses to remove a folder that no benchmark created. */
function clear(folder: string): void {
  const isOurs = !existsSync(folder) || existsSync(join(folder, MARKER)) || readdirSync(folder).length === 0
  if (!isOurs) throw new Error(`${folder} contains other files than benchmark databases.`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, MARKER), '')
}

/** Covers everything that determines the rows. */
function digest(): string {
  const steps = join(import.meta.dirname, '../../backend/platform/database/migrations')
  const files = [import.meta.filename, ...readdirSync(steps).map((name) => join(steps, name))]
  return hash('sha256', files.map((file) => readFileSync(file, 'utf8')).join('\n'))
}

async function createDatabases(open: (database: string) => Db): Promise<void> {
  const root = open('postgres')
  await sql`create database indexed`.execute(root)
  const indexed = open('indexed')
  await migrateToLatest(indexed)
  await indexed.connection().execute(fill)
  await indexed.destroy()
  await sql`create database plain template indexed strategy file_copy`.execute(root)
  // Force table scans, so that the indexes of constraints are not used either.
  for (const scan of ['indexscan', 'indexonlyscan', 'bitmapscan'])
    await sql`alter database plain set ${sql.raw(`enable_${scan}`)} = off`.execute(root)
  const plain = open('plain')
  for (const index of await indexesOf(plain)) await sql`drop index ${sql.ref(index.name)}`.execute(plain)
  await plain.destroy()
  await root.destroy()
}

/** Vacuums, freezes and checkpoints, so that no maintenance runs during the measurement. */
export async function finishMaintenance({ indexed, plain }: AdminDataset): Promise<void> {
  for (const db of [plain, indexed]) await sql`vacuum (freeze, analyze)`.execute(db)
  await sql`checkpoint`.execute(indexed)
}

/** All indexes without a constraint. */
async function indexesOf(db: Db): Promise<{ name: string; definition: string }[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in ('users'::regclass, 'all_servers'::regclass, 'presence'::regclass, 'activity'::regclass, 'credential_uses'::regclass,
      'benefit_grants'::regclass, 'protection_issues'::regclass) and not i.indisunique
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`.execute(db)
  return rows
}

const WORDS =
  'sunset vice liberty grand neon pacific golden midnight royal urban electric velvet iron crystal wild silver northern southern haven harbor ridge valley canyon ' +
  'district union empire legacy horizon phantom shadow ember frost thunder river stone falcon eagle wolf tiger dragon lotus cedar maple coral'
const KINDS = 'Roleplay Freeroam Racing Survival Deathmatch Drift Heist Police Mafia Streets'
const word = (seed: string, list: string) =>
  `(string_to_array('${list}', ' '))[1 + (hashint8(${seed})::bigint & 2147483647) % ${list.split(' ').length}]`

async function fill(db: Db): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(FAST_IMPORT)
  const indexes = await indexesOf(db)
  for (const index of indexes) await run(`drop index ${index.name}`)
  await run(`alter table all_servers disable trigger user`)
  await run(`insert into users (id, discord_id, username, avatar, owned_tier, banned, ban_reason, banned_at, delete_at, created_at, signed_in_at)
    select ('018f0000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, (100000000000000000 + i::bigint * 7919131)::text,
      ${word('i', WORDS)} || case i % 4 when 0 then '.' when 1 then '_' else '' end || ${word('i + 500000', WORDS)} || case when i % 3 = 0 then '' else i::text end, null,
      case when i % 25 = 0 then (array['BRONZE','SILVER','GOLD','PLATINUM','RUBY','DIAMOND_ALTRUIST'])[1 + (i / 25) % 6] end,
      i % 50 = 0, case when i % 50 = 0 then 'Spam' end, case when i % 50 = 0 then now() end,
      case when i % 400 = 0 then now() + interval '1 day' end, now() - make_interval(secs => i * 300), now() - make_interval(secs => (i * 7919) % 9000000)
    from generate_series(1, ${USERS}) i`)
  await run(`insert into benefit_grants (user_id, key) select id, 'ADMIN' from users limit 5`)
  await run(`insert into benefit_grants (user_id, key) select id, 'CUSTOM_BANNER' from users where right(id::text, 2) = 'a7'`)
  // Public IDs use each of the 62 characters in every position.
  await run(`insert into servers (public_id, owner_id, name, name_key, description, language, tags, banned, ban_reason, banned_at, created_at, search_text)
    select r.public_id, u.id, r.name, lower(r.name), 'A server of the benchmark with a sentence about itself.', 'en', r.tags, r.i % 10 = 0,
      case when r.i % 10 = 0 then 'Fake' end, case when r.i % 10 = 0 then now() end, now() - make_interval(secs => r.i * 137),
      lower(concat_ws(' ', r.name, r.public_id, u.username, u.discord_id))
    from (select i, 'A' || (select string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 1 + (hashint8(i * 8 + p)::bigint & 2147483647)::int % 62, 1), '' order by p)
          from generate_series(1, 6) p) as public_id,
        initcap(${word('i + 1000', WORDS)}) || ' ' || initcap(${word('i + 900000', WORDS)}) || ' ' || ${word('i + 2000000', KINDS)} || ' ' || i
          || case when i % 66667 = 5 then ' zanzibar' when i % 100 = 7 then ' Kosmonaut' else '' end as name,
        case when i % 10 < 3 then array['roleplay'] when i % 10 < 5 then array['racing', 'voice'] when i % 500 = 7 then array['chess'] else '{}'::text[] end as tags
      from generate_series(1, ${SERVERS}) i) r
    join users u on u.id = ('018f0000-0000-7000-8000-' || lpad(to_hex(1 + (r.i * 7919) % ${USERS}), 12, '0'))::uuid
    on conflict do nothing`)
  await run(`insert into presence (server_id, online, since, ended_by, last_announce_at, address, announce, changed_at, registered_at)
    select public_id, n % 20 < 3, now(), case when n % 20 < 3 then '' else 'EXPIRED' end, now(),
      ('10.' || (n / 65536) % 256 || '.' || (n / 256) % 256 || '.' || n % 256)::inet,
      jsonb_build_object('port', 7788 + n % 10, 'playersCount', (n * 7919) % 200, 'maxPlayersCount', 256, 'version', '16.4', 'branch', 'release', 'passworded', false), now(), created_at
    from (select public_id, created_at, (hashtext(public_id)::bigint & 2147483647) as n from servers) s where n % 20 < 15`)
  await run(
    `insert into credentials (id, server_id, hash, hint) select gen_random_uuid(), public_id, sha256(public_id::bytea), 'abcd' from servers`,
  )
  await run(
    `insert into credential_uses (credential_id, bound_address, bound_at) select c.id, p.address, now() from credentials c join presence p on p.server_id = c.server_id`,
  )
  await run(`insert into activity (at, action, role, actor_id, owner_id, server_id, server_name, before, after)
    select now() - make_interval(secs => ${EVENTS} - i),
      case when i % 5000 = 0 then 'SERVER_BANNED' when i % 10 = 0 then 'SERVER_CREATED' when i % 10 < 8 then 'SERVER_CHANGED' else 'ADDRESS_RESET' end,
      case when i % 5000 = 0 then 'administrator' when i % 100 = 3 then 'manager' else 'self' end, s.owner_id, s.owner_id, s.public_id, s.name,
      '{"description": "before"}', '{"description": "after"}'
    from generate_series(1, ${EVENTS}) i
    join (select *, row_number() over () as n from servers) s on s.n = 1 + (i::bigint * 104729) % (${SERVERS} - 100)
    order by i`)
  await run(`alter table all_servers enable trigger user`)
  for (const index of indexes) await run(index.definition)
  await run('vacuum analyze')
}

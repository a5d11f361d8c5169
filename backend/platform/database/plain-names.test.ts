/** Migration 0008 renames tables and columns, keeps every row, and does not run beside nodes that need the old names. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#backend/platform/log.ts'
import { formerDatabase, stepsUpTo } from '#tests/former-database.ts'
import { migrateDatabase, migrateToLatest, rejectNewerSchema } from './migrate.ts'
import { MIGRATIONS } from './migration-steps.ts'
import type { Db } from './open.ts'

const OWNER = '0198c000-0000-7000-8000-000000000001'
const MANAGER = '0198c000-0000-7000-8000-000000000002'
const ID = '0198c000-0000-7000-8000-00000000000a'
const OTHER_ID = '0198c000-0000-7000-8000-00000000000b'

const STEPS_FROM_0008 = readdirSync(MIGRATIONS)
  .flatMap((file) => /^(\d{4}_.*)\.sql$/.exec(file)?.[1] ?? [])
  .filter((name) => name >= '0008')
  .toSorted()

/** A database with the schema of the former version and two users. */
async function databaseBefore0008() {
  const former = await formerDatabase(7)
  await sql`insert into users (id, discord_id, username) values (${OWNER}, '1', 'alice'), (${MANAGER}, '2', 'bob')`.execute(former.db)
  return former
}

async function rowsOf(db: Db, query: string): Promise<unknown[]> {
  return (await sql.raw(query).execute(db)).rows
}

test('0008 keeps every row of the tables and columns that it renames', async () => {
  const { db } = await databaseBefore0008()
  const at = '2026-11-20T10:00:00.000Z'
  await sql
    .raw(`
    insert into managements values ('${ID}', '${OWNER}', '${MANAGER}', '{EDIT_DETAILS}', '${at}');
    insert into supporter_notices values ('patreon', '\\x01', '${at}');
    insert into doomed_files values ('a.png', '${at}');
    insert into freed_vanity_ids values ('\\x02', '${OWNER}', '${at}');
    insert into cloud_auth_secret (secret) values ('\\x03');
    insert into leases values ('jobs', '${ID}', '${at}');
    insert into list_history values (10, '${at}', '{1}', '{2}', '{3}', '{4}', '{9}');
    insert into protection_issues (id, user_id, kind, severity, status, summary, evidence, first_seen_at, last_seen_at, ended_at)
      values ('${ID}', '${OWNER}', 'UNREACHABLE', 'LOW', 'DISMISSED', 'Found', '{"items":[],"series":[]}', '${at}', '${at}', '${at}');
  `)
    .execute(db)
  expect(await migrateToLatest(db)).toEqual(STEPS_FROM_0008)
  const time = new Date(at)
  expect(await db.selectFrom('manager_grants').selectAll().execute()).toEqual([
    { id: ID, owner_id: OWNER, manager_id: MANAGER, permissions: ['EDIT_DETAILS'], created_at: time },
  ])
  expect(await db.selectFrom('supporter_webhook_deliveries').selectAll().execute()).toEqual([
    { provider: 'patreon', digest: Buffer.from([1]), received_at: time },
  ])
  expect(await db.selectFrom('file_deletions').selectAll().execute()).toEqual([{ file: 'a.png', scheduled_at: time }])
  expect(await db.selectFrom('released_vanity_ids').selectAll().execute()).toEqual([
    { digest: Buffer.from([2]), released_by: OWNER, released_at: time },
  ])
  expect(await db.selectFrom('cloud_auth_secret').selectAll().execute()).toEqual([{ singleton: true, secret: Buffer.from([3]) }])
  expect(await db.selectFrom('leases').selectAll().execute()).toEqual([{ name: 'jobs', owner_node_id: ID, expires_at: time }])
  expect(await db.selectFrom('list_buckets').select('sampled').execute()).toEqual([{ sampled: 9 }])
  expect(await db.selectFrom('protection_issues').select('closed_at').execute()).toEqual([{ closed_at: time }])
})

test('0008 leaves no old name in the catalog, and constraints and triggers still work', async () => {
  const { db } = await databaseBefore0008()
  await migrateToLatest(db)
  const old = String.raw`doom|freed|managements|presence_life|is_only|supporter_notices|holder|seen_at|looked|rest_vanity|refuse|ended_at|leases_until`
  expect(
    await rowsOf(
      db,
      `select name from (
         select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
         union all select conname from pg_constraint where connamespace = 'public'::regnamespace
         union all select attname from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
         union all select proname from pg_proc where pronamespace = 'public'::regnamespace
         union all select prosrc from pg_proc where pronamespace = 'public'::regnamespace
         union all select tgname from pg_trigger) names
       where name ~ '${old}' and name !~ '(first|last)_seen'`,
    ),
  ).toEqual([])
  await sql
    .raw(`
    insert into servers (public_id, owner_id, name, name_key, vanity_url) values ('Aaaaaaa', '${OWNER}', 'One', 'one', 'one');
    update servers set vanity_url = null;
    insert into images (id, owner_id, purpose, file, width, height, mime, bytes) values ('${ID}', '${OWNER}', 'BANNER', 'b.png', 1, 1, 'image/png', 1);
    delete from images;
  `)
    .execute(db)
  expect(await rowsOf(db, 'select released_by from released_vanity_ids')).toEqual([{ released_by: OWNER }])
  expect(await rowsOf(db, 'select file from file_deletions')).toEqual([{ file: 'b.png' }])
  const grant = (owner: string, manager: string, id: string) =>
    sql`insert into manager_grants (id, owner_id, manager_id, permissions) values (${id}, ${owner}, ${manager}, '{EDIT_DETAILS}')`.execute(
      db,
    )
  await grant(OWNER, MANAGER, ID)
  await expect(grant(OWNER, MANAGER, OTHER_ID)).rejects.toMatchObject({ constraint: 'manager_grants_one_for_each_pair' })
  await expect(grant(OWNER, OWNER, OTHER_ID)).rejects.toMatchObject({ constraint: 'manager_grants_check' })
  await expect(grant(OWNER, ID, OTHER_ID)).rejects.toMatchObject({ constraint: 'manager_grants_manager_id_fkey' })
})

test('0008 is not applied while an older node has a fresh heartbeat, and nothing changes', async () => {
  const { db } = await databaseBefore0008()
  await sql`insert into nodes (id) values (${ID}), (${OTHER_ID})`.execute(db)
  await expect(migrateToLatest(db)).rejects.toThrow(
    '2 nodes of an older version still use this database. Stop them, then start this version. A node that crashed counts for 10 seconds.',
  )
  await sql`delete from nodes where id = ${OTHER_ID}`.execute(db)
  await expect(migrateToLatest(db)).rejects.toThrow(
    '1 node of an older version still uses this database. Stop it, then start this version.',
  )
  expect(await rowsOf(db, 'select count(*)::int as steps from schema_migrations')).toEqual([{ steps: 7 }])
  await sql`update nodes set seen_at = clock_timestamp() - interval '11 seconds'`.execute(db)
  expect(await migrateToLatest(db)).toEqual(STEPS_FROM_0008)
})

test('a start waits for the row of a crashed node to expire', async () => {
  const { db, connection } = await databaseBefore0008()
  await sql`insert into nodes (id, seen_at) values (${ID}, clock_timestamp() - interval '9 seconds')`.execute(db)
  expect(await migrateDatabase({ connection, isJoined: false }, createLog('silent'))).toEqual(STEPS_FROM_0008)
})

test('a node of the former version cannot register after 0008', async () => {
  const { db } = await databaseBefore0008()
  await migrateToLatest(db)
  await expect(sql`insert into nodes (id, seen_at) values (${ID}, now())`.execute(db)).rejects.toThrow(/seen_at/)
  await expect(sql`insert into nodes (id) values (${ID})`.execute(db)).rejects.toThrow(/version/)
})

test('the former program does not start after 0008', async () => {
  const { db } = await databaseBefore0008()
  await migrateToLatest(db)
  await expect(migrateToLatest(db, stepsUpTo(7))).rejects.toThrow(
    /^The database needs a program with schema level \d+ or higher; this one has 7\./,
  )
})

test('a later migration names the releases of the nodes that must stop, and runs beside compatible nodes', async () => {
  const { db } = await databaseBefore0008()
  await migrateToLatest(db)
  const folder = mkdtempSync(join(tmpdir(), 'muster-steps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  writeFileSync(join(folder, '9001_later.sql'), '-- compatible-with-level: 9000\nalter table servers rename column name to title;\n')
  await sql`insert into nodes (id, version, schema_level) values (${ID}, '1.3.0+a', 8999), (${OTHER_ID}, '1.3.0+b', 9000)`.execute(db)
  await expect(migrateToLatest(db, folder)).rejects.toThrow(/^1 node of an older version \(1\.3\.0\+a\) still uses this database\./)
  await expect(rejectNewerSchema(db)).resolves.toBeUndefined()
  await sql`delete from nodes where id = ${ID}`.execute(db)
  expect(await migrateToLatest(db, folder)).toEqual(['9001_later'])
  // A node that registers after the migration is rejected here.
  await expect(rejectNewerSchema(db)).rejects.toThrow(/^The database needs a program with schema level 9000 or higher/)
})

describe('a node that stores no level', () => {
  test('has level 17 on a schema of level 17: it runs and starts beside migrations that name this level, and no others', async () => {
    const { db } = await databaseBefore0008()
    const folder = stepsUpTo(17)
    await migrateToLatest(db, folder)
    const heartbeat = sql`insert into nodes (id, heartbeat_at, version) values (${ID}, clock_timestamp(), '1.3')
      on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`
    await heartbeat.execute(db)
    for (const name of readdirSync(MIGRATIONS).filter((file) => file.startsWith('0018'))) cpSync(join(MIGRATIONS, name), join(folder, name))
    writeFileSync(join(folder, '9001_later.sql'), '-- compatible-with-level: 17\nalter table all_servers add column motto text;\n')
    expect(await migrateToLatest(db, folder)).toEqual(['0018_schema_levels', '9001_later'])
    await heartbeat.execute(db)
    writeFileSync(join(folder, '9002_later.sql'), '-- compatible-with-level: 18\nalter table all_servers drop column motto;\n')
    await expect(migrateToLatest(db, folder)).rejects.toThrow(/^1 node of an older version \(1\.3\) still uses this database\./)
    await sql`delete from nodes`.execute(db)
    expect(await migrateToLatest(db, folder)).toEqual(['9002_later'])
    // That program starts on an unknown migration that names at most its own version, 1.3.
    expect(await rowsOf(db, "select name, compatible_with from schema_migrations where name > '0018' order by name")).toEqual([
      { name: '0018_schema_levels', compatible_with: '1.3' },
      { name: '9001_later', compatible_with: '1.3' },
      { name: '9002_later', compatible_with: '1.3.1' },
    ])
  })

  test('has the level of an older schema, and must stop before the next of its migrations', async () => {
    const { db } = await databaseBefore0008()
    await migrateToLatest(db, stepsUpTo(12))
    await sql`insert into nodes (id, version) values (${ID}, '1.3')`.execute(db)
    await expect(migrateToLatest(db)).rejects.toThrow(/^1 node of an older version \(1\.3\) still uses this database\./)
    expect(await rowsOf(db, 'select count(*)::int as steps from schema_migrations')).toEqual([{ steps: 12 }])
  })
})

test('each applied migration is logged once, with its name and duration', async () => {
  const { connection } = await databaseBefore0008()
  const lines: { migration?: string; duration_ms?: number; level: number }[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[number])
      done()
    },
  })
  const options = { connection, isJoined: false }
  for (let start = 0; start < 2; start += 1) await migrateDatabase(options, createLog('info', { destination }))
  const applied = lines.filter(({ migration }) => migration !== undefined)
  expect(applied.map(({ migration }) => migration)).toEqual(STEPS_FROM_0008)
  for (const line of applied) expect(line).toMatchObject({ level: 40, msg: 'migration applied', duration_ms: expect.any(Number) })
})

/** Brings the schema up to date with plain SQL files in name order, in one transaction (docs/decisions/0002). */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Log } from '#backend/platform/log.ts'
import { LAST_LEVEL_BY_VERSION, MIGRATIONS, type MigrationStep, levelOf, readSteps } from './migration-steps.ts'
import { type Database, type Db, connect } from './open.ts'
import { OlderNodesError, rejectOlderNodes, rejectRunningProgram } from './older-nodes.ts'
import type { Tables } from './tables.ts'

/** Key of an advisory lock. An arbitrary number. A backup holds it shared. */
export const MIGRATION_LOCK = 20_261_124

type Applied = ReadonlyMap<string, Selectable<Tables['schema_migrations']>>

interface AppliedStep {
  readonly name: string
  readonly level: number
  readonly durationMs: number
}

/** How long a start waits for older nodes. A crashed node counts as live for a shorter time (older-nodes.ts). */
const OLDER_NODES_TIMEOUT_MS = 12_000
const RETRY_MS = 500

/** Migrates on a separate connection without a statement timeout, and returns the names of the applied steps. */
export async function migrateDatabase(
  { connection, isJoined }: Pick<Database, 'connection' | 'isJoined'>,
  log: Log,
): Promise<readonly string[]> {
  const db = connect(connection, log, 2, 0)
  try {
    return await migrateWithoutOlderNodes(db, log, isJoined)
  } finally {
    await db.destroy()
  }
}

/** Waits a moment for nodes that have just crashed. Throws OlderNodesError if older nodes keep running. */
async function migrateWithoutOlderNodes(db: Db, log: Log, isJoined: boolean): Promise<readonly string[]> {
  const deadline = performance.now() + OLDER_NODES_TIMEOUT_MS
  for (let attempt = 1; ; attempt += 1) {
    try {
      const steps = await applyMissing(db, MIGRATIONS, isJoined, log)
      // A new database needs all of them. An upgrade is worth a line at the default level.
      const logLevel = steps.some(({ level }) => level === 1) ? 'info' : 'warn'
      for (const { name, durationMs } of steps) log[logLevel]({ migration: name, duration_ms: durationMs }, 'migration applied')
      return steps.map(({ name }) => name)
    } catch (error) {
      if (!(error instanceof OlderNodesError) || performance.now() > deadline) throw error
      if (attempt === 1) log.warn({ reason: error.message }, 'waiting for older nodes to stop before the migration')
      await sleep(RETRY_MS)
    }
  }
}

/**
 * Applies the missing steps and returns their names. It throws, and changes nothing, if:
 * - the database is read-only,
 * - a step was edited after it ran here,
 * - a newer program applied a step that this one can't run with,
 * - or a live node can't run with a missing step.
 *
 * @param folder of the migrations. @param isJoined whether another program may use the same embedded database.
 */
export async function migrateToLatest(db: Db, folder = MIGRATIONS, isJoined = false): Promise<string[]> {
  return (await applyMissing(db, folder, isJoined)).map(({ name }) => name)
}

async function applyMissing(db: Db, folder: string, isJoined: boolean, log?: Pick<Log, 'warn'>): Promise<readonly AppliedStep[]> {
  await rejectReadOnly(db)
  const steps = await readSteps(folder)
  // A start with nothing to apply waits for nobody.
  if ((await listMissing(db, steps)).length === 0) return []
  return db.transaction().execute(async (trx) => {
    await lockMigrations(trx, log)
    await createRecords(trx, steps)
    const applied = await listApplied(trx)
    rejectEdited(applied, steps)
    rejectNewer(applied, steps)
    const missing = steps.filter(({ name }) => !applied.has(name))
    if (missing.length > 0 && applied.size > 0) {
      const databaseLevel = Math.max(...[...applied.keys()].map(levelOf))
      // Programs that store no level know at most the steps of that time, and at least those of the database.
      await rejectOlderNodes(trx, Math.max(...missing.map((step) => step.compatibleLevel)), Math.min(databaseLevel, LAST_LEVEL_BY_VERSION))
      if (isJoined) await rejectRunningProgram(trx)
    }
    const done: AppliedStep[] = []
    for (const step of missing) {
      const began = performance.now()
      await apply(trx, step)
      done.push({ name: step.name, level: step.level, durationMs: Math.round(performance.now() - began) })
    }
    return done
  })
}

/** Serializes everything that creates or changes tables, until the transaction ends. */
export async function lockMigrations(trx: Db, log?: Pick<Log, 'warn'>): Promise<void> {
  const { rows } = await sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as is_free`.execute(trx)
  if (rows[0]?.is_free === true) return
  log?.warn('migration is waiting for another migration or a backup')
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
}

/** Applies these steps to an empty database, or continues after them, in this transaction. */
export async function applySteps(trx: Db, steps: readonly MigrationStep[]): Promise<void> {
  await createRecords(trx, steps)
  for (const step of steps) await apply(trx, step)
}

/** The steps that the next start would apply. Throws as `migrateToLatest` does, except about other nodes. Changes nothing. */
export async function listMissingSteps(db: Db): Promise<string[]> {
  await rejectReadOnly(db)
  return (await listMissing(db, await readSteps(MIGRATIONS))).map(({ name }) => name)
}

async function listMissing(db: Db, steps: readonly MigrationStep[]): Promise<MigrationStep[]> {
  const { rows } = await sql<{ has_records: boolean }>`select to_regclass('schema_migrations') is not null as has_records`.execute(db)
  const applied: Applied = rows[0]?.has_records === true ? await listApplied(db) : new Map()
  rejectEdited(applied, steps)
  rejectNewer(applied, steps)
  return steps.filter(({ name }) => !applied.has(name))
}

/**
 * Throws if a newer program has applied a step that this one can't run with. A node calls it after it has registered in `nodes`, because
 * an earlier migration did not wait for it.
 */
export async function rejectNewerSchema(db: Db): Promise<void> {
  rejectNewer(await listApplied(db), await readSteps(MIGRATIONS))
}

async function listApplied(db: Db): Promise<Applied> {
  const records = await db.selectFrom('schema_migrations').selectAll().execute()
  return new Map(records.map((step) => [step.name, step]))
}

async function rejectReadOnly(db: Db): Promise<void> {
  const { rows } = await sql<{ is_read_only: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
  if (rows[0]?.is_read_only === true)
    throw new Error(
      'The database is read-only, or is a replica that has not been promoted. Make it writable or set DATABASE_URL to the primary, then start Muster again.',
    )
}

/** Versions up to 1.3.0 read `kysely_migration` and `migration_digests`. Both stay, so that these versions reject this schema. */
async function createRecords(trx: Db, steps: readonly MigrationStep[]): Promise<void> {
  const { rows } = await sql<Record<'records' | 'levels' | 'former' | 'digests', boolean>>`
    select to_regclass('schema_migrations') is not null as records,
      exists (select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'compatible_level') as levels, to_regclass('kysely_migration') is not null as former,
      to_regclass('migration_digests') is not null as digests`.execute(trx)
  if (rows[0]?.records === true) {
    // Only if needed: other nodes read this table while they start.
    if (!rows[0].levels) await sql`alter table schema_migrations add column compatible_level integer`.execute(trx)
    return
  }
  await sql`
    create table schema_migrations (
      name text primary key,
      digest text not null,
      -- The oldest version of a program without schema levels that can run on the schema after this step.
      compatible_with text not null,
      applied_at timestamptz not null default now(),
      -- The lowest level of a program that can run on the schema after this step. Null for steps of programs without levels.
      compatible_level integer
    )`.execute(trx)
  if (rows[0]?.former !== true) return
  const { rows: former } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx)
  const digests = new Map(
    rows[0].digests ? (await trx.selectFrom('migration_digests').selectAll().execute()).map(({ name, digest }) => [name, digest]) : [],
  )
  for (const { name } of former) {
    const step = steps.find((one) => one.name === name)
    if (step === undefined) throw new Error(`The database has a migration that no version of Muster contains: ${name}. Restore a backup.`)
    await record(trx, { ...step, digest: digests.get(name) ?? step.digest })
  }
}

async function apply(trx: Db, step: MigrationStep): Promise<void> {
  try {
    await sql.raw(step.text).execute(trx)
  } catch (error) {
    throw new Error(`The database could not be brought up to date: migration ${step.name} failed.`, { cause: error })
  }
  await record(trx, step)
}

async function record(trx: Db, { name, digest, compatibleVersion, compatibleLevel }: MigrationStep): Promise<void> {
  const compatibility = { compatible_with: compatibleVersion, compatible_level: compatibleLevel }
  await trx
    .insertInto('schema_migrations')
    .values({ name, digest, ...compatibility })
    .execute()
}

function rejectEdited(applied: Applied, steps: readonly MigrationStep[]): void {
  const edited = steps.filter(({ name, digest }) => (applied.get(name)?.digest ?? digest) !== digest).map(({ name }) => name)
  if (edited.length === 0) return
  throw new Error(
    `The database has a different text of ${edited.join(', ')} than this program. Start the version that applied it, or restore a backup.`,
  )
}

/** Steps of a newer program may only add what this one can ignore. */
function rejectNewer(applied: Applied, steps: readonly MigrationStep[]): void {
  const known = new Set(steps.map(({ name }) => name))
  const level = Math.max(...steps.map((step) => step.level))
  const needed = Math.max(
    ...[...applied.values()].filter(({ name }) => !known.has(name)).map((step) => step.compatible_level ?? levelOf(step.name)),
  )
  if (needed <= level) return
  throw new Error(
    `The database needs a program with schema level ${needed} or higher; this one has ${level}. ` +
      'Start a newer release, or restore a backup from before the upgrade.',
  )
}

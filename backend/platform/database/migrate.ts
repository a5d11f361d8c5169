/** Brings the schema up to date: plain SQL files in name order, in one transaction, one process at a time (docs/decisions/0035). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import type { Log } from '#backend/platform/log.ts'
import { VERSION } from '#backend/platform/version.ts'
import { MIGRATIONS, type MigrationStep, readSteps } from './migration-steps.ts'
import { type Database, type Db, connect } from './open.ts'
import type { Tables } from './tables.ts'

/** Advisory locks: any two numbers that nothing else uses. */
const MIGRATION_LOCK = 20_261_124
const PRESENCE_LOCK = 20_260_601

type Applied = ReadonlyMap<string, Selectable<Tables['schema_migrations']>>

/** Steps that were edited after they had run somewhere: the SHA-256 of the former step, and what upgrades it. Nothing is added here. */
const EDITED_STEPS = [
  { name: '0005_scale', digest: 'eaa8c964004368bffca81fb01632a303fe416aec95c3b99ef0ad7cdd5ad3dd9e', upgrade: '0005_scale.first.sql' },
  { name: '0005_scale', digest: 'd1c3e937a1ef0b1402744f12c517bfff6d7f53c20ad44e5a58a23aa59c765a4f', upgrade: '0005_scale.second.sql' },
]

/** Migrates on a connection of its own without a statement timeout, and returns the names of the steps that ran. */
export async function migrateAlone(
  { connection, isEmbedded }: Pick<Database, 'connection' | 'isEmbedded'>,
  log: Log,
): Promise<readonly string[]> {
  const db = connect(connection, log, 2, 0)
  try {
    const steps = await migrateToLatest(db)
    await setPresenceLogged(db, isEmbedded)
    return steps
  } finally {
    await db.destroy()
  }
}

/**
 * Presence changes all the time. An embedded database has it in its log, which brings the list back after a crash. A shared one does not,
 * as every replica would have to follow; there the nodes bring it back (docs/decisions/0026).
 */
async function setPresenceLogged(db: Db, isLogged: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${PRESENCE_LOCK})`.execute(trx)
    const { rows } = await sql<{ is_logged: boolean }>`
      select relpersistence = 'p' as is_logged from pg_class where oid = 'presence'::regclass`.execute(trx)
    if (rows[0]?.is_logged === isLogged) return
    await sql.raw(`alter table presence set ${isLogged ? 'logged' : 'unlogged'}`).execute(trx)
  })
}

/**
 * Applies the missing steps and returns their names. Throws with a sentence, and changes nothing, where the database is read-only, a step was
 * edited after it ran here, or a newer version applied a step with which this program can't run.
 */
export async function migrateToLatest(db: Db, program = { folder: MIGRATIONS, version: VERSION }): Promise<string[]> {
  await refuseReadOnly(db)
  const steps = await readSteps(program.folder)
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
    await createRecords(trx, steps)
    await upgradeEditedSteps(trx, steps)
    const records = await trx.selectFrom('schema_migrations').selectAll().execute()
    const applied: Applied = new Map(records.map((step) => [step.name, step]))
    refuseEdited(applied, steps)
    refuseNewer(applied, steps, program.version)
    const missing = steps.filter(({ name }) => !applied.has(name))
    for (const step of missing) await apply(trx, step)
    return missing.map(({ name }) => name)
  })
}

async function refuseReadOnly(db: Db): Promise<void> {
  const { rows } = await sql<{ is_read_only: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
  if (rows[0]?.is_read_only === true)
    throw new Error(
      'The database takes no changes: it is set to read-only, or a replica that has not taken over. Start Muster again when it does, or let DATABASE_URL name one that does.',
    )
}

/** Versions up to 1.3.0 kept their records in `kysely_migration` and `migration_digests`. Both stay, so that these versions still start. */
async function createRecords(trx: Db, steps: readonly MigrationStep[]): Promise<void> {
  const { rows } = await sql<Record<'records' | 'former' | 'digests', boolean>>`
    select to_regclass('schema_migrations') is not null as records, to_regclass('kysely_migration') is not null as former,
      to_regclass('migration_digests') is not null as digests`.execute(trx)
  if (rows[0]?.records === true) return
  await sql`
    create table schema_migrations (
      name text primary key,
      digest text not null,
      -- The oldest version of the program that can run on the schema after this step.
      compatible_with text not null,
      applied_at timestamptz not null default now()
    )`.execute(trx)
  if (rows[0]?.former !== true) return
  const { rows: former } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx)
  const digests = new Map(
    rows[0].digests ? (await trx.selectFrom('migration_digests').selectAll().execute()).map(({ name, digest }) => [name, digest]) : [],
  )
  for (const { name } of former) {
    const step = steps.find((one) => one.name === name)
    if (step === undefined) throw new Error(`The database has a migration that no version of Muster released: ${name}.`)
    await record(trx, { ...step, digest: digests.get(name) ?? step.digest })
  }
}

async function upgradeEditedSteps(trx: Db, steps: readonly MigrationStep[]): Promise<void> {
  for (const { name, digest, upgrade } of EDITED_STEPS) {
    const final = steps.find((step) => step.name === name)?.digest
    if (final === undefined) continue
    const { numUpdatedRows } = await trx
      .updateTable('schema_migrations')
      .set({ digest: final })
      .where('name', '=', name)
      .where('digest', '=', digest)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    await sql.raw(await readFile(join(MIGRATIONS, 'former', upgrade), 'utf8')).execute(trx)
    // Versions up to 1.3.0 compare with it.
    await trx.updateTable('migration_digests').set({ digest: final }).where('name', '=', name).execute()
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

async function record(trx: Db, { name, digest, compatibleWith }: MigrationStep): Promise<void> {
  await trx.insertInto('schema_migrations').values({ name, digest, compatible_with: compatibleWith }).execute()
}

function refuseEdited(applied: Applied, steps: readonly MigrationStep[]): void {
  const edited = steps.filter(({ name, digest }) => (applied.get(name)?.digest ?? digest) !== digest).map(({ name }) => name)
  if (edited.length === 0) return
  throw new Error(
    `The database was made by another version of ${edited.join(', ')} than this program has. Start the version that made it, or restore a backup.`,
  )
}

/** A newer version was here first. Its steps may only add what this program can ignore. */
function refuseNewer(applied: Applied, steps: readonly MigrationStep[], version: string): void {
  const known = new Set(steps.map(({ name }) => name))
  const needed = [...applied.values()]
    .filter(({ name, compatible_with: needs }) => !known.has(name) && isNewerVersion(needs, version))
    .map((step) => step.compatible_with)
    .toSorted((a, b) => (isNewerVersion(a, b) ? -1 : 1))[0]
  if (needed === undefined) return
  throw new Error(
    `The database needs Muster ${needed} or newer; this is ${version}. Start that version, or restore a backup from before the upgrade.`,
  )
}

/** Compares versions such as `1.3` and `1.10.2`. A missing part counts as 0. */
function isNewerVersion(version: string, than: string): boolean {
  const [parts, others] = [version, than].map((text) => text.split('.').map(Number))
  for (const [index, part] of (parts ?? []).entries()) {
    const other = others?.[index] ?? 0
    if (part !== other) return part > other
  }
  return false
}

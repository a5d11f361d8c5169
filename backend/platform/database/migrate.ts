/** Brings the schema up to date: plain SQL files in name order, in one transaction, one process at a time (docs/decisions/0035). */
import { sql } from 'kysely'
import { VERSION } from '#backend/platform/version.ts'
import { MIGRATIONS, type MigrationStep, readSteps } from './migration-steps.ts'
import type { Db } from './open.ts'
import { isNewerVersion } from './version-order.ts'
import { upgradeFormerSteps } from './former-steps.ts'

/** Any number that nobody else uses. */
const LOCK = 20_261_124

interface Applied {
  readonly name: string
  readonly digest: string
  readonly compatible_with: string
}

interface Program {
  /** Where the steps of this program are. */
  readonly folder: string
  readonly version: string
}

const THIS_PROGRAM: Program = { folder: MIGRATIONS, version: VERSION }

/**
 * Applies the missing steps and returns their names. Throws an error with a sentence where the database is read-only, where a step was edited
 * after it ran here, and where a newer version applied a step with which this program can't run. Then nothing changes.
 */
export async function migrateToLatest(db: Db, program: Program = THIS_PROGRAM): Promise<string[]> {
  await refuseReadOnly(db)
  const steps = await readSteps(program.folder)
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await createRecords(trx, steps)
    await upgradeFormerSteps(trx, steps)
    const applied = new Map((await trx.selectFrom('schema_migrations').selectAll().execute()).map((step) => [step.name, step]))
    refuseEdited(applied, steps)
    refuseNewer(applied, steps, program.version)
    const missing = steps.filter(({ name }) => !applied.has(name))
    for (const step of missing) await apply(trx, step)
    return missing.map(({ name }) => name)
  })
}

/** Where a replica has not taken over yet, the caller starts the program again. */
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

function refuseEdited(applied: ReadonlyMap<string, Applied>, steps: readonly MigrationStep[]): void {
  const edited = steps.filter(({ name, digest }) => (applied.get(name)?.digest ?? digest) !== digest).map(({ name }) => name)
  if (edited.length === 0) return
  throw new Error(
    `The database was made by another version of ${edited.join(', ')} than this program has. Start the version that made it, or restore a backup.`,
  )
}

/** A newer version was here first. Its steps may only add what this program can ignore. */
function refuseNewer(applied: ReadonlyMap<string, Applied>, steps: readonly MigrationStep[], version: string): void {
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

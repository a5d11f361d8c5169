/** Checks of `doctor`: the database, its schema, and its clock. */
import { sql } from 'kysely'
import { systemClock } from '#backend/platform/clock.ts'
import { hasEmbeddedDatabase } from '#backend/platform/database/embedded-postgres.ts'
import { isFolderLocked } from '#backend/platform/database/embedded-host.ts'
import { listMissingSteps } from '#backend/platform/database/migrate.ts'
import { LIVE_SECONDS } from '#backend/platform/database/older-nodes.ts'
import { type Database, DatabaseUnusable, joinDatabase } from '#backend/platform/database/open.ts'
import type { Env } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { clockFinding } from './clock-finding.ts'

/** Starting the embedded database after a crash may take this long. */
const OPEN_TIMEOUT_MS = 30_000
const MIN_VERSION = 15

export interface DatabaseChecks {
  readonly checks: readonly Check[]
  /** Whether another program uses the embedded database. */
  readonly isFolderInUse: () => Promise<boolean>
  close(): Promise<void>
}

/** Joins the embedded database of a running program, or starts it until `close`. Creates none. */
export function createDatabaseChecks(env: Env): DatabaseChecks {
  const isMissing = env.DATABASE_URL === undefined && !hasEmbeddedDatabase(env.DATA_DIR)
  const opening = isMissing ? undefined : joinDatabase(env, createLog('silent'))
  opening?.catch(() => undefined)
  const withDatabase = (check: (database: Database) => Promise<Finding>) => async () => {
    if (opening === undefined) return skipped('There is no database yet: the first start creates it.')
    const database = await opening.catch(() => undefined)
    return database === undefined ? skipped('The database could not be opened.') : check(database)
  }
  return {
    checks: [
      {
        id: 'database',
        title: 'Database',
        timeoutMs: OPEN_TIMEOUT_MS,
        run: () => opening?.then(checkDatabase, explainFailure) ?? skipped('There is no database yet: the first start creates it.'),
      },
      { id: 'migrations', title: 'Migrations', timeoutMs: OPEN_TIMEOUT_MS, run: withDatabase(checkMigrations) },
      { id: 'nodes', title: 'Nodes', timeoutMs: OPEN_TIMEOUT_MS, run: withDatabase((database) => checkNodes(database, env)) },
      { id: 'database-clock', title: 'Clock of the database', timeoutMs: OPEN_TIMEOUT_MS, run: withDatabase(checkClock) },
    ],
    isFolderInUse: async () => {
      const database = await opening?.catch(() => undefined)
      return database?.isJoined === true && (await isFolderLocked(database.db))
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}

async function checkDatabase({ db, isEmbedded, isJoined }: Database): Promise<Finding> {
  const began = systemClock.uptime()
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const took = Math.round(systemClock.uptime() - began)
  const version = rows[0]?.version ?? ''
  if (Number.parseInt(version, 10) < MIN_VERSION)
    return failed(`PostgreSQL ${version} is too old.`, `Upgrade the database of DATABASE_URL to version ${MIN_VERSION} or newer.`)
  const which = isEmbedded
    ? `The embedded PostgreSQL ${version}${isJoined ? ', which runs,' : ''}`
    : `PostgreSQL ${version} of DATABASE_URL`
  return ok(`${which} answers in ${took} ms.`)
}

function explainFailure(error: unknown): Finding {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const because = (sentence: string) =>
    cause instanceof Error && cause.message !== '' ? `${sentence.replace(/\.$/, '')}: ${cause.message}` : sentence
  if (error instanceof DatabaseUnusable) return failed(because(error.problem), error.remedy)
  return failed(because(message), 'Correct DATA_DIR, or read DATA_DIR/postgres.log.')
}

async function checkMigrations({ db }: Database): Promise<Finding> {
  const missing = await listMissingSteps(db)
  if (missing.length === 0) return ok('The schema is up to date.')
  return warning(
    `The schema lacks ${missing.length === 1 ? 'a migration' : `${missing.length} migrations`}: ${missing.join(', ')}.`,
    'Back up, then start Muster, or run "npm run muster -- migrate".',
  )
}

/** Several nodes serve other people, who must not choose their own name. */
async function checkNodes({ db, isEmbedded }: Database, { usesLocalIdentity }: Env): Promise<Finding> {
  if (isEmbedded) return ok('One node, with its own database.')
  const { rows: tables } = await sql<{ exists: boolean }>`select to_regclass('nodes') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return skipped('The schema has no nodes yet: the first start creates it.')
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from nodes
    where heartbeat_at > clock_timestamp() - make_interval(secs => ${sql.lit(LIVE_SECONDS)})`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count > 1 && usesLocalIdentity)
    return warning(
      `${count} nodes run with the local identity provider: anyone who reaches one can sign in with any name.`,
      'Set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET, unless this is a test.',
    )
  return ok(`Nodes that run on this database: ${count}.`)
}

async function checkClock({ db }: Database): Promise<Finding> {
  // The first query may open a connection.
  await sql`select 1`.execute(db)
  const before = systemClock.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return clockFinding((rows[0]?.now.getTime() ?? 0) - (before + systemClock.now()) / 2, 'the database')
}

/** The commands that work on the database, whether Muster is running or not. */
import { migrateDatabase } from '#backend/platform/database/migrate.ts'
import { type Database, joinDatabase } from '#backend/platform/database/open.ts'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { type Log, createLog } from '#backend/platform/log.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'
import { setAdministrator } from '#backend/core/users/administration.ts'

/** Stops the embedded database that it started, also when a signal ends it early. */
export async function withDatabase<T>(act: (database: Database, env: Env, log: Log) => Promise<T>, open = joinDatabase): Promise<T> {
  const env = readEnv()
  const log = createLog(env.LOG_LEVEL)
  const opening = open(env, log)
  const forgetSignals = onStopSignal(() => {
    void opening.then((database) => database.close()).finally(() => process.exit(1))
  })
  const database = await opening
  try {
    return await act(database, env, log)
  } finally {
    forgetSignals()
    await database.close()
  }
}

export function migrate(): Promise<void> {
  return withDatabase(async (database, _env, log) => {
    const applied = await migrateDatabase(database, log)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied migrations: ${applied.join(', ')}.\n`)
  })
}

export async function admin([verb, discordId]: readonly string[]): Promise<void> {
  if ((verb !== 'grant' && verb !== 'revoke') || discordId === undefined)
    throw new Error('Usage: npm run muster -- admin grant|revoke DISCORD_ID')
  const isGranted = verb === 'grant'
  const username = await withDatabase(({ db }) => setAdministrator(db, discordId, isGranted))
  process.stdout.write(isGranted ? `${username} is now an administrator.\n` : `${username} is no longer an administrator.\n`)
}

/** `demo`: fills an empty installation with servers and their history, then runs it with simulated game servers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createDataFolder } from '#backend/platform/data-folder.ts'
import { migrateDatabase } from '#backend/platform/database/migrate.ts'
import { type Database, openDatabase } from '#backend/platform/database/open.ts'
import { type Env, readEnv } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { serve } from '#backend/main.ts'
import { withDatabase } from './database.ts'
import { ALICE } from './demo/cast.ts'
import { fill } from './demo/fill.ts'
import { localUrl } from './local-url.ts'
import { rejectProduction } from './simulate.ts'
import { GameServer, RESTART_CHANCE } from './simulate/game-server.ts'
import type { RegisteredServer } from './simulate/register.ts'

/** The game servers of a demo, so that a later start continues it. In the data folder, because it has their credentials. */
const FLEET_FILE = 'demo.json'
/** Spreads the first announces. */
const ANNOUNCES_PER_SECOND = 20

const ACCOUNTS = `  Sign in as
    admin  an administrator, with issues and reports to decide
    alice  the owner of twelve servers, some of which need attention
    bob    a manager of Alice's servers, with an offer to answer
  Any other name is a newcomer. Stop with Ctrl+C. "npm run demo" continues.

`

export async function demo(args: readonly string[]): Promise<void> {
  parseArgs({ args: [...args], options: {} })
  const env = readEnv()
  rejectProduction(env, 'The demo')
  if (!env.usesLocalIdentity) throw new Error('The demo needs the local identity provider. Remove DISCORD_CLIENT_ID and LOCAL_IDENTITY.')
  // As the program does, so that it throws if the program runs, and adopts the database of a killed one.
  await withDatabase(fillIfEmpty, openDatabase)
  await serve()
  startFleet(env)
  process.stdout.write(ACCOUNTS)
}

/** Throws if the installation has accounts, unless they are from the demo. */
async function fillIfEmpty(database: Database, env: Env, log: Log): Promise<void> {
  const file = join(env.DATA_DIR, FLEET_FILE)
  if (await hasAccounts(database)) {
    if (existsSync(file)) return
    throw new Error('The demo needs an empty installation, but this one has accounts. Nothing has changed. Set DATA_DIR to a new folder.')
  }
  const startedAt = performance.now()
  await migrateDatabase(database, log)
  process.stdout.write('Creating 200 servers with 60 days of history …\n')
  const { servers } = await fill(database, env, log)
  // The server that moved announces too: it returns to the list once Alice resets its address.
  const playing = servers.filter((server, place) => server.offlineSince === undefined || place === ALICE.moved)
  const fleet = playing.map(({ publicId, credential, profile }): RegisteredServer => ({ publicId, credential, profile }))
  createDataFolder(env.DATA_DIR)
  writeFileSync(file, JSON.stringify(fleet), { mode: 0o600 })
  process.stdout.write(`Created them in ${Math.round((performance.now() - startedAt) / 1000)} seconds.\n`)
}

/** Before the first migration there is no table. */
async function hasAccounts({ db }: Database): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('users') is not null as exists`.execute(db)
  return rows[0]?.exists === true && (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The game servers run until this process ends. */
function startFleet(env: Env): void {
  const fleet = JSON.parse(readFileSync(join(env.DATA_DIR, FLEET_FILE), 'utf8')) as RegisteredServer[]
  const tally = { accepted: 0, rejected: 0, lastRejection: '' }
  const listUrl = localUrl(env.HOST, env.MASTERLIST_PORT)
  const settings = { listUrl, seed: 1, interval: undefined, restartChance: RESTART_CHANCE, probes: false, tally }
  for (const [index, registered] of fleet.entries()) new GameServer(registered, settings, index).start(index / ANNOUNCES_PER_SECOND)
}

/** `simulate`: runs a fleet of simulated game servers against a running Muster. `help.ts` describes the options. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { runningEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { listMissingSteps } from '#backend/platform/database/migrate.ts'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { withDatabase } from './database.ts'
import { localUrl } from './local-url.ts'
import { GameServer, RESTART_CHANCE, type Tally } from './simulate/game-server.ts'
import { profilesFor } from './simulate/profiles.ts'
import { FLEET_OWNER, type RegisteredServer, registerFleet } from './simulate/register.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'

const STATUS_MS = 5000
/** Spreads the first announces of the fleet. */
const FIRST_ANNOUNCES_PER_SECOND = 50
const MAX_SERVERS = 50_000
const CONCURRENT_STOPS = 50
/** For going offline, even if the list does not answer. */
const STOP_TIMEOUT_MS = 8000

export const SIMULATE_OPTIONS = {
  servers: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  interval: { type: 'string', default: 'auto' },
  keep: { type: 'boolean', default: false },
  answer: { type: 'boolean', default: false },
} as const

type Options = ReturnType<typeof readOptions>

export async function simulate(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const env = readEnv()
  rejectProduction(env, 'The simulation')
  const listUrl = localUrl(env.HOST, env.MASTERLIST_PORT)
  await requireRunningList(listUrl)
  // Starting another database would register servers that the list never sees.
  if (env.DATABASE_URL === undefined && runningEmbeddedPostgres(env.DATA_DIR) === undefined) throw anotherDatabase(env, listUrl)
  const fleet = await withDatabase(async ({ db }) => {
    if ((await listMissingSteps(db)).length > 0) throw anotherDatabase(env, listUrl)
    return registerFleet({ env, db }, profilesFor(options.servers, options.seed), (done) => {
      if (done % 500 === 0) process.stdout.write(`${done} of ${options.servers} servers registered\n`)
    })
  })
  await runFleet(fleet, listUrl, options)
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: SIMULATE_OPTIONS })
  const servers = Number(values.servers)
  const seed = Number(values.seed)
  // Undefined follows the list.
  const interval = values.interval === 'auto' ? undefined : Number(values.interval)
  if (!Number.isInteger(servers) || servers < 1 || servers > MAX_SERVERS)
    throw new Error(`--servers must be a whole number from 1 to ${MAX_SERVERS}.`)
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.')
  if (interval !== undefined && !(interval >= 2 && interval <= 3600))
    throw new Error('--interval must be auto or a number of seconds, 2 to 3600.')
  return { servers, seed, interval, keep: values.keep, answer: values.answer }
}

/** Keeps simulated servers out of real lists. Throws if anything looks like a production installation. */
export function rejectProduction(env: Pick<Env, 'isProduction' | 'PUBLIC_URL' | 'DATABASE_URL'>, what: string): void {
  const signs: readonly [isProduction: boolean, sign: string][] = [
    [env.isProduction, 'NODE_ENV is production'],
    [env.PUBLIC_URL?.startsWith('https:') === true, 'PUBLIC_URL starts with https://'],
    [env.DATABASE_URL !== undefined && !isLocal(env.DATABASE_URL), 'DATABASE_URL points to another machine'],
  ]
  const sign = signs.find(([isProduction]) => isProduction)?.[1]
  if (sign !== undefined) throw new Error(`${what} does not run against a production configuration: ${sign}.`)
}

function isLocal(databaseUrl: string): boolean {
  if (!URL.canParse(databaseUrl)) return false
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  return host === '' || host.startsWith('/') || ['localhost', '127.0.0.1', '[::1]', '::1'].includes(host)
}

async function requireRunningList(listUrl: string): Promise<void> {
  const response = await fetch(`${listUrl}/servers/info`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  if (response?.ok !== true)
    throw new Error(
      `No master list answers on ${listUrl}. Start Muster first with "npm start", with the same PORT, MASTERLIST_PORT and DATA_DIR.`,
    )
}

function anotherDatabase({ DATABASE_URL, DATA_DIR }: Env, listUrl: string): Error {
  const [place, variable] =
    DATABASE_URL === undefined ? [`data folder ${DATA_DIR}`, 'DATA_DIR'] : ['database in DATABASE_URL', 'DATABASE_URL']
  return new Error(`The master list on ${listUrl} does not use the ${place}. Start this command with the ${variable} of that program.`)
}

async function runFleet(fleet: readonly RegisteredServer[], listUrl: string, { seed, interval, keep, answer }: Options): Promise<void> {
  const tally: Tally = { accepted: 0, rejected: 0, lastRejection: '' }
  if (answer)
    process.stdout.write('The fleet answers the reachability check. Muster runs it with REACHABILITY=warn and REACHABILITY_PRIVATE=on.\n')
  const settings = { listUrl, seed, interval, restartChance: RESTART_CHANCE, probes: answer, tally }
  const servers = fleet.map((registered, index) => new GameServer(registered, settings, index))
  servers.forEach((server, index) => server.start(index / FIRST_ANNOUNCES_PER_SECOND))
  process.stdout.write(`${fleet.length} servers announce to ${listUrl}. Sign in as “${FLEET_OWNER}” to see them. Stop with Ctrl+C.\n`)
  const report = () => {
    const online = servers.filter((server) => server.isOnline)
    const players = online.reduce((sum, server) => sum + server.players, 0)
    const [unreachable, busy] = [servers.filter((server) => server.isUnreachable), servers.filter((server) => server.isPortBusy)]
    const problems = [
      tally.rejected > 0 && `${tally.rejected} rejected (${tally.lastRejection})`,
      unreachable.length > 0 && `${unreachable.length} unreachable`,
      busy.length > 0 && `${busy.length} cannot answer the reachability check because their ports are in use`,
    ].filter((text) => text !== false)
    process.stdout.write(
      `${new Date().toLocaleTimeString('en-GB')}  ${online.length} servers, ${players} players, ${tally.accepted} accepted${problems.map((text) => `, ${text}`).join('')}\n`,
    )
  }
  const timer = setInterval(report, STATUS_MS)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<unknown>()
  onStopSignal(stop)
  await stopped
  clearInterval(timer)
  process.stdout.write(keep ? '\nStopped. The servers stay listed until they expire.\n' : '\nTaking the servers offline.\n')
  await Promise.race([pLimit(CONCURRENT_STOPS).map(servers, (server) => server.stop(!keep)), sleep(STOP_TIMEOUT_MS)])
  report()
  process.exit(0)
}

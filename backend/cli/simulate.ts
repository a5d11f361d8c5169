/** `simulate --servers N [--interval auto|SECONDS] [--seed N] [--keep] [--answer]`: a fleet of game servers against a running Muster, until stopped. */
import { parseArgs } from 'node:util'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { withDatabase } from './database.ts'
import { answerProbes } from './simulate/answer-probes.ts'
import { GameServer, type Tally } from './simulate/game-server.ts'
import { profilesFor } from './simulate/profiles.ts'
import { FLEET_OWNER, type Registered, registerFleet } from './simulate/register.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'

export const SIMULATE_HELP = `Usage: npm run simulate -- [options]

A fleet of game servers that announce to a running Muster until you stop it with Ctrl+C.

  --servers N         how many, from 1 to 50000 (default 200)
  --interval SECONDS  announce this often, from 1; auto does what the list asks for (default auto)
  --seed N            a whole number; the same one makes the same names and players (default 1)
  --keep              leave the servers on the list when the fleet stops, until they expire
  --answer            listen on each server's port and answer the reachability check
`

const STATUS_MS = 5000
/** First announces a second: a fleet does not wake up all at once. */
const FIRST_ANNOUNCES_PER_SECOND = 50
const MAX_SERVERS = 50_000
const CONCURRENT_STOPS = 50

type Options = ReturnType<typeof readOptions>

export async function simulate(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const env = readEnv()
  rejectProduction(env)
  const listUrl = `http://${env.HOST === '::' || env.HOST === '0.0.0.0' ? '127.0.0.1' : env.HOST}:${env.MASTERLIST_PORT}`
  await requireRunningList(listUrl)
  const fleet = await withDatabase(({ db }) =>
    registerFleet({ env, db }, profilesFor(options.servers, options.seed), (done) => {
      if (done % 500 === 0) process.stdout.write(`${done} of ${options.servers} servers are registered.\n`)
    }),
  )
  await runFleet(fleet, listUrl, options)
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      servers: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      interval: { type: 'string', default: 'auto' },
      keep: { type: 'boolean', default: false },
      answer: { type: 'boolean', default: false },
    },
  })
  const servers = Number(values.servers)
  const seed = Number(values.seed)
  // Undefined: as the list asks.
  const interval = values.interval === 'auto' ? undefined : Number(values.interval)
  if (!Number.isInteger(servers) || servers < 1 || servers > MAX_SERVERS)
    throw new Error(`--servers must be a whole number from 1 to ${MAX_SERVERS}.`)
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.')
  if (interval !== undefined && !(interval >= 1)) throw new Error('--interval must be auto or a number of seconds from 1.')
  return { servers, seed, interval, keep: values.keep, answer: values.answer }
}

/** Invented servers have no business among real ones. Throws where anything looks like a real installation. */
export function rejectProduction(env: Pick<Env, 'isProduction' | 'PUBLIC_URL' | 'DATABASE_URL'>): void {
  const signs: readonly [isProduction: boolean, why: string][] = [
    [env.isProduction, 'NODE_ENV is production'],
    [env.PUBLIC_URL?.startsWith('https:') === true, 'PUBLIC_URL begins with https://'],
    [env.DATABASE_URL !== undefined && !isLocal(env.DATABASE_URL), 'DATABASE_URL names a database on another machine'],
  ]
  const why = signs.find(([isProduction]) => isProduction)?.[1]
  if (why !== undefined) throw new Error(`The simulation makes invented servers and refuses to touch a production configuration: ${why}.`)
}

function isLocal(databaseUrl: string): boolean {
  if (!URL.canParse(databaseUrl)) return false
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  return host === '' || host.startsWith('/') || ['localhost', '127.0.0.1', '[::1]', '::1'].includes(host)
}

async function requireRunningList(listUrl: string): Promise<void> {
  const answer = await fetch(`${listUrl}/servers/info`, { signal: AbortSignal.timeout(3000) }).catch(() => undefined)
  if (answer?.ok !== true)
    throw new Error(
      `No master list answers on ${listUrl}. Start Muster first with "npm start", with the same PORT, MASTERLIST_PORT and DATA_DIR.`,
    )
}

/** Before the first announce: the list may ask at once. */
async function startAnswering(fleet: readonly Registered[]): Promise<void> {
  const listening = await Promise.all(fleet.map(answerProbes))
  const busy = listening.filter((server) => server === undefined).length
  if (busy > 0) process.stdout.write(`${busy} of the servers answer no check: their ports are in use.\n`)
  process.stdout.write('They answer the reachability check, if the list was started with REACHABILITY=warn and REACHABILITY_PRIVATE=on.\n')
}

async function runFleet(fleet: readonly Registered[], listUrl: string, { seed, interval, keep, answer }: Options): Promise<void> {
  const tally: Tally = { accepted: 0, rejected: 0, unreachable: 0, lastRejection: '' }
  if (answer) await startAnswering(fleet)
  const servers = fleet.map((registered, index) => new GameServer(registered, { listUrl, seed, interval, tally }, index))
  servers.forEach((server, index) => server.start(index / FIRST_ANNOUNCES_PER_SECOND))
  process.stdout.write(
    `${fleet.length} servers announce to ${listUrl} under the owner “${FLEET_OWNER}”; sign in by that name to see them. Ctrl+C stops them.\n`,
  )
  const report = () => {
    const online = servers.filter((server) => server.isOnline)
    const players = online.reduce((sum, server) => sum + server.players, 0)
    const troubles = [
      tally.rejected > 0 && `${tally.rejected} refused (${tally.lastRejection})`,
      tally.unreachable > 0 && `${tally.unreachable} unreachable`,
    ].filter((text) => text !== false)
    process.stdout.write(
      `${new Date().toLocaleTimeString('en-GB')}  ${online.length} servers, ${players} players, ${tally.accepted} accepted${troubles.map((text) => `, ${text}`).join('')}\n`,
    )
  }
  const timer = setInterval(report, STATUS_MS)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<unknown>()
  onStopSignal(stop)
  await stopped
  clearInterval(timer)
  process.stdout.write(keep ? '\nStopping; the servers leave the list when their time is over.\n' : '\nThe servers go offline.\n')
  const left = servers.values()
  const goodbye = async () => {
    for (const server of left) await server.stop(!keep)
  }
  await Promise.all(Array.from({ length: CONCURRENT_STOPS }, goodbye))
  report()
  process.exit(0)
}

/** Starts and stops the program: configuration, database, migrations, listeners. */
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createBus } from '#backend/platform/cluster/postgres-bus.ts'
import { migrateDatabase } from '#backend/platform/database/migrate.ts'
import { openDatabase } from '#backend/platform/database/open.ts'
import { type App, createApp } from './app/app.ts'
import { systemClock } from './platform/clock.ts'
import { createDataFolder } from './platform/data-folder.ts'
import { type Env, readEnv } from './platform/env.ts'
import { createFetchPublic, createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { createResolverWithTtl } from '#backend/platform/outbound/resolver.ts'
import { openPages } from '#backend/platform/http/pages.ts'
import { createLog } from './platform/log.ts'
import { onStopSignal } from './platform/stop-signals.ts'
import { RELEASE } from './platform/version.ts'

/** A shutdown that takes longer is stuck; the supervisor would kill it anyway. */
const SHUTDOWN_TIMEOUT_MS = 20_000

export interface Running {
  readonly env: Env
  readonly panelPort: number
  readonly masterlistPort: number
  stop(): Promise<void>
}

/** Resolves once both listeners accept requests. Throws errors that are readable at the terminal. */
export async function run(env: Env = readEnv(), withPages = true): Promise<Running> {
  const nodeId = randomUUID()
  const log = createLog(env.LOG_LEVEL, { nodeId })
  const pages = withPages ? openPages() : undefined
  createDataFolder(env.DATA_DIR)
  const database = await openDatabase(env, log)
  let app: App | undefined
  try {
    await migrateDatabase(database, log)
    // Only one program at a time can use an embedded database.
    const bus = createBus({ clock: systemClock, log }, env.DATABASE_URL === undefined ? undefined : database.connection, nodeId)
    const { db, databaseHealth, connection } = database
    const clients = {
      fetchPublic: createFetchPublic(),
      postPublic: createPostPublic({}, env.WEBHOOKS_PRIVATE),
      resolveName: createResolverWithTtl(),
    }
    const started = await createApp({ env, db, connection, databaseHealth, clock: systemClock, log, bus, ...clients }, pages)
    app = started
    const ports = await started.listen()
    return {
      env,
      ...ports,
      async stop() {
        try {
          await started.close()
        } finally {
          await database.close()
        }
      },
    }
  } catch (error) {
    await app?.close().catch(() => undefined)
    await database.close()
    throw explain(error, env.HOST)
  }
}

/** Runs until SIGTERM or SIGINT, also during the start. A second signal ends the process at once. */
export async function serve(): Promise<void> {
  const { promise: starting, resolve: start } = Promise.withResolvers<Running>()
  let isStopping = false
  // Before anything else: without a handler, a signal would end the program and leave its database running.
  onStopSignal((signal) => {
    isStopping = true
    void stop(signal, starting)
  })
  start(run())
  const running = await starting
  if (!isStopping) greet(running)
}

async function stop(signal: string, starting: Promise<Running>): Promise<never> {
  print(`\n${signal}: finishing requests in flight …\n`)
  const stuck = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
  try {
    const running = await starting
    clearTimeout(stuck)
    setTimeout(() => process.exit(1), running.env.DRAIN_SECONDS * 1000 + SHUTDOWN_TIMEOUT_MS).unref()
    await running.stop()
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  }
  print('Stopped.\n')
  process.exit(0)
}

function greet({ env, panelPort, masterlistPort }: Running): void {
  const host = ['127.0.0.1', '::', '0.0.0.0'].includes(env.HOST) ? 'localhost' : env.HOST
  print(`
  Muster ${RELEASE}

  Panel        ${env.PUBLIC_URL ?? `http://${host}:${panelPort}`}
  Master list  ${env.MASTERLIST_PUBLIC_URL ?? `http://${host}:${masterlistPort}`}

  ${signInHint(env)}

`)
}

function signInHint(env: Env): string {
  const ways = [...(env.DISCORD_CLIENT_ID === undefined ? [] : ['Discord']), ...env.OIDC_PROVIDERS.map(({ label }) => label)]
  if (!env.usesLocalIdentity) return `Sign in with ${ways.join(' or ') || 'nothing: no identity provider is configured'}.`
  const reach = env.HOST === '127.0.0.1' ? 'Only this machine can reach it.' : `Reachable on ${env.HOST}: allow only people you trust.`
  return `No Discord application is configured: sign in with any name, or as "admin" to be an administrator. ${reach}`
}

/** Never throws, even if the terminal is gone or the disk is full. */
function print(text: string): void {
  try {
    writeSync(1, text)
  } catch {}
}

/** A sentence for an address that can't be listened on. */
function explain(error: unknown, host: string): unknown {
  const { code, syscall, port, address, hostname } = error as NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }
  if (syscall !== 'listen' && hostname !== host) return error
  if (code !== undefined && ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(code))
    return new Error(`This machine has no address ${hostname ?? address}. Set HOST to one of its addresses, or remove HOST.`, {
      cause: error,
    })
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. Is another Muster running? Choose another with PORT or MASTERLIST_PORT.`, { cause: error })
  if (code === 'EACCES')
    return new Error(`Port ${port} requires more privileges. Choose one above 1023 with PORT or MASTERLIST_PORT.`, {
      cause: error,
    })
  return error
}

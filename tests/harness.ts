/**
 * Starts the whole program on two real listeners and a real Postgres, with users who call it. Example: `const app = await startApp()`,
 * `const alice = await app.signIn('alice')`, `await alice.call(servers.create, { body: { name: 'My server' } })`.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, createApp } from '#backend/app/app.ts'
import { openPages } from '#backend/platform/http/pages.ts'
import { createBus } from '#backend/platform/cluster/postgres-bus.ts'
import { connectMonitored, type Db } from '#backend/platform/database/open.ts'
import { type Env, readEnv } from '#backend/platform/env.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { FindingWriter } from '#backend/core/protection/finding-writer.ts'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import type { FetchPublic, PostPublic } from '#backend/platform/outbound/guarded-client.ts'
import type { FaultProxy } from './fault-proxy.ts'
import { TEMPLATE } from './global-setup.ts'
import { memoryLog } from './memory-log.ts'
import { running } from './running.ts'
import { type SignedInUser, type TestUser, signIn, testUser } from './test-user.ts'

export type { ApiResponse, SignedInUser, TestUser } from './test-user.ts'

export interface TestClock {
  now(): number
  uptime(): number
  /** Advances both clocks, but not the clock of the database. */
  advance(ms: number): void
  /** Sets the error of the wall clock. */
  setClockError(ms: number): void
}

const IDLE_MS = 3000

/** Another program on the same database. */
export interface TestNode {
  readonly panelUrl: string
  readonly listUrl: string
  /** Stops it gracefully. */
  close(): Promise<void>
}

export interface TestApp {
  readonly panelUrl: string
  readonly listUrl: string
  readonly db: Db
  readonly env: Env
  readonly clock: TestClock
  readonly anonymous: TestUser
  /** A program that calls with this API key. */
  withKey(key: string): TestUser
  /** Reports findings as the detectors of the program do. */
  readonly findings: Pick<FindingWriter, 'report' | 'resolve' | 'flush'>
  /** The list in memory, for tests that send more announces than HTTP can. */
  readonly list: Pick<App['list'], 'pipeline' | 'refresh' | 'sinceCycleMs'>
  /** Runs one of the program's repeating tasks (backend/app/jobs.ts) now, and waits until it is done. */
  runJob(name: string): Promise<void>
  /** Signs in through the local provider over HTTP, the way a browser does. */
  signIn(username: string): Promise<SignedInUser>
  /** Signs in a new user. */
  newUser(): Promise<SignedInUser>
  /** Lines logged at warn or above since the last call, without ends of outages. Calling it marks them as expected. */
  takeLogs(): string[]
  /** Every line since the start, at LOG_LEVEL. */
  allLogs(): string
  /** Starts another program on the same database (`isShared`), with its own connections. It stops with the first. */
  addNode(options?: NodeOptions): Promise<TestNode>
  /** Stops the program gracefully and starts it again on the same database. Ports change. @param whileStopped runs between stop and start */
  restart(whileStopped?: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

interface StartOptions {
  /** Connections in the pool. */
  readonly pool?: number
  /** Whether other programs use its database and exchange messages. */
  readonly isShared?: boolean
  /** The address of Postgres instead of the socket, such as a fault proxy. */
  readonly postgres?: FaultProxy['connection']
  /** Fetches URLs that users enter; rejects all of them by default. */
  readonly fetchPublic?: FetchPublic
  /** Sends to URLs that users enter; rejects all of them by default. */
  readonly postPublic?: PostPublic
  /** Resolves names that game servers announce; knows none by default. */
  readonly resolveName?: ResolveWithTtl
  /** Whether it serves the panel's pages, which must be built. */
  readonly hasPages?: boolean
  /** SQL of a migration that is yet to come. */
  readonly migration?: string
}

interface NodeOptions extends Pick<StartOptions, 'postgres'> {
  /** The current error of its wall clock in milliseconds. */
  readonly clockErrorMs?: () => number
}

const noName: ResolveWithTtl = () => Promise.resolve({ addresses: [], ttlSeconds: Infinity, isPartial: false, isInconclusive: false })
const unreachable = () => Promise.reject(invalid('ADDRESS_UNREACHABLE'))

/** Starts the program on its own database. @param variables the environment */
export async function startApp(
  variables: Readonly<Record<string, string>> = {},
  {
    pool = 4,
    isShared = false,
    postgres,
    fetchPublic = unreachable,
    postPublic = unreachable,
    resolveName = noName,
    hasPages = false,
    migration = '',
  }: StartOptions = {},
): Promise<TestApp> {
  const connection = await newDatabase(migration)
  const folder = mkdtempSync(join(tmpdir(), 'muster-app-'))
  const defaults = {
    NODE_ENV: 'test',
    PORT: '0',
    MASTERLIST_PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMITS: 'off',
    DATA_DIR: folder,
  }
  const env = readEnv({ ...defaults, ...variables })
  const { log, takeLogs, allLogs } = memoryLog(env.LOG_LEVEL)
  const clock = testClock()
  // Many programs share one Postgres, so idle connections are closed. Opening one costs more than a job's statement.
  const connectNode = (address: StartOptions['postgres'], poolSize: number, clockErrorMs = () => 0) => {
    const target = { ...connection, ...address }
    const { db: own, databaseHealth } = connectMonitored({ ...target, idleTimeoutMillis: IDLE_MS }, log, poolSize)
    const nodeClock = { uptime: () => clock.uptime(), now: () => clock.now() + clockErrorMs() }
    // The bus compares with the clock of the database, which a test does not advance.
    const busClock = { ...nodeClock, now: () => nodeClock.now() - clock.advanced() }
    const bus = () => createBus({ clock: busClock, log }, isShared ? target : undefined)
    const connected = { env, db: own, connection: { ...target, idleTimeoutMillis: IDLE_MS }, databaseHealth, clock: nodeClock, log }
    const deps = () => ({ ...connected, bus: bus(), fetchPublic, postPublic, resolveName })
    return { db: own, deps }
  }
  const { db, deps } = connectNode(postgres, pool)
  const nodes: { close(): Promise<void> }[] = []
  const pages = hasPages ? openPages() : undefined
  let app: App = await createApp(deps(), pages)
  let ports = await app.listen()
  const panelUrl = () => `http://127.0.0.1:${ports.panelPort}`
  let userCount = 0
  let isClosed = false
  const test: TestApp = {
    get panelUrl() {
      return panelUrl()
    },
    get listUrl() {
      return `http://127.0.0.1:${ports.masterlistPort}`
    },
    db,
    env,
    clock,
    anonymous: testUser(panelUrl, undefined, {}),
    withKey: (key) => testUser(panelUrl, undefined, { authorization: `Bearer ${key}` }),
    get findings() {
      return app.findings
    },
    get list() {
      return app.list
    },
    runJob: (name) => app.runJob(name),
    signIn: (username) => signIn(panelUrl, username),
    newUser: () => signIn(panelUrl, `user${(userCount += 1)}`),
    takeLogs,
    allLogs,
    async addNode(options = {}) {
      if (!isShared) throw new Error('Start the app with { isShared: true }.')
      const own = connectNode(options.postgres, 4, options.clockErrorMs)
      const node = await createApp(own.deps(), undefined)
      const { panelPort, masterlistPort } = await node.listen()
      let closing: Promise<void> | undefined
      const close = () => (closing ??= node.close().then(() => own.db.destroy()))
      nodes.push({ close })
      return { panelUrl: `http://127.0.0.1:${panelPort}`, listUrl: `http://127.0.0.1:${masterlistPort}`, close }
    },
    async restart(whileStopped) {
      await app.close()
      await whileStopped?.()
      app = await createApp(deps(), pages)
      ports = await app.listen()
    },
    async close() {
      if (isClosed) return
      isClosed = true
      running.delete(test)
      for (const node of nodes) await node.close()
      await app.close()
      await db.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  running.add(test)
  return test
}

/** Creates a migrated database. @param migration SQL of a further migration. */
export async function newDatabase(migration = ''): Promise<pg.ClientConfig> {
  const server = { host: inject('socketFolder'), user: 'postgres' }
  const database = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  // Copying files costs less than logging every page.
  await client.query(`create database ${database} template ${TEMPLATE} strategy file_copy`)
  await client.end()
  if (migration !== '') await runSql({ ...server, database }, migration)
  return { ...server, database }
}

async function runSql(connection: pg.ClientConfig, statements: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statements)
  await client.end()
}

function testClock(): TestClock & { advanced(): number } {
  let advancedMs = 0
  let errorMs = 0
  return {
    now: () => Date.now() + advancedMs + errorMs,
    uptime: () => performance.now() + advancedMs,
    advance: (ms) => {
      advancedMs += ms
    },
    advanced: () => advancedMs,
    setClockError: (ms) => {
      errorMs = ms
    },
  }
}

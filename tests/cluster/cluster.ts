/** Several real programs on one real Postgres. Each connects through its own fault proxy, so that one node alone can lose the database. */
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { type Db, connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { type FaultProxy, startFaultProxy } from '#tests/fault-proxy.ts'
import { startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import {
  type Program,
  discard,
  freePort,
  isRunning,
  killHard,
  postgresPids,
  residentMbOf,
  startProgram,
  until,
  untilReady,
} from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'

const DATABASE = 'postgres'
/** The whole suite starts many programs at once. */
const START_WITHIN_MS = 90_000
/** An administrator on every node. */
export const ADMIN = { id: '80351110224678913', username: 'admin' }

/** One node over several runs, on the same ports. */
export interface ClusterNode {
  readonly panelUrl: string
  readonly listUrl: string
  /** Between this node and the database. */
  readonly databaseProxy: FaultProxy
  /** Resolves when it is ready. @param script of another release, with its arguments */
  start(script?: readonly string[]): Promise<void>
  /** SIGKILL: nothing is saved, no other node is notified. */
  kill(): Promise<void>
  /** SIGTERM. Returns the exit code. */
  stop(): Promise<number | null>
  /** All output of the current or the last run. */
  output(): string
  /** Resident memory in megabytes; undefined while it does not run. Linux only. */
  residentMb(): number | undefined
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  /** A direct connection, for inspection and for creating a fleet. `startDatabase` replaces it. */
  readonly db: Db
  /** Sends SIGKILL to every process of Postgres, as when its machine loses power. */
  crashDatabase(): Promise<void>
  /** Restarts Postgres after a crash. */
  startDatabase(): Promise<void>
  /** Points every proxy and `db` to the database with its unix socket in this folder, and closes other connections. */
  failOver(socketFolder: string): Promise<void>
  /** The folder of the database and its socket. */
  readonly folder: string
  /** Signs a user in; the two steps may reach different nodes. Returns the session cookie. */
  signIn(panelUrl: string, who: { readonly id: string; readonly username: string }): Promise<string>
}

const socketIn = (folder: string) => join(folder, '.s.PGSQL.5432')

interface FormerRelease {
  /** Its program, with arguments. */
  readonly script: readonly string[]
  /** For a new database, and the data folders of the nodes. */
  readonly folder: string
}

/**
 * Starts this many nodes in sequence. They stop after the tests of the file.
 * @param variables the environment of each node. @param former the release to start; undefined is this one
 */
export async function startCluster(
  size: number,
  variables: Readonly<Record<string, string>> = {},
  former?: FormerRelease,
): Promise<Cluster> {
  const folder = former?.folder ?? preparedFolder()
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres(folder)
  let db = open(postgres.socketFolder)
  /** The proxies read this object for each connection. */
  const target = { path: socketIn(postgres.socketFolder) }
  const discord = await startFakeDiscord()
  const nodes: ManagedNode[] = []
  const close = async () => {
    await discord.close()
    for (const node of nodes) await node.close()
    await db.destroy().catch(() => undefined)
    await postgres.stop().catch(() => undefined)
    discard(folder)
  }
  closeAfterTest(close)
  for (let index = 0; index < size; index += 1) {
    const databaseProxy = await startFaultProxy(target)
    const own = join(folder, `node-${index}`)
    const node = new ManagedNode(own, databaseProxy, {
      HOST: '127.0.0.1',
      COOKIE_SECRET: 'the-same-on-every-node-of-these-tests',
      DISCORD_CLIENT_ID: 'id',
      DISCORD_CLIENT_SECRET: 'secret',
      DISCORD_AUTHORIZE_URL: `${discord.url}/oauth2/authorize`,
      DISCORD_API_URL: discord.url,
      ADMIN_DISCORD_IDS: ADMIN.id,
      LOG_LEVEL: 'info',
      ...variables,
      PORT: String(await freePort()),
      MASTERLIST_PORT: String(await freePort()),
    })
    nodes.push(node)
    await node.start(former?.script)
  }
  return {
    nodes,
    folder,
    get db() {
      return db
    },
    async crashDatabase() {
      const pids = postgresPids(folder)
      for (const pid of pids) killHard(pid)
      await until(() => pids.every((pid) => !isRunning(pid)))
      await db.destroy().catch(() => undefined)
    },
    async startDatabase() {
      postgres = await startEmbeddedPostgres(folder)
      db = open(postgres.socketFolder)
    },
    async failOver(socketFolder) {
      target.path = socketIn(socketFolder)
      await db.destroy()
      db = open(socketFolder)
      for (const { databaseProxy } of nodes) {
        databaseProxy.cut()
        databaseProxy.restore()
      }
    },
    async signIn(panelUrl, { id, username }) {
      discord.user = { id, username, avatar: null }
      return await signIn(panelUrl)
    },
  }
}

async function signIn(panelUrl: string): Promise<string> {
  const authorize = await fetch(`${panelUrl}/api/auth/discord`)
  const state = new URL(await authorize.text()).searchParams.get('state')
  const response = await fetch(`${panelUrl}/api/auth/discord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: authorize.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
    body: JSON.stringify({ code: 'code', state }),
  })
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith('muster_session'))
  if (cookie === undefined) throw new Error(`The sign-in failed: ${response.status} ${await response.text()}`)
  return cookie.split(';')[0] ?? ''
}

function open(socketFolder: string): Db {
  return connect({ host: socketFolder, user: 'postgres', database: DATABASE }, createLog('silent'), 4)
}

class ManagedNode implements ClusterNode {
  readonly databaseProxy: FaultProxy
  readonly panelUrl: string
  readonly listUrl: string
  readonly #folder: string
  readonly #variables: Readonly<Record<string, string>>
  #program: Program | undefined

  constructor(folder: string, databaseProxy: FaultProxy, variables: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.databaseProxy = databaseProxy
    const { host, port } = databaseProxy.connection
    this.#variables = { ...variables, DATABASE_URL: `postgres://postgres@${host}:${port}/${DATABASE}` }
    this.panelUrl = `http://127.0.0.1:${variables.PORT}`
    this.listUrl = `http://127.0.0.1:${variables.MASTERLIST_PORT}`
  }

  async start(script?: readonly string[]): Promise<void> {
    this.#program = await startProgram(this.#folder, this.#variables, [], script)
    await untilReady(this.#program, START_WITHIN_MS)
  }

  async kill(): Promise<void> {
    this.#program?.child.kill('SIGKILL')
    await this.#program?.ended
  }

  async stop(): Promise<number | null> {
    this.#program?.child.kill('SIGTERM')
    return (await this.#program?.ended) ?? null
  }

  output(): string {
    return this.#program?.output() ?? ''
  }

  residentMb(): number | undefined {
    return residentMbOf(this.#program?.child.pid)
  }

  async close(): Promise<void> {
    await this.kill()
    this.databaseProxy.close()
  }
}

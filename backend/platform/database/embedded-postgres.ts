/**
 * Starts the Postgres that ships with the program: one cluster in the data folder, reachable through a Unix socket only (no port conflicts, not
 * exposed), with fsync on. A Postgres that a killed program left running is adopted (docs/decisions/0002-postgres-and-migrations.md).
 */
import { spawn, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDataFolder, explainFolder } from '#backend/platform/data-folder.ts'
import { type RunAs, expectReachable, reachablePrograms, renameOrDiscard, unprivilegedUser } from './embedded-programs.ts'
import { POSTMASTER_FILE, takeOverStaleLock, isAlive, isPostgres, readyPid } from './postmaster-file.ts'

/** Named after the major version of the data format. A newer major version needs a dump into another folder. */
const CLUSTER = 'pg18'
/** The limit for a Unix socket's path: 107 bytes on Linux, 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 103
const SOCKET = '.s.PGSQL.5432'
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
/** Enough for the pools of one program and for tools. */
const MAX_CONNECTIONS = 60
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

export interface EmbeddedPostgres {
  /** The folder of its Unix socket, which Postgres clients accept as the host. */
  readonly socketFolder: string
  /** Whether it was already running. */
  readonly isAdopted: boolean
  /** Aborts running transactions, writes everything to disk, and resolves when the process has exited. */
  stop(): Promise<void>
}

interface Cluster {
  readonly root: string
  readonly data: string
  readonly programs: string
  readonly runAs: RunAs
}

/** Starts the cluster in `folder`, creating it on first use, or adopts a running one. */
export async function startEmbeddedPostgres(folder: string, maxConnections = MAX_CONNECTIONS): Promise<EmbeddedPostgres> {
  const root = resolve(folder)
  expectShortPath(root)
  createDataFolder(root)
  try {
    return await startIn(root, maxConnections)
  } catch (error) {
    throw explainFolder(root, error)
  }
}

async function startIn(root: string, maxConnections: number): Promise<EmbeddedPostgres> {
  const data = join(root, CLUSTER)
  const runAs = unprivilegedUser()
  own(root, runAs)
  expectReachable(root, runAs)
  const programs = reachablePrograms(root, runAs)
  const cluster = { root, data, programs, runAs }
  if (!fs.existsSync(join(data, 'PG_VERSION'))) initialize(cluster)
  const running = readyPid(data)
  const pid = running ?? (await start(cluster, maxConnections))
  return { socketFolder: root, isAdopted: running !== undefined, stop: () => stop(data, pid) }
}

/** The running Postgres in `folder`, if any. Starts nothing. */
export function runningEmbeddedPostgres(folder: string): Pick<EmbeddedPostgres, 'socketFolder'> | undefined {
  const root = resolve(folder)
  return readyPid(join(root, CLUSTER)) === undefined ? undefined : { socketFolder: root }
}

/** Whether `folder` has a database, running or not. */
export function hasEmbeddedDatabase(folder: string): boolean {
  return fs.existsSync(join(resolve(folder), CLUSTER, 'PG_VERSION'))
}

function own(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(path, uid, gid)
}

function expectShortPath(root: string): void {
  if (Buffer.byteLength(join(root, SOCKET)) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`The path of the data folder ${root} is too long for a Unix socket. Set DATA_DIR to a shorter one.`)
}

/** Creates the cluster under a temporary name and renames it, so that a kill leaves no incomplete cluster. */
function initialize({ root, data, programs, runAs }: Cluster): void {
  for (const name of fs.readdirSync(root)) {
    if (name.startsWith(`${CLUSTER}.`) && !isAlive(Number(name.slice(CLUSTER.length + 1)))) {
      fs.rmSync(join(root, name), { recursive: true, force: true })
    }
  }
  const temporary = `${data}.${process.pid}`
  fs.mkdirSync(temporary, { mode: 0o700 })
  own(temporary, runAs)
  const result = spawnSync(
    join(programs, 'bin', 'initdb'),
    ['-D', temporary, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'],
    { ...runAs, env: ENVIRONMENT, cwd: root, encoding: 'utf8' },
  )
  if (result.status !== 0) {
    fs.rmSync(temporary, { recursive: true, force: true })
    throw new Error(`Could not create the database in ${root}: ${result.error?.message ?? result.stderr.trim()}`)
  }
  renameOrDiscard(temporary, data)
}

/** Retries until Postgres runs, because a killed postmaster may keep its shared memory for a moment. */
async function start(cluster: Cluster, maxConnections: number): Promise<number> {
  const { root, data } = cluster
  const deadline = performance.now() + START_TIMEOUT_MS
  const logFile = join(root, 'postgres.log')
  while (performance.now() < deadline) {
    for (const lockFile of [join(data, POSTMASTER_FILE), join(root, `${SOCKET}.lock`)]) takeOverStaleLock(lockFile)
    let hasExited = false
    launch(cluster, maxConnections, logFile, () => {
      hasExited = true
    })
    while (!hasExited && performance.now() < deadline) {
      const pid = readyPid(data)
      if (pid !== undefined) return pid
      await sleep(15)
    }
    await sleep(200)
    const adopted = readyPid(data)
    if (adopted !== undefined) return adopted
  }
  throw new Error(`The database did not start within ${START_TIMEOUT_MS / 1000} seconds. See its log: ${logFile}.`)
}

function launch({ root, data, programs, runAs }: Cluster, maxConnections: number, logFile: string, onExit: () => void): void {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${root}`,
    'unix_socket_permissions=0700',
    `max_connections=${maxConnections}`,
    'shared_buffers=128MB',
    // Elsewhere than in the data folder, systemd-logind removes it when the user who started the program logs out (RemoveIPC).
    ...(process.platform === 'win32' ? [] : ['dynamic_shared_memory_type=mmap']),
    'log_statement=none',
    // The details of a rejected row are user input.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'log_parameter_max_length_on_error=0',
  ]
  const log = fs.openSync(logFile, 'a', 0o600)
  const child = spawn(join(programs, 'bin', 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...runAs,
    env: ENVIRONMENT,
    cwd: root,
    stdio: ['ignore', log, log],
    detached: true,
  })
  fs.closeSync(log)
  child.unref()
  child.once('exit', onExit).once('error', onExit)
}

async function stop(data: string, pid: number): Promise<void> {
  // The pid may belong to another program now.
  if (!isAlive(pid) || !isPostgres(pid)) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOP_TIMEOUT_MS && isAlive(pid) && fs.existsSync(join(data, POSTMASTER_FILE)); waited += 10) await sleep(10)
}

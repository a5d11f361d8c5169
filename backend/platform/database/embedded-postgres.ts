/**
 * Starts the Postgres that ships with the program: one cluster in the data folder, reached over a unix socket only (no port to clash, nothing
 * exposed), fsync on. One that a killed parent left behind is taken over (docs/decisions/0003-embedded-postgres.md).
 */
import { spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunAs, reachablePrograms, renameOrDiscard, unprivilegedUser } from './embedded-programs.ts'
import { POSTMASTER_FILE, disownDead, isAlive, isPostgres, readyPid } from './postmaster-file.ts'

/** The data format's major version; a newer major needs a logical copy into a folder of its own. */
const CLUSTER = 'pg18'
/** A unix socket's path may hold 107 bytes on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES = 103
const SOCKET = '.s.PGSQL.5432'
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
/** One program's pool, its second one, and tools beside it. */
const CONNECTIONS = 60
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

export interface EmbeddedPostgres {
  /** The folder of its unix socket; a Postgres client takes it as the host. */
  readonly socketFolder: string
  /** True where it was running already. */
  readonly isAdopted: boolean
  /** Ends running transactions, writes everything to disk, and resolves when the process is gone. */
  stop(): Promise<void>
}

interface Cluster {
  readonly root: string
  readonly data: string
  readonly programs: string
  readonly socketFolder: string
  readonly runAs: RunAs
}

/** Starts the cluster in `folder`, making it on first use, or takes over the one that runs there. @param connections at most, if started. */
export async function startEmbeddedPostgres(folder: string, connections = CONNECTIONS): Promise<EmbeddedPostgres> {
  const root = resolve(folder)
  const data = join(root, CLUSTER)
  const runAs = unprivilegedUser()
  fs.mkdirSync(root, { recursive: true, mode: 0o700 })
  own(root, runAs)
  const programs = reachablePrograms(root, runAs)
  const socketFolder = makeSocketFolder(root, runAs)
  const cluster = { root, data, programs, socketFolder, runAs }
  if (!fs.existsSync(join(data, 'PG_VERSION'))) initialise(cluster)
  const running = readyPid(data)
  const pid = running ?? (await start(cluster, connections))
  return { socketFolder, isAdopted: running !== undefined, stop: () => stop(data, pid) }
}

/** The one that runs in `folder` now; undefined where none does. Starts nothing. */
export function runningEmbeddedPostgres(folder: string): Pick<EmbeddedPostgres, 'socketFolder'> | undefined {
  const root = resolve(folder)
  return readyPid(join(root, CLUSTER)) === undefined ? undefined : { socketFolder: socketFolderOf(root) }
}

function own(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(path, uid, gid)
}

function socketFolderOf(root: string): string {
  if (Buffer.byteLength(join(root, SOCKET)) <= SOCKET_PATH_BYTES) return root
  return join(tmpdir(), `muster-${hash('sha256', root).slice(0, 12)}`)
}

function makeSocketFolder(root: string, runAs: RunAs): string {
  const folder = socketFolderOf(root)
  if (folder === root) return root
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = fs.lstatSync(folder)
  if (uid !== process.getuid?.() && uid !== runAs.uid) {
    throw new Error('The folder for the database socket belongs to somebody else. Choose a DATA_DIR with a shorter path.')
  }
  own(folder, runAs)
  return folder
}

/** Makes a cluster under another name and renames it: a kill half-way leaves no half cluster behind. */
function initialise({ root, data, programs, runAs }: Cluster): void {
  for (const name of fs.readdirSync(root)) {
    if (name.startsWith(`${CLUSTER}.`) && !isAlive(Number(name.slice(CLUSTER.length + 1)))) {
      fs.rmSync(join(root, name), { recursive: true, force: true })
    }
  }
  const half = `${data}.${process.pid}`
  fs.mkdirSync(half, { mode: 0o700 })
  own(half, runAs)
  const made = spawnSync(
    join(programs, 'bin', 'initdb'),
    ['-D', half, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'],
    { ...runAs, env: ENVIRONMENT, cwd: root, encoding: 'utf8' },
  )
  if (made.status !== 0) {
    fs.rmSync(half, { recursive: true, force: true })
    throw new Error(`The database could not be made in ${root}: ${made.error?.message ?? made.stderr.trim()}`)
  }
  renameOrDiscard(half, data)
}

/** Tries again until it runs: a postmaster that was just killed may hold its shared memory a moment longer. */
async function start(cluster: Cluster, connections: number): Promise<number> {
  const { root, data, socketFolder } = cluster
  const deadline = performance.now() + START_TIMEOUT_MS
  const logFile = join(root, 'postgres.log')
  while (performance.now() < deadline) {
    for (const lockFile of [join(data, POSTMASTER_FILE), join(socketFolder, `${SOCKET}.lock`)]) disownDead(lockFile)
    let hasExited = false
    launch(cluster, connections, logFile, () => {
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
  throw new Error(`The database did not start within ${START_TIMEOUT_MS / 1000} seconds. Its own words are in ${logFile}.`)
}

function launch({ root, data, programs, socketFolder, runAs }: Cluster, connections: number, logFile: string, onExit: () => void): void {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    `max_connections=${connections}`,
    'shared_buffers=128MB',
    'log_statement=none',
    // Details of a refused row are what people typed.
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
  // The pid may be another program's by now.
  if (!isAlive(pid) || !isPostgres(pid)) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOP_TIMEOUT_MS && isAlive(pid) && fs.existsSync(join(data, POSTMASTER_FILE)); waited += 10) await sleep(10)
}

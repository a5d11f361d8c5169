/**
 * Supervises the real Postgres that ships with the program: one cluster in the data folder, reached over a unix socket only
 * (no port to clash, nothing exposed), fsync on. A running one that a killed parent left behind is taken over.
 * The why and the measurements: docs/decisions/0003-embedded-postgres.md.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPackageJSON } from 'node:module'
import { POSTMASTER_FILE, disownDead, isAlive, isPostgres, readyPid } from './postmaster-file.ts'

/** The data format's major version; a newer major needs a logical copy into a folder of its own. */
const CLUSTER = 'pg18'
/** A unix socket's path may hold 107 bytes on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES = 103
const SOCKET = '.s.PGSQL.5432'
const START_TIMEOUT_MS = 60_000
/** One program's pool, its second one, and tools beside it. */
const CONNECTIONS = 60

export interface EmbeddedPostgres {
  /** The folder of its unix socket; a Postgres client takes it as the host. */
  readonly socketFolder: string
  /** True where it was running already. */
  readonly isAdopted: boolean
  /** Stops it: lets running transactions end abruptly, writes everything to disk. Resolves when the process is gone. */
  stop(): Promise<void>
}

interface RunAs {
  uid?: number
  gid?: number
}

/**
 * Starts the cluster in `folder`, making it on first use, or takes over the one that runs there.
 * @param connections as many as it takes at once, where it has to be started.
 */
export async function startEmbeddedPostgres(folder: string, connections = CONNECTIONS): Promise<EmbeddedPostgres> {
  const root = resolve(folder)
  const data = join(root, CLUSTER)
  const runAs = unprivilegedUser()
  fs.mkdirSync(root, { recursive: true, mode: 0o700 })
  own(root, runAs)
  const programs = reachablePrograms(root, runAs)
  const socketFolder = makeSocketFolder(root, runAs)
  if (!fs.existsSync(join(data, 'PG_VERSION'))) initialise(programs, root, data, runAs)
  const running = readyPid(data)
  const pid = running ?? (await start(programs, root, data, socketFolder, connections, runAs))
  return { socketFolder, isAdopted: running !== undefined, stop: () => stop(data, pid) }
}

/** The one that runs in `folder` now; undefined where none does. Starts nothing. */
export function runningEmbeddedPostgres(folder: string): Pick<EmbeddedPostgres, 'socketFolder'> | undefined {
  const root = resolve(folder)
  return readyPid(join(root, CLUSTER)) === undefined ? undefined : { socketFolder: socketFolderOf(root) }
}

/** Postgres refuses to run as root; then it runs as `postgres`, or as `nobody` where there is no such user. */
function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return {}
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name)
    if (user?.[2] !== undefined && user[3] !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new Error(
    'Postgres does not run as root, and there is neither a postgres nor a nobody user to run it as. Start Muster as an ordinary user.',
  )
}

function own(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) fs.chownSync(path, uid, gid)
}

function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let manifest: string | undefined
  try {
    manifest = findPackageJSON(name, import.meta.filename)
  } catch {
    // Said below.
  }
  if (manifest === undefined) {
    throw new Error(
      `There is no embedded Postgres for ${platform} on ${process.arch} (${name} is not installed). Set DATABASE_URL to a Postgres of your own.`,
    )
  }
  const root = dirname(manifest)
  linkLibraries(root)
  return join(root, 'native')
}

/** npm packages can't hold symbolic links; the package lists them, and its install script may not have been allowed to run. */
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(root, target)
    if (fs.lstatSync(from, { throwIfNoEntry: false }) === undefined) {
      fs.symlinkSync(relative(dirname(from), join(root, source)), from)
    }
  }
}

/** The programs' folder. Where the unprivileged user can't reach the project (a clone under /root), a copy beside the data. */
function reachablePrograms(root: string, runAs: RunAs): string {
  const packaged = packagedPrograms()
  for (const name of ['postgres', 'initdb']) {
    const path = join(packaged, 'bin', name)
    if ((fs.statSync(path).mode & 0o111) === 0) fs.chmodSync(path, 0o755)
  }
  if (runAs.uid === undefined) return packaged
  if (spawnSync(join(packaged, 'bin', 'postgres'), ['--version'], { ...runAs, cwd: root }).status === 0) return packaged
  const version = spawnSync(join(packaged, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
    .stdout.trim()
    .replace(/[^\w.]+/g, '-')
  const copy = join(root, version)
  if (fs.existsSync(copy)) return copy
  const half = `${copy}.${process.pid}`
  fs.cpSync(packaged, half, { recursive: true, verbatimSymlinks: true })
  renameOrDiscard(half, copy)
  return copy
}

/** Puts a finished folder in its place at one stroke; where another process was quicker, ours goes. */
function renameOrDiscard(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    fs.rmSync(from, { recursive: true, force: true })
    if (!fs.existsSync(to)) throw error
  }
}

function socketFolderOf(root: string): string {
  if (Buffer.byteLength(join(root, SOCKET)) <= SOCKET_PATH_BYTES) return root
  return join(tmpdir(), `muster-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`)
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

const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/** Makes a cluster under another name and renames it: a kill half-way leaves no half cluster behind. */
function initialise(programs: string, root: string, data: string, runAs: RunAs): void {
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

async function start(
  programs: string,
  root: string,
  data: string,
  socketFolder: string,
  connections: number,
  runAs: RunAs,
): Promise<number> {
  const deadline = performance.now() + START_TIMEOUT_MS
  const logFile = join(root, 'postgres.log')
  // A postmaster that was just killed may hold its shared memory a moment longer; the next try finds it gone.
  while (performance.now() < deadline) {
    for (const lockFile of [join(data, POSTMASTER_FILE), join(socketFolder, `${SOCKET}.lock`)]) disownDead(lockFile)
    const log = fs.openSync(logFile, 'a', 0o600)
    const child = spawn(
      join(programs, 'bin', 'postgres'),
      [
        '-D',
        data,
        '-c',
        'listen_addresses=',
        '-c',
        `unix_socket_directories=${socketFolder}`,
        '-c',
        'unix_socket_permissions=0700',
        '-c',
        `max_connections=${connections}`,
        '-c',
        'shared_buffers=128MB',
        '-c',
        'log_statement=none',
        '-c',
        // Details of a refused row are what people typed.
        'log_error_verbosity=terse',
        '-c',
        'log_min_error_statement=panic',
        '-c',
        'log_parameter_max_length_on_error=0',
      ],
      { ...runAs, env: ENVIRONMENT, cwd: root, stdio: ['ignore', log, log], detached: true },
    )
    fs.closeSync(log)
    child.unref()
    let hasEnded = false
    child.once('exit', () => {
      hasEnded = true
    })
    child.once('error', () => {
      hasEnded = true
    })
    while (!hasEnded && performance.now() < deadline) {
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

async function stop(data: string, pid: number): Promise<void> {
  // Its number may belong to somebody else by now.
  if (!isAlive(pid) || !isPostgres(pid)) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < 10_000 && isAlive(pid) && fs.existsSync(join(data, POSTMASTER_FILE)); waited += 10) await sleep(10)
}

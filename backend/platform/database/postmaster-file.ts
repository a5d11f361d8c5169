/** What `postmaster.pid` says: which process is on the data folder, and whether that still lives. */
import * as fs from 'node:fs'
import { join } from 'node:path'

export const POSTMASTER_FILE = 'postmaster.pid'

/** The postmaster's process id where it takes connections; `postmaster.pid` holds the pid in line 1 and the state in line 8. */
export function readyPid(data: string): number | undefined {
  const lines = textOf(join(data, POSTMASTER_FILE))?.split('\n')
  const pid = Number(lines?.[0])
  const isReady = lines?.[7]?.includes('ready') === true
  return isReady && pid !== process.pid && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/** True for a zombie, too. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** After a reboot the pid in a stale file may be any program's. */
export function isPostgres(pid: number): boolean {
  const command = textOf(`/proc/${pid}/cmdline`)
  return command === undefined ? process.platform !== 'linux' : command.includes('postgres') && !isZombie(pid)
}

const isZombie = (pid: number) => /^State:\s+Z/m.test(textOf(`/proc/${pid}/status`) ?? '')

function textOf(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Lets Postgres start on the lock file of a dead postmaster. A killed one stays a zombie until its parent reaps it, which a container's first
 * process may never do, and Postgres takes the pid in a lock file for a running one. For the pid of its own parent, as for one that is gone, it
 * looks only whether the shared memory is in use (CreateLockFile in miscinit.c): so the file gets the pid of this process.
 */
export function disownDead(lockFile: string): void {
  let file: number | undefined
  try {
    // Opened before it is read: where another program's Postgres is quicker, this is the old file, which no process uses any more.
    file = fs.openSync(lockFile, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
    const [pid = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n')
    if (!isZombie(Number(pid))) return
    // Without the state, which says that it is ready: line 7 is the shared memory's.
    const bytes = Buffer.from(`${[process.pid, ...rest.slice(0, 6)].join('\n')}\n`)
    fs.writeSync(file, bytes, 0, bytes.length, 0)
    fs.ftruncateSync(file, bytes.length)
  } catch {
    // There is none, or it isn't ours to write: Postgres logs why it does not start.
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

/** Reads `postmaster.pid`: which process uses the data folder, and whether it is alive. */
import * as fs from 'node:fs'
import { join } from 'node:path'

export const POSTMASTER_FILE = 'postmaster.pid'

/** The postmaster's pid if it accepts connections. The file has the pid in line 1 and the state in line 8. */
export function readyPid(data: string): number | undefined {
  const lines = textOf(join(data, POSTMASTER_FILE))?.split('\n')
  const pid = Number(lines?.[0])
  const isReady = lines?.[7]?.includes('ready') === true
  return isReady && pid !== process.pid && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/** Also true for a zombie. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** After a reboot, the pid in a stale file may belong to any program. */
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
 * Lets Postgres start despite the lock file of a killed postmaster. That stays a zombie until its parent reaps it, which a container's first
 * process may never do, and Postgres takes a zombie for a running postmaster. If the pid is that of its own parent, Postgres checks only whether
 * the shared memory is in use (CreateLockFile in miscinit.c). So this writes the pid of this process into the file.
 */
export function takeOverStaleLock(lockFile: string): void {
  let file: number | undefined
  try {
    // Opened before reading: if another program's Postgres is faster, this is the old file, which no process uses.
    file = fs.openSync(lockFile, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
    const [pid = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n')
    if (!isZombie(Number(pid))) return
    // Keeps line 7 (the shared memory) and drops line 8 (the state `ready`).
    const bytes = Buffer.from(`${[process.pid, ...rest.slice(0, 6)].join('\n')}\n`)
    fs.writeSync(file, bytes, 0, bytes.length, 0)
    fs.ftruncateSync(file, bytes.length)
  } catch {
    // No file, or not writable: Postgres logs why it does not start.
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

/** What `postmaster.pid` says: which process is on the data folder, and whether that still lives. */
import * as fs from 'node:fs'
import { join } from 'node:path'

export const POSTMASTER_FILE = 'postmaster.pid'

/** The postmaster's process id where it takes connections; `postmaster.pid` holds the pid in line 1 and the state in line 8. */
export function readyPid(data: string): number | undefined {
  let lines: string[]
  try {
    lines = fs.readFileSync(join(data, POSTMASTER_FILE), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  const isReady = lines[7]?.includes('ready') === true
  return isReady && pid !== process.pid && isAlive(pid) && isPostgres(pid) ? pid : undefined
}

/** Also where it has ended and nobody has asked what became of it. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** After a reboot the pid in a stale file may be anybody's. */
export function isPostgres(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres') && !isZombie(pid)
  } catch {
    return process.platform !== 'linux'
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * A postmaster that was killed keeps its number until its parent asks what became of it: a second later where that was the program and was
 * killed, too, and never where a container's first process does not ask. Postgres takes the number in a lock file for one that runs, and does
 * not start. But it knows its own parent for another one, and then looks only whether the shared memory is still in use, as it does where the
 * number is nobody's (CreateLockFile in miscinit.c): so the file of a dead one is given the number of this process.
 */
export function disownDead(lockFile: string): void {
  let file: number | undefined
  try {
    // Opened before it is read: where another program's Postgres is quicker, this is the old file, which nobody looks at any more.
    file = fs.openSync(lockFile, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
    const [pid = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n')
    if (!isZombie(Number(pid))) return
    // Not the state, which says that it is ready: line 7 is the shared memory's.
    const bytes = Buffer.from(`${[process.pid, ...rest.slice(0, 6)].join('\n')}\n`)
    fs.writeSync(file, bytes, 0, bytes.length, 0)
    fs.ftruncateSync(file, bytes.length)
  } catch {
    // There is none, or it is not ours to write: Postgres says in its log why it does not start.
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}

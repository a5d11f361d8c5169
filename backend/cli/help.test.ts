/** Help texts match the commands they describe. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DRY_RUN_KINDS } from '#backend/services/detection/dry-run.ts'
import { RELEASE } from '#backend/platform/version.ts'
import { ANNOUNCE_OPTIONS } from './announce.ts'
import { BACKUP_OPTIONS, RESTORE_OPTIONS } from './backup.ts'
import { DOCTOR_OPTIONS } from './doctor.ts'
import { GENERAL_HELP, helpOf } from './help.ts'
import { KEYS_OPTIONS } from './keys.ts'
import { MIRROR_OPTIONS } from './mirror.ts'
import { PROTECTION_OPTIONS } from './protection.ts'
import { SIMULATE_OPTIONS } from './simulate.ts'

test.each([
  'serve',
  'dev',
  'migrate',
  'backup',
  'restore',
  'doctor',
  'announce',
  'demo',
  'simulate',
  'admin',
  'protection',
  'keys',
  'mirror',
])('%s has its own help and is listed', (command) => {
  expect(helpOf(command)).toMatch(/^Usage: /)
  expect(helpOf(command)).not.toBe(GENERAL_HELP)
  expect(GENERAL_HELP).toContain(`\n  ${command} `)
})

test.each([
  ['backup', BACKUP_OPTIONS],
  ['restore', RESTORE_OPTIONS],
  ['doctor', DOCTOR_OPTIONS],
  ['announce', ANNOUNCE_OPTIONS],
  ['simulate', SIMULATE_OPTIONS],
  ['keys', KEYS_OPTIONS],
  ['mirror', MIRROR_OPTIONS],
  ['protection', PROTECTION_OPTIONS],
])('the help of %s lists every option and --help', (command, options) => {
  for (const name of [...Object.keys(options), 'help']) expect(helpOf(command)).toMatch(new RegExp(`^  --${name}( |$)`, 'm'))
})

test('unknown commands get the general help', () => {
  expect(helpOf('unknown')).toBe(GENERAL_HELP)
  expect(helpOf(undefined)).toBe(GENERAL_HELP)
})

test('the help of protection lists every kind with a dry run', () => {
  for (const kind of DRY_RUN_KINDS) expect(helpOf('protection')).toContain(kind)
})

test('--version prints the release, alone and with a command', () => {
  for (const args of [['--version'], ['serve', '--version']]) {
    const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'muster.ts'), ...args], { encoding: 'utf8' })
    expect([stdout, status]).toEqual([`${RELEASE}\n`, 0])
  }
})

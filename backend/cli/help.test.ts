/** Help texts match the commands they describe. */
import { expect, test } from 'vitest'
import { DRY_RUN_KINDS } from '#backend/features/detection/dry-run.ts'
import { GENERAL_HELP, helpOf } from './help.ts'

test.each(['serve', 'dev', 'migrate', 'simulate', 'admin', 'protection'])('%s has its own help and is listed', (command) => {
  expect(helpOf(command)).toMatch(/^Usage: /)
  expect(helpOf(command)).not.toBe(GENERAL_HELP)
  expect(GENERAL_HELP).toContain(`\n  ${command} `)
})

test('unknown commands get the general help', () => {
  expect(helpOf('unknown')).toBe(GENERAL_HELP)
  expect(helpOf(undefined)).toBe(GENERAL_HELP)
})

test('the help of protection lists every kind with a dry run', () => {
  for (const kind of DRY_RUN_KINDS) expect(helpOf('protection')).toContain(kind)
})

/** `npm run check`: form, lint and types. One command for a person and for CI; the first failure is the last line. */
import { spawnSync } from 'node:child_process'

const ROOMS = ['backend', 'contract', 'web', 'tests', 'bench']

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-b'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', ...ROOMS],
  ['format', 'oxfmt', '--check', ...ROOMS],
]

for (const [name, command, ...args] of STEPS) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`check: ${name} failed`)
    process.exit(1)
  }
}
console.log('check: types, lint and format are fine')

/** `npm run check`: types, lint, format, and that no released migration changed. One command for a person and for CI; the first failure is the last line. */
import { spawnSync } from 'node:child_process'

const ROOMS = ['backend', 'contract', 'web', 'tests', 'bench']

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-b'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', ...ROOMS],
  ['format', 'oxfmt', '--check', ...ROOMS],
  ['migrations', 'node', 'tests/released-migrations.ts'],
]

for (const [name, command, ...args] of STEPS) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`check: ${name} failed`)
    process.exit(1)
  }
}
console.log('check: types, lint, format and migrations are fine')

/**
 * `npm run test:races`: the races at full size, on real Postgres. `npm test` runs the same at a small size. MUSTER_RACE_ROUNDS and
 * MUSTER_RACE_WIDTH change the size; what follows the command goes to vitest (`npm run test:races -- offers`).
 */
import { spawnSync } from 'node:child_process'

const env = { MUSTER_RACE_ROUNDS: '200', MUSTER_RACE_WIDTH: '20', ...process.env }
const [folder, ...options] = process.argv.slice(2)
const { status } = spawnSync('vitest', ['run', `tests/races/${folder ?? ''}`, ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)

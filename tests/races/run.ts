/**
 * `npm run test:races`: the races at full size, on real Postgres. `npm test` runs the same at a small size. MUSTER_RACE_ROUNDS and
 * MUSTER_RACE_WIDTH change the size; `npm run test:races -- offers` runs one file of them, and vitest's options may follow.
 */
import { spawnSync } from 'node:child_process'

const env = { MUSTER_RACE_ROUNDS: '200', MUSTER_RACE_WIDTH: '20', ...process.env }
const given = process.argv.slice(2)
const files = given.filter((text) => !text.startsWith('-')).map((name) => `tests/races/${name}`)
const options = given.filter((text) => text.startsWith('-'))
const { status } = spawnSync('vitest', ['run', ...(files.length > 0 ? files : ['tests/races/']), ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)

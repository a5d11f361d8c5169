/** `npm run test:model`: many more sequences than `npm test` runs. MUSTER_MODEL_RUNS says how many, MUSTER_MODEL_SEED which. */
import { spawnSync } from 'node:child_process'

const env = { MUSTER_MODEL_RUNS: '5000', ...process.env }
const { status } = spawnSync('vitest', ['run', 'tests/model/', ...process.argv.slice(2)], { stdio: 'inherit', env })
process.exit(status ?? 1)

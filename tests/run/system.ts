/**
 * `npm run test:system`: kills, outages, several nodes, races, random sequences and long runs at a small size. `npm run test:system -- races`
 * runs only files whose path contains `races`. `--full` is full size, for an idle machine. The variables of system-tests.ts set single sizes.
 */
import { runSystemTests } from './system-tests.ts'
import { exitWithTotal } from './test-run.ts'

const filters = process.argv.slice(2).filter((arg) => arg !== '--full')
exitWithTotal([await runSystemTests({ isFull: process.argv.includes('--full'), filters })])

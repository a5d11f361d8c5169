/**
 * `npm test`: rules and HTTP (Vitest), then the journeys in a browser (Playwright). The rest is `npm run test:system`. The last line
 * is the total. `npm test -- unit` or `npm test -- journeys` runs one of them.
 */
import { exitWithTotal, runPlaywright, runVitest } from './test-run.ts'

const only = process.argv[2]
exitWithTotal([
  ...(only === 'journeys' ? [] : [runVitest(['--project', 'pure', '--project', 'api'])]),
  ...(only === 'unit' ? [] : [runPlaywright()]),
])

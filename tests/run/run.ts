/**
 * `npm test`: rules and HTTP (Vitest), then the journeys in a browser (Playwright). The last line is the total. `npm test -- unit` or
 * `npm test -- journeys` runs one of them. `npm test -- all` runs the system tests too, beside the others, because they mostly wait.
 */
import { setPriority } from 'node:os'
import { runSystemTests } from './system-tests.ts'
import { exitWithTotal, runPlaywright, runVitest } from './test-run.ts'

/** Below the system tests, which wait for real programs. */
const NICE = 5

const only = process.argv[2]
const system = only === 'all' ? runSystemTests() : undefined
if (system !== undefined) setPriority(NICE)
exitWithTotal([
  ...(only === 'journeys' ? [] : [await runVitest(['--project', 'pure', '--project', 'api*'])]),
  ...(only === 'unit' ? [] : [await runPlaywright()]),
  ...(system === undefined ? [] : [await system]),
])

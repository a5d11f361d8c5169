/**
 * `npm test`: rules and HTTP (Vitest), then the journeys in a browser (Playwright). The last line is the total. `npm test -- unit` or
 * `npm test -- journeys` runs one of them. `npm test -- all` runs the system tests too.
 */
import { exitWithTotal, runPlaywright, runVitest } from './test-run.ts'

const only = process.argv[2]
const projects = ['--project', 'pure', '--project', 'api*']
if (only === 'all') projects.push('--project', 'system')
exitWithTotal([...(only === 'journeys' ? [] : [await runVitest(projects)]), ...(only === 'unit' ? [] : [await runPlaywright()])])

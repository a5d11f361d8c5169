/** Runs Vitest or Playwright, then prints the failures again, because their output is far above, and the total. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { COMPILE_CACHE } from '#backend/cli/runtime-options.ts'

export interface Sum {
  passed: number
  failed: number
  skipped: number
  /** Tests that passed only on a retry. They are included in `passed`. */
  flaky: number
  /** Failed tests without a browser. */
  failures: readonly string[]
}

interface TestResult {
  status: string
  fullName: string
  /** From all attempts. */
  failureMessages: string[]
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; status: string; message: string; assertionResults: TestResult[] }[]
}

type Environment = Readonly<Record<string, string | undefined>>

const FIRST_LINES = 12

/** @param count reads the report, which the command writes to `reportFile` */
async function run(
  command: string,
  args: readonly string[],
  env: Environment,
  reportFile: string,
  count: (report: unknown) => Sum,
): Promise<Sum> {
  // Node and what the tests start then load compiled files, also without its TypeScript compiler.
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env } })
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0, flaky: 0, failures: [`${command} exited without a report`] }
  const sum = count(JSON.parse(readFileSync(reportFile, 'utf8')))
  rmSync(dirname(reportFile), { recursive: true })
  // A failure outside of any test (a crash, an unhandled rejection) counts as one failure.
  if (status === 0 || sum.failed > 0) return sum
  return { ...sum, failed: 1, failures: [`${command} ended with ${status ?? signal}, outside of any test`] }
}

const newReport = () => join(mkdtempSync(join(tmpdir(), 'muster-run-')), 'report.json')

function failuresOf({ name, status, message, assertionResults }: VitestReport['testResults'][number]): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  // A file that cannot be loaded has no tests, only a message.
  if (failed.length === 0) return status === 'failed' ? [`${name}: ${message}`] : []
  return failed.map(({ fullName, failureMessages: [first = ''] }) => {
    return `${name} > ${fullName}\n    ${first.split('\n').slice(0, FIRST_LINES).join('\n    ')}`
  })
}

/** Runs Vitest with these arguments. */
export function runVitest(args: readonly string[], env: Environment = process.env): Promise<Sum> {
  const file = newReport()
  return run('vitest', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], env, file, (report) => {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = report as VitestReport
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    const flaky = tests.filter((test) => test.status === 'passed' && test.failureMessages.length > 0).length
    const failures = testResults.flatMap(failuresOf)
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, flaky, failures }
  })
}

/** Runs the journeys. */
export function runPlaywright(): Promise<Sum> {
  const file = newReport()
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  return run('playwright', ['test', '--reporter=list,json'], env, file, (report) => {
    const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, flaky: stats.flaky, failures: [] }
  })
}

/** Prints failures and the total, and exits: with 0 if tests passed and none failed. */
export function exitWithTotal(sums: readonly Sum[]): never {
  const total = (key: 'passed' | 'failed' | 'skipped' | 'flaky') => sums.reduce((sum, one) => sum + one[key], 0)
  const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : ''
  const flaky = total('flaky') > 0 ? `, ${total('flaky')} passed only on a retry` : ''
  for (const failure of sums.flatMap(({ failures }) => failures)) console.log(`\nfailed: ${failure}`)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped}${flaky}`)
  process.exit(total('failed') === 0 && total('passed') > 0 ? 0 : 1)
}

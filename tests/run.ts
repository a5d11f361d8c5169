/**
 * `npm test`: rules and HTTP (Vitest), then the journeys in a browser (Playwright). The rest is `npm run test:system`. The last line
 * is the total. `npm test -- unit` or `npm test -- journeys` runs one of them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Sum {
  passed: number
  failed: number
  skipped: number
  /** Journeys that passed only on a retry. They are included in `passed`. */
  flaky: number
  /** Failed tests without a browser, repeated at the end because their output is far above. */
  names: readonly string[]
}

interface UnitReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'muster-run-'))
const only = process.argv[2]

function run(
  command: string,
  args: readonly string[],
  reportFile: string,
  count: (report: unknown) => Sum,
  env: Record<string, string> = {},
): Sum {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0, flaky: 0, names: [`${command} exited without a report`] }
  const sum = count(JSON.parse(readFileSync(reportFile, 'utf8')))
  // A failure outside of any test (a crash, an unhandled rejection) counts as one failure.
  return status !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum
}

function failuresOf({ name, status, message, assertionResults }: UnitReport['testResults'][number]): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  // A file that cannot be loaded has no tests, only a message.
  if (failed.length === 0) return status === 'failed' ? [`${name}: ${message}`] : []
  return failed.map((test) => `${name} > ${test.fullName}\n    ${(test.failureMessages[0] ?? '').split('\n').slice(0, 12).join('\n    ')}`)
}

function units(): Sum {
  const file = join(folder, 'vitest.json')
  return run(
    'vitest',
    ['run', '--project', 'pure', '--project', 'api', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    file,
    (report) => {
      const { numPassedTests, numFailedTests, numPendingTests, testResults } = report as UnitReport
      const names = testResults.flatMap(failuresOf)
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, flaky: 0, names }
    },
  )
}

function journeys(): Sum {
  const file = join(folder, 'playwright.json')
  return run(
    'playwright',
    ['test', '--reporter=list,json'],
    file,
    (report) => {
      const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped, flaky: stats.flaky, names: [] }
    },
    { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  )
}

const sums = [...(only === 'journeys' ? [] : [units()]), ...(only === 'unit' ? [] : [journeys()])]
rmSync(folder, { recursive: true, force: true })
const total = sums.reduce((all, sum) => ({
  passed: all.passed + sum.passed,
  failed: all.failed + sum.failed,
  skipped: all.skipped + sum.skipped,
  flaky: all.flaky + sum.flaky,
  names: [...all.names, ...sum.names],
}))
const more = [total.skipped > 0 ? `, ${total.skipped} skipped` : '', total.flaky > 0 ? `, ${total.flaky} passed only on a retry` : '']
for (const name of total.names) console.log(`\nfailed: ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed${more.join('')}`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

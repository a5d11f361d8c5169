/** The conformance kit finds exactly the rule that an announcer breaks. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ANNOUNCE_ERRORS, LIST_ERRORS } from '#contract/list-codes.ts'
import { jsonReport, junitReport, summary } from '#sdk/conform/report.ts'
import { RULES } from '#sdk/conform/rules.ts'
import { runScenarios } from '#sdk/conform/run.ts'
import { SCENARIOS } from '#sdk/conform/scenarios/index.ts'
import { REJECTIONS, THROTTLES } from '#sdk/conform/scenarios/rejected.ts'

const BROKEN = join(import.meta.dirname, 'broken-announcer.ts')

async function run(scenarios: readonly string[], fault: string) {
  const command = [process.execPath, BROKEN, fault]
  const startedAt = performance.now()
  const chosen = SCENARIOS.filter(({ name }) => scenarios.includes(name))
  expect(chosen).toHaveLength(scenarios.length)
  const results = await runScenarios(chosen, command, 16)
  return { command, results, seconds: (performance.now() - startedAt) / 1000 }
}

const brokenRules = ({ results }: Awaited<ReturnType<typeof run>>) => [
  ...new Set(results.flatMap(({ failures }) => failures.map(({ rule }) => rule))),
]

/** A fault of the announcer, the scenarios that show it, and the rule that it breaks. */
const FAULTS: readonly (readonly [fault: string, scenarios: readonly string[], rules: readonly string[]])[] = [
  ['none', ['first-announces', 'goodbye-interrupt', 'rejected-body-invalid', 'throttled-lower-case', 'reset', 'hidden'], []],
  ['none', ['redirected-302', 'goodbye-redirected'], []],
  ['path', ['goodbye-url-with-slash', 'goodbye'], ['path']],
  ['credential', ['goodbye'], ['credential']],
  ['fields', ['goodbye'], ['fields']],
  ['settings', ['goodbye'], ['settings']],
  ['interval', ['first-announces'], ['interval']],
  ['retry-after', ['throttled-lower-case'], ['retry-after']],
  ['rejection-pace', ['rejected-server-banned'], ['rejection-pace']],
  ['stays-alive', ['rejected-server-banned'], ['stays-alive']],
  ['pace', ['reset'], ['pace']],
  ['overflow', ['interval-huge'], ['pace']],
  ['redirect', ['redirected-303', 'goodbye-redirected'], ['redirect']],
  ['silent', ['rejected-server-banned', 'hidden'], ['prints-notices', 'prints-rejections']],
  ['keeps-secret', ['goodbye'], ['keeps-secret']],
  ['goodbye', ['goodbye'], ['goodbye']],
  ['last-word', ['goodbye'], ['last-word']],
]

test('a broken announcer fails exactly the rule that it breaks, and an honest one passes', async () => {
  const found = await Promise.all(FAULTS.map(async ([fault, scenarios]) => [fault, brokenRules(await run(scenarios, fault)).toSorted()]))
  expect(found).toEqual(FAULTS.map(([fault, , rules]) => [fault, rules]))
})

test('the reports say what was seen, why it matters and how to mend it, without the credential', async () => {
  const broken = await run(['goodbye', 'goodbye-rejected'], 'keeps-secret')
  const report = JSON.parse(jsonReport(broken)) as { passed: number; failed: number; scenarios: { failures: object[]; wire: string[] }[] }
  expect(report).toMatchObject({ passed: 0, failed: 2 })
  expect(report.scenarios[0]?.failures).toEqual([
    { ...RULES.find(({ id }) => id === 'keeps-secret'), seen: 'the credential is in the output' },
  ])
  expect(report.scenarios[0]?.wire.map((line) => line.split(' ').slice(2, 4))).toEqual([
    ['POST', '/announce'],
    ['DELETE', '/announce'],
  ])
  const xml = junitReport(broken)
  expect(xml).toContain('<testsuite name="muster-conform" tests="2" failures="2"')
  expect(xml + JSON.stringify(report)).not.toMatch(/mst_\w{7}_\w/)
  expect(summary(broken)).toMatch(/^0 of 2 scenarios passed in \d+ s\. Broken rules: keeps-secret\.\n$/)
})

test('the kit plays every rejection of an announce, and has at least 40 scenarios', () => {
  const played = { ...REJECTIONS, ...THROTTLES }
  expect(played).toEqual(Object.fromEntries(Object.keys(played).map((code) => [code, LIST_ERRORS[code as keyof typeof LIST_ERRORS]])))
  expect(Object.keys(played).toSorted()).toEqual([...ANNOUNCE_ERRORS].toSorted())
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length)
})

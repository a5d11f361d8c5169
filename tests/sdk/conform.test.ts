/** The conformance kit finds exactly the rule that an announcer breaks. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ANNOUNCE_ERRORS, LIST_ERRORS } from '#contract/masterlist/list-codes.ts'
import { dualStackName } from '#sdk/conform/dual-stack.ts'
import { jsonReport, junitReport, lineOfResult, summary, textOfResult, textOfRules } from '#sdk/conform/report.ts'
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
  const results = await runScenarios(chosen, command, { jobs: 16 })
  return { command, results, seconds: (performance.now() - startedAt) / 1000 }
}

/** Runs the command. Returns its exit code and its output. */
async function conform(...args: readonly string[]) {
  const main = join(import.meta.dirname, '../../sdk/src/conform/main.ts')
  const ended = promisify(execFile)(process.execPath, [main, ...args])
  const { code = 0, stdout, stderr } = (await ended.catch((error: unknown) => error)) as { code?: number; stdout: string; stderr: string }
  return { code, output: stdout + stderr }
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
  ['wrong-type', ['first-announces'], ['fields', 'json', 'settings']],
  ['goodbye-with-port', ['goodbye'], []],
  ['goodbye-port', ['goodbye'], ['goodbye-port']],
  ['goodbye-without-port', ['goodbye'], ['goodbye-port']],
  ['goodbye-text', ['goodbye'], ['json']],
]
const ENDPOINT_FAULTS: typeof FAULTS = [
  ['none', ['replaced'], ['goodbye-port']],
  ['goodbye-with-port', ['replaced'], []],
  ['none', ['host-name', 'udp-named', 'udp-wrong-length', 'tcp-foreign-signature', 'tcp-other-server'], []],
  ['endpoint', ['host-name'], ['endpoint']],
  ['udp-answer', ['udp-named'], ['udp-answer']],
  ['udp-silence', ['udp-echo'], ['udp-silence']],
  ['tcp-answer', ['tcp-named'], ['tcp-answer']],
  ['tcp-silence', ['tcp-foreign-signature'], ['tcp-silence']],
  ['tcp-silence', ['tcp-other-server'], ['tcp-silence']],
]
const FAMILY_FAULTS: typeof FAULTS = [
  ['none', ['families-both', 'families-list-without-ipv4'], []],
  ['families', ['families-ipv4'], ['families']],
  ['families-goodbye', ['families-goodbye'], ['families']],
]

const findFaults = (faults: typeof FAULTS) =>
  Promise.all(faults.map(async ([fault, scenarios]) => [fault, brokenRules(await run(scenarios, fault)).toSorted()]))
const expectedOf = (faults: typeof FAULTS) => faults.map(([fault, , rules]) => [fault, rules])

test('a broken announcer fails exactly the rule that it breaks, and an honest one passes', async () => {
  expect(await findFaults(FAULTS)).toEqual(expectedOf(FAULTS))
})

test('so does one that names its endpoint and is probed', async () => {
  expect(await findFaults(ENDPOINT_FAULTS)).toEqual(expectedOf(ENDPOINT_FAULTS))
})

test.skipIf((await dualStackName()) === undefined)('so does one that announces over both families', async () => {
  expect(await findFaults(FAMILY_FAULTS)).toEqual(expectedOf(FAMILY_FAULTS))
})

test('what the announcer need not be able to do is skipped by name, and is neither passed nor failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-conform-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junit.xml')
  const only = ['--only', 'udp-named,tcp-foreign-signature']
  const command = [process.execPath, BROKEN, 'udp-answer']
  const [text, json, unknown] = await Promise.all([
    conform('--without', 'udp,signatures', '--junit', file, ...only, ...command),
    conform('--without', 'tcp,udp', '--json', ...only, ...command),
    conform('--without', 'udp,icmp', ...command),
  ])
  expect(text).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^  skip  udp-named: without udp\n  skip  tcp-foreign-signature: without signatures\n\n0 of 0 scenarios passed in \d s\. 2 skipped\.$/m,
    ) as string,
  })
  expect(readFileSync(file, 'utf8')).toContain('<skipped message="without udp"/>')
  expect(JSON.parse(json.output)).toMatchObject({
    passed: 0,
    failed: 0,
    skipped: 2,
    scenarios: [
      { passed: false, skipped: 'without udp' },
      { passed: false, skipped: 'without tcp' },
    ],
  })
  expect(unknown).toMatchObject({
    code: 2,
    output: expect.stringContaining('--without takes endpoint, families, tcp, signatures, udp, and not icmp.') as string,
  })
})

test('the reports say what was seen, why it matters and how to mend it, without the credential', async () => {
  const names = ['goodbye', 'goodbye-rejected', 'goodbye-redirected', 'goodbye-interrupt']
  const [broken, verbose, ruleName] = await Promise.all([
    run(names, 'keeps-secret'),
    conform('--verbose', '--only', names.join(','), process.execPath, BROKEN, 'keeps-secret'),
    conform('--only', 'stays-alive', process.execPath),
  ])
  const report = JSON.parse(jsonReport(broken)) as { passed: number; failed: number; scenarios: { failures: object[]; wire: string[] }[] }
  expect(report).toMatchObject({ passed: 0, failed: 4 })
  expect(report.scenarios[0]?.failures).toEqual([
    { ...RULES.find(({ id }) => id === 'keeps-secret'), seen: 'the credential is in the output' },
  ])
  expect(report.scenarios[0]?.wire.map((line) => line.split(' ').slice(2, 4))).toEqual([
    ['POST', '/announce'],
    ['DELETE', '/announce'],
  ])
  const xml = junitReport(broken)
  expect(xml).toContain('<testsuite name="muster-conform" tests="4" failures="4"')
  expect(xml + JSON.stringify(report)).not.toMatch(/mst_\w{7}_\w/)
  expect(summary(broken)).toMatch(/^0 of 4 scenarios passed in \d+ s\. Broken rules: keeps-secret\.\n$/)
  expect(broken.results.map(lineOfResult).join('')).toMatch(/^(  FAIL  goodbye[\w-]* \(\d\.\d s\): keeps-secret\n){4}$/)
  const text = textOfRules(broken.results)
  expect(text.match(/^  keeps-secret: /gm)).toHaveLength(1)
  expect(text).toMatch(/^    in:   4 of 4 scenarios: goodbye[\w-]*, goodbye[\w-]*, goodbye[\w-]* and 1 more$/m)
  expect(text.match(/^    (why:|fix:|example|seen:|on the wire:|its last output:)/gm)).toHaveLength(6)
  expect(verbose.code).toBe(1)
  expect(verbose.output.match(/^      seen: the credential is in the output$/gm)).toHaveLength(4)
  expect(ruleName).toMatchObject({ code: 2, output: expect.stringContaining('stays-alive is a rule. --only takes scenarios') as string })
})

test('the report of a command that ends before its first announce has its exit code and 30 lines of its output', async () => {
  const program = `for (let line = 1; line <= 40; line += 1) console.log('line ' + line); process.exit(3)`
  const chosen = SCENARIOS.filter(({ name }) => name === 'goodbye')
  const [[ended], [missing]] = await Promise.all([
    runScenarios(chosen, [process.execPath, '-e', program], { jobs: 1 }),
    runScenarios(chosen, ['/no/such/program'], { jobs: 1 }),
  ])
  const seen = expect.stringMatching(/^the program ended before its first announce, with exit code 3 after/) as string
  expect(ended?.failures).toEqual([{ rule: 'first-announce', seen }])
  expect(missing?.failures).toEqual([{ rule: 'first-announce', seen: 'the program could not be started' }])
  expect(ended && textOfResult(ended).match(/^      line \d+$/gm)).toHaveLength(30)
})

test('the kit plays every rejection of an announce, and has at least 40 scenarios', () => {
  const played = { ...REJECTIONS, ...THROTTLES }
  expect(played).toEqual(Object.fromEntries(Object.keys(played).map((code) => [code, LIST_ERRORS[code as keyof typeof LIST_ERRORS]])))
  expect(Object.keys(played).toSorted()).toEqual([...ANNOUNCE_ERRORS].toSorted())
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length)
})

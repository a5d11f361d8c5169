/**
 * `npm run test:examples`: the announcers in `examples/` pass the scenarios of the conformance kit for what they can do, and enter and leave the list
 * of the real program. One whose toolchain is missing is skipped by name. `npm run test:examples -- go php` runs some of them. With
 * `--require`, a missing toolchain of these is a failure.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accepted } from '#sdk/conform/answers.ts'
import { lineOfResult, textOfRules } from '#sdk/conform/report.ts'
import type { Result } from '#sdk/conform/run-scenario.ts'
import { runScenarios } from '#sdk/conform/run.ts'
import type { Scenario } from '#sdk/conform/scenario.ts'
import { SCENARIOS } from '#sdk/conform/scenarios/index.ts'
import { exitWithTotal } from '#tests/run/test-run.ts'
import { playGame } from './class-games.ts'
import { type Command, EXAMPLES, type Example, ROOT, copySources, execute, prepare, removeBuilds } from './toolchains.ts'

const AGENT: Command = [process.execPath, join(ROOT, 'sdk/src/agent/main.ts')]
/** Scenarios of one example at once. Nearly all of their time is waiting. */
const JOBS = 24
/** Between the starts of two examples, so that not all processes start at once. */
const STAGGER_MS = 1500

/** Beyond the rules: an owner pasted the whole address of the call. */
const PASTED: Scenario = {
  name: 'url-with-path',
  about: 'MUSTER_URL ends in /announce.',
  answers: [accepted(2)],
  announces: 2,
  urlSuffix: '/announce',
  seconds: 4,
}
/** The rules allow a goodbye without a body. Ours name the port. */
const GOODBYE_BODY = / \{ ?"port": ?\d+ ?\} /
const ALL = [...SCENARIOS, PASTED]

const failuresOf = (results: readonly Result[]) => results.filter(({ failures }) => failures.length > 0)

async function passesScenarios(name: string, { run, without }: Example): Promise<boolean> {
  const startedAt = performance.now()
  // Hundreds of announcers must not slow down the lists that measure them.
  const command = ['nice', ...run]
  const results = await runScenarios(ALL, command, { jobs: JOBS, without })
  const bare = results.flatMap(({ wire }) => wire).find((line) => line.includes('DELETE') && !GOODBYE_BODY.test(line))
  let failures = failuresOf(results)
  if (failures.length > 0) {
    // On a busy machine, a wait can be too long. What is wrong fails again.
    const scenarios = failures.map(({ scenario }) => scenario)
    const rules = failures.flatMap((result) => result.failures.map(({ rule, seen }) => `${result.scenario.name} (${rule}: ${seen})`))
    console.log(`retry    ${name}: ${rules.join(', ')}`)
    failures = failuresOf(await runScenarios(scenarios, command, { jobs: JOBS, without }))
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  if (bare !== undefined) console.log(`FAIL     ${name}: its goodbye does not name the port: ${bare}`)
  const skipped = results.filter((result) => result.skipped !== undefined).length
  const isOk = failures.length === 0 && bare === undefined
  console.log(
    isOk
      ? `ok       ${name}: ${ALL.length - skipped} scenarios in ${seconds} s, ${skipped} skipped`
      : `FAIL     ${name}\n${failures.map(lineOfResult).join('')}${textOfRules(failures)}`,
  )
  return isOk
}

// Ends the announcers too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.once('exit', removeBuilds)

const isRequired = process.argv.includes('--require')
const names = process.argv.slice(2).filter((arg) => arg !== '--require')
const unknown = names.find((name) => !(name in EXAMPLES))
if (unknown !== undefined) throw new Error(`No example is named ${unknown}.`)
copySources()
const chosen = Object.entries(EXAMPLES).filter(([name]) => names.length === 0 || names.includes(name))
// All builds first: announcers would slow them down.
const prepared = await Promise.all(
  chosen.map(async ([name, example]) => ({ name, ...example, state: await prepare(name, example, isRequired) })),
)
const ready = prepared.filter(({ state }) => state === 'ready')
// The scenarios mostly wait, so the build for the real list runs beside them.
const webBuild = execute('nice', [process.execPath, join(ROOT, 'web/build.ts'), '--if-needed'])
const passes = await Promise.all(
  ready.map(async ({ name, ...example }, index) => {
    // The build for the real list also writes the package again.
    await Promise.all([sleep(index * STAGGER_MS), name === 'javascript' && webBuild])
    const { game } = example
    const isOk = await passesScenarios(name, example)
    const fault = game && (await playGame(game.run))
    if (game) console.log(fault === undefined ? `ok       ${name}: the class in a game` : `FAIL     ${name}: the class in a game ${fault}`)
    return [name, isOk && fault === undefined] as const
  }),
)
await webBuild
// Imports messages that the build compiles.
const { visitRealList } = await import('./real-list.ts')
const faults = await visitRealList({
  ...Object.fromEntries(ready.map(({ name, ...example }) => [name, example])),
  agent: { run: AGENT, without: ['tcp'] },
})
for (const [name, fault] of Object.entries(faults))
  console.log(fault === undefined ? `ok       ${name}: on the real list` : `FAIL     ${name} on the real list: ${fault}`)
const passedCount = passes.filter(([name, isOk]) => isOk && faults[name] === undefined).length
const skippedCount = prepared.filter(({ state }) => state === 'skipped').length
// The agent counts too.
const failedCount = prepared.length - passedCount - skippedCount + (faults.agent === undefined ? 0 : 1)
exitWithTotal([{ passed: passedCount, failed: failedCount, skipped: skippedCount, flaky: 0, failures: [] }])

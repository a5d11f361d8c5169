/** The SDK and the agent pass every scenario of the conformance kit. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOfResult } from '#sdk/conform/report.ts'
import { runScenarios } from '#sdk/conform/run.ts'
import { SCENARIOS } from '#sdk/conform/scenarios/index.ts'

/** Nearly all of their time is waiting. On a busy machine a wait can be too long, so a failed run is repeated. */
const JOBS = 24

test.concurrent.each([
  ['the SDK', 'sdk-announcer.ts'],
  ['the agent', '../../sdk/src/agent/main.ts'],
])('%s passes every scenario', { timeout: 180_000, retry: 1 }, async (_what, program) => {
  const results = await runScenarios(SCENARIOS, [process.execPath, join(import.meta.dirname, program)], { jobs: JOBS })
  const failed = results.filter(({ failures }) => failures.length > 0)
  expect(
    failed.map(({ scenario }) => scenario.name),
    failed.map(textOfResult).join(''),
  ).toEqual([])
  expect(results).toHaveLength(SCENARIOS.length)
  // Not every machine has a name with both families.
  expect(results.filter(({ skipped, scenario }) => skipped !== undefined && scenario.families === undefined)).toEqual([])
})

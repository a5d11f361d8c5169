/** Runs scenarios several at a time, the longest first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ability, skipReasons } from './abilities.ts'
import { type Result, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Programs that start at once slow each other down. */
const START_GAP_MS = 100

interface RunOptions {
  /** Scenarios at once. */
  readonly jobs: number
  /** What the announcer lacks. */
  readonly without?: readonly Ability[]
  /** Called as soon as a scenario is done. */
  readonly onResult?: (result: Result) => void
}

/** Returns the results in the order of the scenarios. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  command: readonly string[],
  { jobs, without = [], onResult = () => undefined }: RunOptions,
): Promise<Result[]> {
  const results = new Map<Scenario, Result>()
  const skipReasonOf = await skipReasons(without)
  const queue = [...scenarios].sort((a, b) => b.seconds - a.seconds)
  const worker = async (_: unknown, index: number) => {
    await sleep(index * START_GAP_MS)
    for (let scenario = queue.shift(); scenario !== undefined; scenario = queue.shift()) {
      const skipped = skipReasonOf(scenario)
      const result = skipped === undefined ? await runScenario(scenario, command) : skippedResult(scenario, skipped)
      results.set(scenario, result)
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, worker))
  return scenarios.flatMap((scenario) => results.get(scenario) ?? [])
}

const skippedResult = (scenario: Scenario, skipped: string): Result => ({
  scenario,
  skipped,
  seconds: 0,
  failures: [],
  wire: [],
  output: '',
})

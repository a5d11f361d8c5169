/** Runs scenarios several at a time, the longest first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Result, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Programs that start at once slow each other down. */
const START_GAP_MS = 100

/** @param onResult called as soon as a scenario is done. Returns the results in the order of the scenarios. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  command: readonly string[],
  jobs: number,
  onResult: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  const results = new Map<Scenario, Result>()
  const queue = [...scenarios].sort((a, b) => b.seconds - a.seconds)
  const worker = async (_: unknown, index: number) => {
    await sleep(index * START_GAP_MS)
    for (let scenario = queue.shift(); scenario !== undefined; scenario = queue.shift()) {
      const result = await runScenario(scenario, command)
      results.set(scenario, result)
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, worker))
  return scenarios.flatMap((scenario) => results.get(scenario) ?? [])
}

/** The report: as text, JSON and JUnit XML. */
import type { Result } from './run-scenario.ts'
import { RULES, type RuleId } from './rules.ts'

const OUTPUT_LINES = 10

export interface Run {
  readonly command: readonly string[]
  readonly results: readonly Result[]
  readonly seconds: number
}

const ruleOf = (id: RuleId) => RULES.find((rule) => rule.id === id) ?? RULES[0]
const hasPassed = ({ failures }: Result) => failures.length === 0
const lastLines = (text: string) => text.trim().split('\n').slice(-OUTPUT_LINES)

/** One scenario, as soon as it is done. */
export function textOfResult(result: Result): string {
  const { scenario, seconds, failures, wire, output } = result
  if (hasPassed(result)) return `  ok    ${scenario.name} (${seconds.toFixed(1)} s)\n`
  const rules = failures.flatMap(({ rule, seen }) => {
    const { must, reason, fix } = ruleOf(rule)
    return [`    ${rule}: ${must}`, `      seen: ${seen}`, `      why:  ${reason}`, `      fix:  ${fix}`]
  })
  const lines = [
    `  FAIL  ${scenario.name} (${seconds.toFixed(1)} s): ${scenario.about}`,
    ...rules,
    '    on the wire:',
    ...(wire.length > 0 ? wire : ['nothing']).map((line) => `      ${line}`),
    '    its last output:',
    ...lastLines(output).map((line) => `      ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

export function summary({ results, seconds }: Run): string {
  const failed = results.filter((result) => !hasPassed(result))
  const rules = [...new Set(failed.flatMap(({ failures }) => failures.map(({ rule }) => rule)))]
  const passed = `${results.length - failed.length} of ${results.length} scenarios passed in ${Math.round(seconds)} s.`
  return rules.length === 0 ? `${passed}\n` : `${passed} Broken rules: ${rules.join(', ')}.\n`
}

export function jsonReport({ command, results, seconds }: Run): string {
  const scenarios = results.map((result) => ({
    name: result.scenario.name,
    about: result.scenario.about,
    passed: hasPassed(result),
    seconds: Number(result.seconds.toFixed(2)),
    failures: result.failures.map(({ rule, seen }) => ({ ...ruleOf(rule), seen })),
    wire: result.wire,
    output: lastLines(result.output),
  }))
  const failed = scenarios.filter(({ passed }) => !passed).length
  const counts = { passed: scenarios.length - failed, failed, seconds: Number(seconds.toFixed(1)) }
  return `${JSON.stringify({ command, ...counts, scenarios }, undefined, 2)}\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for XML 1.0, which has no control characters. */
function escape(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}

export function junitReport({ results, seconds }: Run): string {
  const failed = results.filter((result) => !hasPassed(result)).length
  const cases = results.map((result) => {
    const open = `  <testcase classname="muster-conform" name="${escape(result.scenario.name)}" time="${result.seconds.toFixed(2)}"`
    if (hasPassed(result)) return `${open}/>`
    const message = result.failures.map(({ rule }) => rule).join(', ')
    return `${open}>\n    <failure message="${escape(message)}">${escape(textOfResult(result))}</failure>\n  </testcase>`
  })
  const counts = `tests="${results.length}" failures="${failed}" time="${seconds.toFixed(1)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="muster-conform" ${counts}>\n${cases.join('\n')}\n</testsuite>\n`
}

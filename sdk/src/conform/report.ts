/** The report: as text, JSON and JUnit XML. */
import type { Result } from './run-scenario.ts'
import { RULES, type RuleId } from './rules.ts'

/** Enough for a stack trace. */
const OUTPUT_LINES = 30
/** Of the example of a rule. */
const MAX_WIRE_LINES = 30
const MAX_NAMES = 3

export interface Run {
  readonly command: readonly string[]
  readonly results: readonly Result[]
  readonly seconds: number
}

const ruleOf = (id: RuleId) => RULES.find((rule) => rule.id === id) ?? RULES[0]
const hasPassed = ({ failures }: Result) => failures.length === 0
const lastLines = (text: string) => (text.trim() === '' ? [] : text.trim().split('\n').slice(-OUTPUT_LINES))

/** One scenario on one line: whether it passed, and the rules that it broke. */
export function lineOfResult(result: Result): string {
  const { scenario, seconds, failures, skipped } = result
  if (skipped !== undefined) return `  skip  ${scenario.name}: ${skipped}\n`
  const what = `${scenario.name} (${seconds.toFixed(1)} s)`
  return hasPassed(result) ? `  ok    ${what}\n` : `  FAIL  ${what}: ${failures.map(({ rule }) => rule).join(', ')}\n`
}

/** One scenario, with everything about each failure. */
export function textOfResult(result: Result): string {
  const { scenario, seconds, failures } = result
  if (hasPassed(result)) return lineOfResult(result)
  const rules = failures.flatMap(({ rule, seen }) => {
    const { must, reason, fix } = ruleOf(rule)
    return [`    ${rule}: ${must}`, `      seen: ${seen}`, `      why:  ${reason}`, `      fix:  ${fix}`]
  })
  const lines = [`  FAIL  ${scenario.name} (${seconds.toFixed(1)} s): ${scenario.about}`, ...rules, ...evidence(result)]
  return `${lines.join('\n')}\n`
}

/** What was on the wire, and what the program printed. */
function evidence({ wire, output }: Result, maxWireLines = Infinity): string[] {
  const shown = wire.slice(0, maxWireLines)
  if (wire.length > shown.length) shown.push(`and ${wire.length - shown.length} more`)
  const printed = lastLines(output)
  return [
    wire.length > 0 ? '    on the wire:' : '    nothing was on the wire',
    ...shown.map((line) => `      ${line}`),
    printed.length > 0 ? '    its last output:' : '    it printed nothing',
    ...printed.map((line) => `      ${line}`),
  ]
}

/** Each broken rule once, with one example. */
export function textOfRules(results: readonly Result[]): string {
  const blocks = RULES.map(({ id, must, reason, fix }) => {
    const broken = results.filter(({ failures }) => failures.some(({ rule }) => rule === id))
    const [example] = broken
    if (example === undefined) return ''
    const lines = [
      '',
      `  ${id}: ${must}`,
      `    in:   ${countText(broken, results.length)}`,
      `    why:  ${reason}`,
      `    fix:  ${fix}`,
      `    example ${example.scenario.name}: ${example.scenario.about}`,
      ...example.failures.filter(({ rule }) => rule === id).map(({ seen }) => `    seen: ${seen}`),
      ...evidence(example, MAX_WIRE_LINES),
    ]
    return `${lines.join('\n')}\n`
  })
  return blocks.join('')
}

function countText(broken: readonly Result[], total: number): string {
  const names = broken.slice(0, MAX_NAMES).map(({ scenario }) => scenario.name)
  const more = broken.length > MAX_NAMES ? ` and ${broken.length - MAX_NAMES} more` : ''
  return `${broken.length} of ${total} scenarios: ${names.join(', ')}${more}`
}

export function summary({ results, seconds }: Run): string {
  const run = results.filter(({ skipped }) => skipped === undefined)
  const failed = run.filter((result) => !hasPassed(result))
  const rules = [...new Set(failed.flatMap(({ failures }) => failures.map(({ rule }) => rule)))]
  const skips = run.length < results.length ? ` ${results.length - run.length} skipped.` : ''
  const passed = `${run.length - failed.length} of ${run.length} scenarios passed in ${Math.round(seconds)} s.${skips}`
  return rules.length === 0 ? `${passed}\n` : `${passed} Broken rules: ${rules.join(', ')}.\n`
}

export function jsonReport({ command, results, seconds }: Run): string {
  const scenarios = results.map((result) => ({
    name: result.scenario.name,
    about: result.scenario.about,
    passed: hasPassed(result) && result.skipped === undefined,
    ...(result.skipped !== undefined && { skipped: result.skipped }),
    seconds: Number(result.seconds.toFixed(2)),
    failures: result.failures.map(({ rule, seen }) => ({ ...ruleOf(rule), seen })),
    wire: result.wire,
    output: lastLines(result.output),
  }))
  const failed = results.filter((result) => !hasPassed(result)).length
  const skipped = results.filter((result) => result.skipped !== undefined).length
  const counts = { passed: results.length - failed - skipped, failed, skipped, seconds: Number(seconds.toFixed(1)) }
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
    if (result.skipped !== undefined) return `${open}><skipped message="${escape(result.skipped)}"/></testcase>`
    if (hasPassed(result)) return `${open}/>`
    const message = result.failures.map(({ rule }) => rule).join(', ')
    return `${open}>\n    <failure message="${escape(message)}">${escape(textOfResult(result))}</failure>\n  </testcase>`
  })
  const skipped = results.filter((result) => result.skipped !== undefined).length
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds.toFixed(1)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="muster-conform" ${counts}>\n${cases.join('\n')}\n</testsuite>\n`
}

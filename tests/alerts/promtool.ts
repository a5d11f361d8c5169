/** Runs `promtool` of Prometheus (package `prometheus` of Debian) on rules, with series of our own. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ALERTS = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml')

/** A reason to skip a test; undefined if promtool is installed. */
export const missingPromtool =
  spawnSync('promtool', ['--version']).error === undefined ? undefined : 'promtool is missing: install the package "prometheus"'

/** What promtool reports; empty if it finds nothing wrong. */
export function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? '' : `${stdout}${stderr}`
}

/** A test of `promtool test rules`. */
export interface RuleTest {
  readonly name: string
  /** Between two values of a series: `1m`. */
  readonly interval: string
  /** The values of each series, in the notation of promtool: `1x60`. */
  readonly series: Readonly<Record<string, string>>
  /** The alerts that have fired until each time: `{ '30m': ['MusterDown'] }`. */
  readonly fired: Readonly<Record<string, readonly string[]>>
}

/** Returns what promtool reports. */
export function testAlerts(tests: readonly RuleTest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-alerts-'))
  try {
    const file = join(folder, 'alerts.test.json')
    // Each JSON document is a YAML document.
    writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests: tests.map(testOf) }))
    return promtool('test', 'rules', file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function testOf({ name, interval, series, fired }: RuleTest) {
  return {
    name,
    interval,
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: Object.entries(fired).map(([time, alerts]) => ({
      expr: `group by (alertname) (max_over_time(ALERTS{alertstate="firing"}[${time}]))`,
      eval_time: time,
      exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  }
}

/** The series of a reply of `/metrics` with their values. */
export function parseMetrics(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), line.slice(space + 1)]
    }),
  )
}

/** The names of metrics in an expression of PromQL. */
export const metricsIn = (expression: string): string[] => expression.match(/\b(?:muster|process|nodejs)_\w+/g) ?? []

/** `muster_x{a="b"}` with the labels that Prometheus adds. */
export function withTarget(series: string, instance: string): string {
  const target = `job="muster",instance="${instance}"`
  return series.endsWith('}') ? series.replace(/\}$/, `,${target}}`) : `${series}{${target}}`
}

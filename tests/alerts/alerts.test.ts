/** The alert rules and the dashboard that we ship: what they name exists, and each alert fires by its fault and only then. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'
import { CERTIFICATE, PRIVATE_KEY } from '#tests/https-host/https-host.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'
import { ALERTS, metricsIn, missingPromtool, parseMetrics, promtool, type RuleTest, testAlerts, withTarget } from './promtool.ts'

const ROOT = join(import.meta.dirname, '../..')
const RULES = readFileSync(ALERTS, 'utf8')
const names = Array.from(RULES.matchAll(/- alert: (\w+)/g), ([, name = '']) => name)
const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/muster.json'), 'utf8')) as {
  panels: { type: string; title: string; targets?: { expr: string }[] }[]
  annotations: { list: { expr: string }[] }
}
const queries = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
]

/** The series of a running program with all optional parts, and those of its second listener. */
let healthy: Map<string, string>
let app: TestApp
const folder = mkdtempSync(join(tmpdir(), 'muster-alerts-'))
const host = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE })

beforeAll(async () => {
  const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  // A backup of now, so that no other is made.
  writeFileSync(join(folder, `muster-${now}.tar.zst`), '')
  await new Promise<void>((listening) => void host.listen(0, '127.0.0.1', listening))
  app = await startApp({
    ...signingKeys().variables,
    BACKUP_DIR: folder,
    PUBLISH_URL: join(folder, 'published'),
    MASTERLIST_PUBLIC_URL: `https://127.0.0.1:${(host.address() as AddressInfo).port}`,
  })
  await app.runJob('check-health')
  await fetch(`${app.listUrl}/missing`)
  await fetch(`${app.listUrl}/servers`)
  await fetch(`${app.panelUrl}/api/about`)
  const read = async (url: string, instance: string) =>
    Array.from(
      parseMetrics(await (await fetch(`${url}/metrics`)).text()),
      ([series, value]) => [withTarget(series, instance), value] as const,
    )
  const scrape = async () => new Map([...(await read(app.panelUrl, 'node:3000')), ...(await read(app.listUrl, 'node:3001'))])
  await vi.waitFor(async () => {
    healthy = await scrape()
    if (![...healthy.keys()].some((series) => series.startsWith('muster_certificate_expiry'))) throw new Error('No certificate yet.')
  })
})

afterAll(async () => {
  await app.close()
  host.close()
  rmSync(folder, { recursive: true, force: true })
})

const nameOf = (series: string) => series.replace(/\{.*$/, '')

describe('rules and dashboard', () => {
  test('every metric that they name exists in /metrics of a running program', () => {
    const existing = new Set([...healthy.keys()].map(nameOf))
    // Series that begin with the first request of a route.
    const later = new Set(['muster_list_request_seconds_bucket'])
    const named = [...metricsIn(RULES), ...queries.flatMap(metricsIn)]
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter((name) => !existing.has(name) && !later.has(name))).toEqual([])
  })

  test.skipIf(missingPromtool)('promtool accepts the rules, and every query of the dashboard', () => {
    expect(promtool('check', 'rules', ALERTS)).toBe('')
    const file = join(folder, 'queries.json')
    const rules = queries.map((expr, index) => ({ record: `query_${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect(promtool('check', 'rules', file)).toBe('')
  })

  test('the dashboard needs no plugins', () => {
    expect([...new Set(dashboard.panels.map(({ type }) => type))].toSorted()).toEqual(['row', 'stat', 'timeseries'])
  })

  test('each alert has a time, a severity, a summary, and the sentence of its row in the docs', () => {
    const docs = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
    const section = /### Alerts\n([\s\S]*?)\n### /.exec(docs)?.[1] ?? ''
    const rows = Array.from(section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm), ([, name, sentence]) => [name, sentence])
    const rules = RULES.split('- alert: ').slice(1)
    const described = rules.map((rule) => {
      expect(rule).toMatch(/\n {8}for: \d+[mh]\n {8}labels: \{ severity: (warning|critical) \}\n/)
      expect(rule).toMatch(/\n {10}summary: "(?:[A-Z]|\{\{).*\."\n/)
      expect(rule).toContain('docs/operating.md#alerts')
      return [rule.split('\n', 1)[0], JSON.parse(/\n {10}description: (.*)\n/.exec(rule)?.[1] ?? '""')]
    })
    expect(rows).toEqual(described)
  })
})

/** Values of 90 minutes, minute by minute. The fault begins after 20. */
const after = (good: string | number, bad: string | number) => `${good}x19 ${bad}x70`
const rising = (perMinute: number) => `0x19 0+${perMinute}x70`
const DAY = 86_400

interface Fault {
  readonly series: Readonly<Record<string, string>>
  /** Also fires, because it is the same fault. */
  readonly also?: readonly string[]
}

const PANEL = 'job="muster",instance="node:3000"'
const LIST = 'job="muster",instance="node:3001"'

/** What each fault does to the series. */
const FAULTS: Readonly<Record<string, Fault>> = {
  MusterDown: { series: { [`up{${PANEL}}`]: after(1, 0) } },
  MusterNodeMissing: { series: { [`muster_nodes{${PANEL}}`]: after(2, 1) } },
  MusterNodeDisconnected: { series: { [`muster_bus_disconnected_seconds{${PANEL}}`]: '0x19 0+60x70' } },
  MusterClockOff: { series: { [`muster_clock_offset_seconds{${PANEL}}`]: after(0.01, -2.5) } },
  MusterDatabaseUnreachable: { series: { [`muster_database_last_response_age_seconds{${PANEL}}`]: '1x19 1+60x70' } },
  MusterDatabaseFull: { series: { [`muster_database_failures_total{kind="full",${PANEL}}`]: rising(3) } },
  MusterDatabaseReadOnly: { series: { [`muster_database_read_only{${PANEL}}`]: after(0, 1) } },
  MusterListStale: { series: { [`muster_list_age_seconds{${LIST}}`]: '0.25x19 0.25+60x70' } },
  MusterExpiryDeferred: {
    series: { [`muster_servers_online{${LIST}}`]: '500x90', [`muster_servers_expiry_deferred{${LIST}}`]: after(0, 120) },
  },
  MusterListErrors: {
    series: {
      [`muster_list_rejections_total{status="503",${LIST}}`]: rising(30),
      [`muster_list_requests_total{route="servers",${LIST}}`]: '0+600x90',
    },
  },
  MusterPanelErrors: {
    series: {
      [`muster_http_request_seconds_count{method="GET",route="/api/users/tokens",status="500",${PANEL}}`]: rising(6),
      [`muster_http_request_seconds_count{method="GET",route="/api/users/tokens",status="200",${PANEL}}`]: '0+60x90',
    },
  },
  MusterJobFailing: { series: { [`muster_job_failing{job_name="back-up",${PANEL}}`]: after(0, 1) } },
  MusterJobNotRunning: { series: { [`muster_job_overdue_seconds{job_name="watch-servers",${PANEL}}`]: '0x19 0+60x70' } },
  MusterWebhooksWait: { series: { [`muster_webhooks_overdue{${PANEL}}`]: after(0, 4) } },
  MusterDeletionsOverdue: { series: { [`muster_deletions_overdue_seconds{kind="accounts",${PANEL}}`]: after(0, 7500) } },
  MusterDiskLow: { series: { [`muster_disk_free_bytes{${PANEL}}`]: after(9e9, 1e9) } },
  MusterDiskFull: { series: { [`muster_disk_free_bytes{${PANEL}}`]: after(9e9, 1e8) }, also: ['MusterDiskLow'] },
  MusterImageStorageDown: { series: { [`muster_image_storage_up{${PANEL}}`]: after(1, 0) } },
  MusterBackupOld: { series: { [`muster_backup_age_seconds{${PANEL}}`]: after(80_000, 95_000) } },
  MusterCertificateEnds: {
    series: { [`muster_certificate_expiry_timestamp_seconds{address="list",${LIST}}`]: after(60 * DAY, 5 * DAY) },
  },
  MusterSigningKeyEnds: { series: { [`muster_signing_key_expiry_timestamp_seconds{${LIST}}`]: after(60 * DAY, 13 * DAY) } },
  MusterSignedListNotPublished: {
    series: { [`muster_signed_publishes_total{outcome="published",${LIST}}`]: '0+6x19 114x70' },
  },
  MusterLogLinesLost: { series: { [`muster_log_lines_lost_total{${PANEL}}`]: rising(2) } },
}

/** What depends on the machine of the test. */
const STEADY: Readonly<Record<string, string>> = {
  muster_disk_free_bytes: '9000000000x90',
  muster_database_latency_seconds: '0.002x90',
  muster_database_last_response_age_seconds: '1x90',
  muster_list_age_seconds: '0.25x90',
}

/** Each has the same rules, so that two are enough. */
const JOBS = /job_name="(?!back-up|watch-servers)/

/** Its value all the time, as in a program that is well. Counters grow. */
function healthySeries(): Record<string, string> {
  const read = new Set(metricsIn(RULES))
  const shown = Array.from(healthy, ([series, value]): [string, string] => {
    if (series.startsWith('muster_signed_publishes_total{outcome="published"')) return [series, '0+6x90']
    return [series, STEADY[nameOf(series)] ?? `${value === 'Nan' ? 'NaN' : value === '+Inf' ? 'Inf' : value}x90`]
  }).filter(([series]) => read.has(nameOf(series)) && !JOBS.test(series))
  return { ...Object.fromEntries(shown), [`up{${PANEL}}`]: '1x90', [`up{${LIST}}`]: '1x90' }
}

/** Series are equal whatever the order of their labels. */
const keyOf = (series: string) => {
  const [name = '', labels = ''] = series.replace(/\}$/, '').split('{')
  return `${name}{${labels
    .split(/,(?=\w+=")/)
    .toSorted()
    .join()}}`
}

function testOf(name: string, { series, also = [] }: Fault): RuleTest {
  const faulty = new Set(Object.keys(series).map(keyOf))
  const rest = Object.entries(healthySeries()).filter(([key]) => !faulty.has(keyOf(key)))
  return {
    name,
    interval: '1m',
    series: { ...Object.fromEntries(rest), ...series },
    fired: { '19m': [], '90m': [name, ...also].toSorted() },
  }
}

describe.skipIf(missingPromtool)('alerts', () => {
  test('each fires by its fault, and no other does; none fires before', () => {
    expect(Object.keys(FAULTS)).toEqual(names)
    expect(testAlerts(Object.entries(FAULTS).map(([name, fault]) => testOf(name, fault)))).toBe('')
  })

  test('none fires for a fault that is over before its time', () => {
    const pulse = (good: number, bad: number, minutes = 1) => `${good}x19 ${bad}x${minutes - 1} ${good}x${70 - minutes}`
    const series = {
      [`up{${PANEL}}`]: pulse(1, 0),
      [`muster_nodes{${PANEL}}`]: pulse(2, 1, 5),
      [`muster_bus_disconnected_seconds{${PANEL}}`]: pulse(0, 16),
      [`muster_clock_offset_seconds{${PANEL}}`]: pulse(0, 3, 3),
      [`muster_database_last_response_age_seconds{${PANEL}}`]: pulse(1, 20),
      [`muster_list_age_seconds{${LIST}}`]: pulse(0.25, 40),
      [`muster_servers_online{${LIST}}`]: '500x90',
      // Most are back soon after a patch.
      [`muster_servers_expiry_deferred{${LIST}}`]: '0x19 400 200 120 40x6 0x61',
      [`muster_job_failing{job_name="back-up",${PANEL}}`]: pulse(0, 1, 8),
      [`muster_job_overdue_seconds{job_name="back-up",${PANEL}}`]: '0x19 0+60x70',
      [`muster_image_storage_up{${PANEL}}`]: pulse(1, 0, 3),
    }
    expect(testAlerts([{ ...testOf('', { series }), name: 'short faults', fired: { '90m': [] } }])).toBe('')
  })
})

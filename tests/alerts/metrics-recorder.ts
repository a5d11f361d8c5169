/** Records `/metrics` of both listeners over a simulated day, for the alert rules. */
import { readFileSync } from 'node:fs'
import type { TestApp } from '#tests/harness.ts'
import { until } from '#tests/program.ts'
import { ALERTS, metricsIn, parseMetrics, testAlerts, withTarget } from './promtool.ts'

/** Jobs run by real timers, so a simulated day would find them late. */
const MAX_JOB_DELAY_SECONDS = 450
const MISSING = '_'
const ONLINE = 'muster_servers_online'

export class MetricsRecorder {
  readonly #app: TestApp
  readonly #names = new Set([...metricsIn(readFileSync(ALERTS, 'utf8')), ONLINE])
  readonly #series = new Map<string, string[]>()
  samples = 0

  constructor(app: TestApp) {
    this.#app = app
  }

  /** Call it at equal intervals, after the clock has advanced. */
  async sample(): Promise<void> {
    // The list is published by a real timer.
    await until(() => this.#app.list.sinceCycleMs < 1000)
    const { panelUrl, listUrl } = this.#app
    const found = new Map([...(await this.#scrape(panelUrl, 'node:3000')), ...(await this.#scrape(listUrl, 'node:3001'))])
    for (const series of found.keys()) if (!this.#series.has(series)) this.#series.set(series, Array(this.samples).fill(MISSING))
    for (const [series, values] of this.#series) values.push(found.get(series) ?? MISSING)
    this.samples += 1
    await this.#runLateJobs(found)
  }

  /** The highest number of online servers that was recorded. */
  get maxOnline(): number {
    const values = [...this.#series].flatMap(([series, all]) => (series.startsWith(ONLINE) ? all : []))
    return Math.max(...values.filter((value) => value !== MISSING).map(Number))
  }

  /** What promtool reports about alerts that fired; empty if none has. @param minutes between two samples */
  firedAlerts(minutes: number): string {
    const series = Object.fromEntries(Array.from(this.#series, ([name, values]) => [name, values.join(' ')]))
    return testAlerts([{ name: 'day', interval: `${minutes}m`, series, fired: { [`${minutes * this.samples}m`]: [] } }])
  }

  async #scrape(url: string, instance: string): Promise<[string, string][]> {
    const metrics = parseMetrics(await (await fetch(`${url}/metrics`)).text())
    const read = [...metrics].filter(([series]) => this.#names.has(series.replace(/\{.*$/, '')))
    return [...read, ['up', '1'] as const].map(([series, value]) => [withTarget(series, instance), value === 'Nan' ? 'NaN' : value])
  }

  async #runLateJobs(found: ReadonlyMap<string, string>): Promise<void> {
    const late = [...found].flatMap(([series, value]) => {
      const job = /^muster_job_overdue_seconds\{job_name="([^"]+)"/.exec(series)?.[1]
      return job !== undefined && Number(value) > MAX_JOB_DELAY_SECONDS ? [job] : []
    })
    await Promise.all(late.map((job) => this.#app.runJob(job)))
  }
}

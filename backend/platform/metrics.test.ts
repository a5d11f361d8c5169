/** What `/metrics` of both listeners shows, and to whom. */
import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { RELEASE } from '#backend/platform/version.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

describe('/metrics', () => {
  test('is open to this machine without a token, but not through a proxy', async () => {
    expect(await (await app.anonymous.fetch('/metrics')).text()).toContain('muster_nodes 1')
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) {
      expect((await app.anonymous.fetch('/metrics', { headers: { [header]: '1.2.3.4' } })).status).toBe(404)
    }
  })

  test('exposes each metric on one listener only, so that scraping both counts nothing twice', async () => {
    const namesOf = async (url: string) =>
      [...(await (await fetch(`${url}/metrics`)).text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    const [panel, list] = [await namesOf(app.panelUrl), await namesOf(app.listUrl)]
    expect(panel.filter((name) => list.includes(name))).toEqual([])
    expect(panel).toEqual(
      expect.arrayContaining(['process_cpu_seconds_total', 'muster_http_request_seconds', 'muster_nodes', 'muster_log_lines_lost_total']),
    )
    expect(list).toEqual(
      expect.arrayContaining([
        'muster_servers_online',
        'muster_announces_total',
        'muster_list_requests_total',
        'muster_list_request_seconds',
      ]),
    )
  })

  test('exposes the version, the pool size, and requests to the list with their rejections', async () => {
    const own = await startApp({ RATE_LIMITS: 'on' })
    const metric = async (url: string, series: string) =>
      Number(
        (await (await fetch(`${url}/metrics`)).text())
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
    const versions = `version="${RELEASE}",schema_level="${SCHEMA_LEVEL}",node_version="${process.versions.node}"`
    expect(await metric(own.panelUrl, `muster_build_info{${versions}}`)).toBe(1)
    expect(await metric(own.panelUrl, 'muster_database_connections{state="max"}')).toBe(4)
    const before = await metric(own.listUrl, 'muster_list_rejections_total{status="429"}')
    const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await fetch(`${own.listUrl}/servers`)).status))
    const rejected = statuses.filter((status) => status === 429).length
    expect(rejected).toBeGreaterThan(0)
    expect(await metric(own.listUrl, 'muster_list_requests_total{route="servers"}')).toBe(200)
    expect(await metric(own.listUrl, 'muster_list_request_seconds_count{route="servers"}')).toBeGreaterThan(0)
    expect((await metric(own.listUrl, 'muster_list_rejections_total{status="429"}')) - (Number.isNaN(before) ? 0 : before)).toBe(rejected)
  })

  test('follows the naming rules of Prometheus on both listeners', async () => {
    for (const url of [app.panelUrl, app.listUrl]) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const help = new Map(Array.from(text.matchAll(/^# HELP (\S+) ?(.*)$/gm), ([, name = '', sentence = '']) => [name, sentence]))
      const faults = Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type]) => [
        (type === 'counter') !== name.endsWith('_total') && `${name} is a ${type}`,
        !/^[a-z][a-z0-9_]*$/.test(name) && `${name} is not snake_case`,
        /_(count|sum|bucket|counter|gauge|histogram|summary)$/.test(name) && `${name} has a reserved suffix or its type in its name`,
        /_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|kb|mb|percent)(_|$)/.test(name) && `${name} is not in base units`,
        (help.get(name) ?? '') === '' && `${name} has no help`,
      ])
      expect(faults.length).toBeGreaterThan(5)
      expect(faults.flat().filter((fault) => fault !== false)).toEqual([])
      // Where Prometheus is installed, its own check agrees.
      const { error, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      if (error === undefined) expect(stdout + stderr).toBe('')
    }
  })

  test('requires the configured token', async () => {
    const guarded = await startApp({ METRICS_TOKEN: '0123456789abcdef' })
    expect((await guarded.anonymous.fetch('/metrics')).status).toBe(404)
    expect((await guarded.anonymous.fetch('/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(404)
    expect((await guarded.anonymous.fetch('/metrics', { headers: { authorization: 'Bearer 0123456789abcdef' } })).status).toBe(200)
    expect((await fetch(`${guarded.listUrl}/metrics`, { headers: { authorization: 'Bearer 0123456789abcdef' } })).status).toBe(200)
  })
})

/** Counts the list's requests, and times a sample of them, because the frequent ones take microseconds. */
import type { ServerResponse } from 'node:http'
import { Histogram, type Registry } from 'prom-client'
import { counter } from '#backend/platform/metrics.ts'

type Route = 'announce' | 'servers' | 'stream' | 'other'

const ROUTES: Readonly<Record<string, Route | undefined>> = {
  'POST /announce': 'announce',
  'GET /servers': 'servers',
  'GET /servers/list': 'servers',
  'GET /servers/stream': 'stream',
}
/** The share of requests that are timed. */
const SAMPLE = 1 / 16

/** By status, 400 and above. */
const rejections = new Map<number, number>()

export function countRejection(status: number): void {
  rejections.set(status, (rejections.get(status) ?? 0) + 1)
}

export class RequestStats {
  readonly #counts: Record<Route, number> = { announce: 0, servers: 0, stream: 0, other: 0 }
  readonly #seconds = new Histogram({
    name: 'muster_list_request_seconds',
    help: 'Duration of list requests in seconds, sampled one in sixteen, without streams.',
    labelNames: ['route'],
    buckets: [0.0005, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [],
  })

  /** @param route such as `GET /servers`. */
  measure(route: string, response: ServerResponse): void {
    const label = ROUTES[route] ?? 'other'
    this.#counts[label] += 1
    if (label === 'stream' || Math.random() >= SAMPLE) return
    const end = this.#seconds.startTimer({ route: label })
    response.once('close', () => end())
  }

  register(registry: Registry): void {
    registry.registerMetric(this.#seconds)
    counter(registry, 'muster_list_requests_total', 'List requests since the start.', 'route', () => Object.entries(this.#counts))
    const help = 'List requests with a status of 400 or above since the start.'
    counter(registry, 'muster_list_rejections_total', help, 'status', () => rejections)
  }
}

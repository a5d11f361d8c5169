/** Counts the list's requests and times a sample of them, because the frequent calls take microseconds. */
import type { ServerResponse } from 'node:http'
import { Histogram, type Registry } from 'prom-client'
import { counter } from '#backend/platform/metrics.ts'

type Route = 'announce' | 'servers' | 'stream' | 'other'

/** Times one request in sixteen. */
const SAMPLE_MASK = 15

/** By status, 400 and above. */
const rejections = new Map<number, number>()

export function countRejection(status: number): void {
  rejections.set(status, (rejections.get(status) ?? 0) + 1)
}

export class RequestStats {
  readonly #counts: Record<Route, number> = { announce: 0, servers: 0, stream: 0, other: 0 }
  #all = 0
  #seconds: Histogram<'route'> | undefined

  begin(route: Route, response: ServerResponse): void {
    this.#counts[route] += 1
    this.#all += 1
    if ((this.#all & SAMPLE_MASK) !== 0 || this.#seconds === undefined || route === 'stream') return
    const end = this.#seconds.startTimer({ route })
    response.once('close', () => end())
  }

  register(registry: Registry): void {
    this.#seconds = new Histogram({
      name: 'muster_list_request_seconds',
      help: 'Duration of list requests in seconds, sampled one in sixteen, without streams.',
      labelNames: ['route'],
      buckets: [0.0005, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    })
    counter(registry, 'muster_list_requests_total', 'List requests since the start.', 'route', () => Object.entries(this.#counts))
    const help = 'List requests with a status of 400 or above since the start.'
    counter(registry, 'muster_list_rejections_total', help, 'status', () => rejections)
  }
}

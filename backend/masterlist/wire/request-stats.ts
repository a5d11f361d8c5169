/** Counts and times the list's requests. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

const ROUTES: Readonly<Record<string, string>> = {
  '/announce': 'announce',
  '/servers': 'servers',
  '/servers/list': 'servers',
  '/servers/stream': 'stream',
}

const routeOf = ({ routeOptions }: FastifyRequest) => ROUTES[routeOptions.url ?? ''] ?? 'other'

export class RequestStats {
  readonly #requests = new Counter({
    name: 'muster_list_requests_total',
    help: 'List requests since the start.',
    labelNames: ['route'],
    registers: [],
  })
  readonly #rejections = new Counter({
    name: 'muster_list_rejections_total',
    help: 'List requests with a status of 400 or above since the start.',
    labelNames: ['status'],
    registers: [],
  })
  readonly #seconds = new Histogram({
    name: 'muster_list_request_seconds',
    help: 'Duration of list requests in seconds, without streams.',
    labelNames: ['route'],
    buckets: [0.0005, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [],
  })

  measure(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      this.#requests.inc({ route: routeOf(request) })
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      const route = routeOf(request)
      const { statusCode } = reply.raw
      if (route !== 'stream') this.#seconds.observe({ route }, reply.elapsedTime / 1000)
      if (statusCode >= 400) this.#rejections.inc({ status: statusCode })
      done()
    })
  }

  register(registry: Registry): void {
    registry.registerMetric(this.#requests)
    registry.registerMetric(this.#rejections)
    registry.registerMetric(this.#seconds)
  }
}

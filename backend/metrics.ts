/** Prometheus figures of the process and its calls. */
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { MasterListStats } from '#backend/features/masterlist/masterlist.ts'

export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Counts and times the panel's calls by route (never by address: that would grow without end). */
export function measureCalls(app: FastifyInstance, registry: Registry): void {
  const calls = new Histogram({
    name: 'muster_http_request_seconds',
    help: 'Duration of the panel’s calls in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    calls.observe({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

/** The master list's figures, read when somebody asks for them. */
export function measureList(stats: () => MasterListStats, registry: Registry): void {
  const registers = [registry]
  const gauge = (name: string, help: string, value: (now: MasterListStats) => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(stats()))
      },
    })
  gauge('muster_servers_registered', 'Servers that are registered.', (now) => now.registered)
  gauge('muster_servers_online', 'Servers that are online.', (now) => now.online)
  gauge('muster_list_publish_seconds', 'How long the last publish of the list took.', (now) => now.publishMilliseconds / 1000)
  gauge('muster_list_pending_writes', 'Changes of the list that wait for the database.', (now) => now.pendingWrites)
  void new Counter({
    name: 'muster_announces_total',
    help: 'Announces since the start, by what became of them.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset()
      for (const [code, count] of stats().announces) this.inc({ code }, count)
    },
  })
}

/** Prometheus figures of the process and its calls. */
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Lease } from '#backend/cluster/leases.ts'
import type { MasterListStats } from '#backend/features/masterlist/masterlist.ts'
import type { Deps } from './deps.ts'

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

/** What this node knows of the others, and of the database that they share. */
export function measureNodes(
  { bus, clock, pulse }: Pick<Deps, 'bus' | 'clock' | 'pulse'>,
  lease: Pick<Lease, 'isHeld'>,
  registry: Registry,
): void {
  const registers = [registry]
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('muster_nodes', 'Nodes on this database that are heard of, with this one.', () => bus.others + 1)
  gauge('muster_cut_off_seconds', 'For how long the other nodes can not be heard; 0 while they can.', () =>
    bus.cutOffSince === undefined ? 0 : (clock.uptime() - bus.cutOffSince) / 1000,
  )
  gauge(
    'muster_database_silent_seconds',
    'For how long nothing has been heard of the database; about one in an idle program.',
    () => pulse.silentMs / 1000,
  )
  gauge('muster_lease_held', 'Whether this node runs what only one may run.', () => Number(lease.isHeld))
  const heard = new Counter({
    name: 'muster_limits_heard_total',
    help: 'Messages of other nodes about limits that are counted together.',
    registers,
  })
  bus.on('taken', () => heard.inc())
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
  gauge('muster_list_streams', 'Readers who follow the list’s stream.', (now) => now.streams)
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

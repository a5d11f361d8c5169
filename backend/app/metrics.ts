/** Prometheus figures of the process and its calls. */
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry, collectDefaultMetrics } from 'prom-client'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { counter, gauge } from '#backend/platform/metrics.ts'
import { countLostLogLines } from '#backend/platform/log.ts'
import { VERSION } from '#backend/platform/version.ts'

/** The lag of the event loop is at least this in the figures. The default of 10 ms wakes an idle program a hundred times a second. */
export const LAG_STEP_MS = 100

/** Of the program as a whole. The panel's listener has it. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_STEP_MS })
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version: VERSION, node_version: process.versions.node }, 1)
  void new Counter({
    name: 'muster_log_lines_lost_total',
    help: 'Log lines that could not be written.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(countLostLogLines())
    },
  })
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
  { bus, clock, databaseHealth }: Pick<Deps, 'bus' | 'clock' | 'databaseHealth'>,
  lease: Pick<Lease, 'isHeld'>,
  registry: Registry,
): void {
  gauge(registry, 'muster_nodes', 'Nodes that are connected to this database, with this one.', () => bus.connectedPeers + 1)
  gauge(registry, 'muster_bus_disconnected_seconds', 'For how long the other nodes can not be heard; 0 while they can.', () =>
    bus.disconnectedSince === undefined ? 0 : (clock.uptime() - bus.disconnectedSince) / 1000,
  )
  gauge(
    registry,
    'muster_database_last_response_age_seconds',
    'For how long nothing has been heard of the database; about one in an idle program.',
    () => databaseHealth.lastResponseAgeMs / 1000,
  )
  counter(
    registry,
    'muster_database_failures_total',
    'Statements that failed and connections that could not be had, by kind.',
    'kind',
    () => databaseHealth.failures,
  )
  const { pool } = databaseHealth
  void new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pool, by state, and the calls that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of ['idle', 'used', 'waiting', 'max'] as const) this.set({ state }, pool()[state])
    },
  })
  gauge(registry, 'muster_lease_held', 'Whether this node runs what only one may run.', () => Number(lease.isHeld))
  const heard = new Counter({
    name: 'muster_rate_limit_sync_messages_total',
    help: 'Messages of other nodes about limits that are counted together.',
    registers: [registry],
  })
  bus.on('rateLimit', () => heard.inc())
}

/** The master list's figures, read when somebody asks for them. */
export function measureList(list: RunningMasterList, registry: Registry): void {
  list.requestStats?.register(registry)
  gauge(registry, 'muster_servers_registered', 'Servers that are registered.', () => list.registry.size)
  gauge(registry, 'muster_servers_online', 'Servers that are online.', () => list.registry.online)
  gauge(
    registry,
    'muster_servers_expiry_deferred',
    'Servers that fell silent with many others and stay listed for now.',
    () => list.registry.expiryGuard.deferred,
  )
  gauge(registry, 'muster_list_publish_seconds', 'How long the last publish of the list took.', () => list.publisher.lastBuildMs / 1000)
  gauge(registry, 'muster_list_pending_writes', 'Changes of the list that wait for the database.', () => list.writer.pending)
  gauge(
    registry,
    'muster_presence_file_age_seconds',
    'Seconds since DATA_DIR/presence.gz was written; NaN where there is none.',
    () => list.presenceFile?.ageSeconds ?? NaN,
  )
  gauge(registry, 'muster_list_streams', 'Readers who follow the list’s stream.', () => list.countStreams())
  counter(registry, 'muster_announces_total', 'Announces since the start, by what became of them.', 'code', () => list.pipeline.counts)
}

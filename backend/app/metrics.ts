/** Prometheus metrics of the process, its requests, the cluster and the list. */
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry, collectDefaultMetrics } from 'prom-client'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { DailyBackup } from '#backend/services/backup/daily-backup.ts'
import type { WebhookSender } from '#backend/services/webhooks/webhook-sender.ts'
import type { Services } from './services.ts'
import type { Health } from './status/health.ts'
import { keyEndOf } from '#backend/masterlist/signed/ending-key.ts'
import { FAILURE_KINDS } from '#backend/platform/database/failure.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { counter, gauge } from '#backend/platform/metrics.ts'
import { countLostLogLines } from '#backend/platform/log.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { RELEASE } from '#backend/platform/version.ts'

/** Resolution of the event loop lag. The default of 10 ms would wake an idle process a hundred times a second. */
const LAG_STEP_MS = 100

/** Metrics of the process. Only the panel's listener exposes them. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_STEP_MS })
  // Gauges with names of counters. The metrics without this suffix have the same numbers by type.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  new Gauge({
    name: 'muster_build_info',
    help: 'Always 1; the labels have the release, its schema level, and the version of Node.',
    labelNames: ['version', 'schema_level', 'node_version'],
    registers: [registry],
  }).set({ version: RELEASE, schema_level: SCHEMA_LEVEL, node_version: process.versions.node }, 1)
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

/** Measures the panel's requests by route pattern. Labels by URL would grow without bound. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Histogram({
    name: 'muster_http_request_seconds',
    help: 'Duration of panel requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    requests.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    done()
  })
}

/** Metrics of the cluster and of the database. */
export function measureCluster(
  { bus, clock, databaseHealth }: Pick<Deps, 'bus' | 'clock' | 'databaseHealth'>,
  lease: Pick<Lease, 'isHeld'>,
  registry: Registry,
): void {
  gauge(registry, 'muster_nodes', 'Connected nodes of the cluster, including this one.', () => bus.connectedPeers + 1)
  gauge(
    registry,
    'muster_bus_disconnected_seconds',
    'Time since this node was disconnected from the other nodes; 0 while connected.',
    () => (bus.disconnectedSince === undefined ? 0 : (clock.uptime() - bus.disconnectedSince) / 1000),
  )
  gauge(
    registry,
    'muster_database_last_response_age_seconds',
    'Time since the last response of the database; about one second when idle.',
    () => databaseHealth.lastResponseAgeMs / 1000,
  )
  counter(
    registry,
    'muster_database_failures_total',
    'Failed statements and failed connection attempts, by kind.',
    'kind',
    // A series that begins with its first failure has no increase.
    () => FAILURE_KINDS.map((kind) => [kind, databaseHealth.failures.get(kind) ?? 0] as const),
  )
  gauge(registry, 'muster_clock_offset_seconds', 'How far the clock of the database is ahead of this node.', () => bus.clockOffsetMs / 1000)
  const { pool } = databaseHealth
  void new Gauge({
    name: 'muster_database_connections',
    help: 'Pool connections by state, and queries waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of ['idle', 'used', 'waiting', 'max'] as const) this.set({ state }, pool()[state])
    },
  })
  gauge(registry, 'muster_lease_held', '1 if this node holds the lease and runs the jobs that run once per cluster.', () =>
    Number(lease.isHeld),
  )
}

/** Metrics of the deliveries of webhooks. */
export function measureWebhooks(webhooks: Pick<WebhookSender, 'counts' | 'backlog'>, registry: Registry): void {
  counter(registry, 'muster_webhook_deliveries_total', 'Attempts of this node to deliver, by outcome.', 'outcome', () => webhooks.counts)
  gauge(
    registry,
    'muster_webhook_backlog',
    'Deliveries of the whole cluster that wait for an attempt, at most 30 seconds old.',
    () => webhooks.backlog.pending,
  )
  const help = 'Working webhooks of the whole cluster with a delivery that is due, to which no node has sent for a minute.'
  gauge(registry, 'muster_webhooks_overdue', help, () => webhooks.backlog.overdue)
}

export function measureBackups(dailyBackup: DailyBackup | undefined, registry: Registry): void {
  if (dailyBackup === undefined) return
  const help = 'Age of the newest verified backup in BACKUP_DIR of this node; +Inf without one, NaN until it was looked for.'
  gauge(registry, 'muster_backup_age_seconds', help, () => dailyBackup.ageMs() / 1000)
}

/** Metrics of the master list, computed on each scrape. */
export function measureList(list: RunningMasterList, health: Pick<Health, 'listAgeMs'>, registry: Registry): void {
  list.requestStats.register(registry)
  gauge(registry, 'muster_servers_registered', 'Registered servers.', () => list.registry.size)
  gauge(registry, 'muster_servers_online', 'Online servers.', () => list.registry.onlineCount)
  gauge(
    registry,
    'muster_servers_expiry_deferred',
    'Silent servers that stay listed because many became silent at once.',
    () => list.registry.expiry.deferred,
  )
  gauge(registry, 'muster_list_age_seconds', 'How old the list that this node serves may be.', () => health.listAgeMs / 1000)
  gauge(registry, 'muster_list_publish_seconds', 'How long the last build of the whole list took.', () => list.snapshots.lastBuildMs / 1000)
  gauge(registry, 'muster_list_pending_writes', 'List changes waiting for the database.', () => list.writer.pending)
  gauge(registry, 'muster_list_streams', 'Open streams of the list.', () => list.countStreams())
  counter(registry, 'muster_announces_total', 'Announces since the start, by result code.', 'code', () => list.pipeline.counts)
}

/** Metrics of the signed list, if there is one. */
export function measureSignedList(
  { env }: Pick<Deps, 'env'>,
  { signed, publisher }: Pick<Services, 'signed' | 'publisher'>,
  registry: Registry,
): void {
  if (signed === undefined) return
  const endsAt = keyEndOf(env, 0)?.endsAt
  gauge(
    registry,
    'muster_signing_key_expiry_timestamp_seconds',
    'When the online key of the signed list expires.',
    () => (endsAt?.getTime() ?? Number.NaN) / 1000,
  )
  gauge(
    registry,
    'muster_signed_head_age_seconds',
    'Time since this node signed a head of the list; NaN before the first. It signs when someone reads or publishes.',
    () => signed.ageSeconds ?? Number.NaN,
  )
  if (publisher === undefined) return
  const help = 'Attempts of this node to publish the signed list, by outcome.'
  counter(registry, 'muster_signed_publishes_total', help, 'outcome', () => Object.entries(publisher.counts))
}

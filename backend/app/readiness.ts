/** Readiness and metrics endpoints on both listeners. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { serveHealth } from '#backend/platform/http/health.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { Registry } from 'prom-client'
import type { JobRunner } from './job-runner.ts'
import type { Services } from './services.ts'
import { measureHealth, measureJobs } from './health-metrics.ts'
import {
  measureBackups,
  measureRequests,
  measureList,
  measureCluster,
  measureProcess,
  measureSignedList,
  measureWebhooks,
} from './metrics.ts'

/** A slower database counts as unavailable. */
const DATABASE_TIMEOUT_MS = 500
const CACHE_MS = 250
/** A disconnected node may accept credentials that other nodes have revoked. A normal reconnect takes less time than this. */
const MAX_DISCONNECTED_MS = 5000

interface Parts {
  readonly panel: FastifyInstance
  readonly masterlist: FastifyInstance
  readonly list: RunningMasterList
  readonly lease: Lease
  readonly services: Pick<Services, 'webhooks' | 'signed' | 'publisher' | 'dailyBackup' | 'health'>
  readonly jobs: Pick<JobRunner, 'runs'>
  readonly isDraining: () => boolean
}

export function serveReadiness(deps: Deps, { panel, masterlist, list, lease, services, jobs, isDraining }: Parts): void {
  const { env, databaseHealth } = deps
  // Each metric is on one listener only, so scraping both counts nothing twice.
  const panelRegistry = new Registry()
  const listRegistry = new Registry()
  const databaseProblem = createDatabaseCheck(deps)
  measureProcess(panelRegistry)
  measureRequests(panel, panelRegistry)
  measureCluster(deps, lease, panelRegistry)
  measureWebhooks(services.webhooks, panelRegistry)
  measureBackups(services.dailyBackup, panelRegistry)
  measureJobs(jobs, panelRegistry)
  measureHealth(services.health, panelRegistry)
  measureList(list, services.health, listRegistry)
  measureSignedList(deps, services, listRegistry)
  const readinessProblem = async () => {
    if (isDraining()) return 'draining'
    if (databaseHealth.isLost) return 'database unavailable'
    return isDisconnected(deps) ? 'disconnected from the other nodes' : databaseProblem()
  }
  for (const [app, metrics] of [
    [panel, panelRegistry],
    [masterlist, listRegistry],
  ] as const) {
    serveHealth(app, env, metrics, readinessProblem)
    // Forces clients to reconnect, and the load balancer routes the new connection to another node.
    app.server.prependListener('request', (_request, response) => {
      if (isDraining()) response.shouldKeepAlive = false
    })
  }
}

const isDisconnected = ({ bus, clock }: Pick<Deps, 'bus' | 'clock'>) =>
  bus.disconnectedSince !== undefined && clock.uptime() - bus.disconnectedSince >= MAX_DISCONNECTED_MS

/** Caches the answer briefly, so that frequent readiness checks share one query. */
function createDatabaseCheck({ db, clock }: Pick<Deps, 'db' | 'clock'>): () => Promise<string | undefined> {
  let problem: Promise<string | undefined> = Promise.resolve(undefined)
  let checkedAt = -Infinity
  return () => {
    if (clock.uptime() - checkedAt < CACHE_MS) return problem
    checkedAt = clock.uptime()
    const query = sql<{ is_read_only: boolean }>`select current_setting('transaction_read_only')::boolean as is_read_only`.execute(db).then(
      // A replica that is not promoted yet.
      ({ rows }) => (rows[0]?.is_read_only === true ? 'database is read-only' : undefined),
      () => 'database unavailable',
    )
    problem = Promise.race([query, sleep(DATABASE_TIMEOUT_MS, 'database does not respond', { ref: false })])
    return problem
  }
}

/** Health and metrics on both listeners: whether this program may be sent calls, and how it is doing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { type Health, serveHealth } from '#backend/platform/http/health.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { Registry } from 'prom-client'
import { measureCalls, measureList, measureNodes, measureProcess } from './metrics.ts'

/** Readiness asks the database; longer than this is as good as no answer. */
const DATABASE_TIMEOUT_MS = 500
const CACHE_MS = 250
/** So long nothing may be heard of the other nodes: what they revoke would be taken here. A connection that is made anew takes less. */
const MAX_CUT_OFF_MS = 5000

interface Parts {
  readonly panel: FastifyInstance
  readonly masterlist: FastifyInstance
  readonly list: RunningMasterList
  readonly lease: Lease
  readonly isDraining: () => boolean
}

export function serveReadiness(deps: Deps, { panel, masterlist, list, lease, isDraining }: Parts): void {
  const { env, databaseHealth } = deps
  // Each figure is on one listener, so that scraping both counts nothing twice.
  const panelRegistry = new Registry()
  const listRegistry = new Registry()
  const databaseTrouble = createDatabaseCheck(deps)
  measureProcess(panelRegistry)
  measureCalls(panel, panelRegistry)
  measureNodes(deps, lease, panelRegistry)
  measureList(list, listRegistry)
  const health: Omit<Health, 'metrics'> = {
    readinessProblem: async () => {
      if (isDraining()) return 'draining'
      if (databaseHealth.isLost) return 'the database can not be reached'
      return isCutOff(deps) ? 'nothing is heard of the other nodes' : databaseTrouble()
    },
    metricsToken: env.METRICS_TOKEN,
    isProduction: env.isProduction,
  }
  for (const [app, metrics] of [
    [panel, panelRegistry],
    [masterlist, listRegistry],
  ] as const) {
    serveHealth(app, { ...health, metrics })
    // Who calls again opens a new connection, and whoever stands in front of us leads that one elsewhere.
    app.server.prependListener('request', (_request, response) => {
      if (isDraining()) response.shouldKeepAlive = false
    })
  }
}

const isCutOff = ({ bus, clock }: Pick<Deps, 'bus' | 'clock'>) =>
  bus.disconnectedSince !== undefined && clock.uptime() - bus.disconnectedSince >= MAX_CUT_OFF_MS

/** For how many seconds the list may lack what others wrote; undefined while all is well. */
export function secondsCutOff({ bus, clock, databaseHealth }: Pick<Deps, 'bus' | 'clock' | 'databaseHealth'>): number | undefined {
  if (databaseHealth.isLost) return Math.floor(databaseHealth.lastResponseAgeMs / 1000)
  return bus.disconnectedSince === undefined ? undefined : Math.floor((clock.uptime() - bus.disconnectedSince) / 1000)
}

/** However many ask whether we are ready, the database is asked by one of them, and not again for a moment. */
function createDatabaseCheck({ db, clock }: Pick<Deps, 'db' | 'clock'>): () => Promise<string | undefined> {
  let answer: Promise<string | undefined> = Promise.resolve(undefined)
  let askedAt = -Infinity
  return () => {
    if (clock.uptime() - askedAt < CACHE_MS) return answer
    askedAt = clock.uptime()
    const asked = sql<{ is_read_only: boolean }>`select current_setting('transaction_read_only')::boolean as is_read_only`.execute(db).then(
      // A replica that has not taken over yet.
      ({ rows }) => (rows[0]?.is_read_only === true ? 'the database takes no changes just now' : undefined),
      () => 'the database can not be reached',
    )
    answer = Promise.race([asked, sleep(DATABASE_TIMEOUT_MS, 'the database does not answer', { ref: false })])
    return answer
  }
}

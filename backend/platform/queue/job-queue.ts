/**
 * Jobs that survive a crash: graphile-worker on our Postgres, in its own schema (docs/decisions/0018). A job is added in the transaction of the
 * change that causes it. Each job runs on one node, at least once.
 */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Logger,
  type Runner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
  makeWorkerUtils,
  run,
  runMigrations,
} from 'graphile-worker'
import { sql } from 'kysely'
import * as pg from 'pg'
import { failureKind } from '#backend/platform/database/failure.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Log } from '#backend/platform/log.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

/** How late a job with a future time may start. New jobs start at once, because the database notifies every node. */
const POLL_MS = 3000
/** Jobs that run at once on this node. They mostly wait for other hosts. */
const CONCURRENCY = 48
/** One listens for new jobs; the others fetch and complete them. */
const CONNECTIONS = 3
const CONNECT_TIMEOUT_MS = 5000
const STATEMENT_TIMEOUT_MS = 10_000
/**
 * Only new jobs are notified. So the next job of the same queue would wait for the next poll, and so would others if a fetch found many jobs of
 * one queue, of which it takes one. The delay is because the library stores a job's end just after it reports it.
 */
const NEXT_JOB_DELAY_MS = 20
const RESTART_MS = 2000
/** Longer than any job takes, so that a stopping node finishes what it began. */
const SHUTDOWN_MS = 15_000
/** If a whole machine is lost, its connections may stay for hours. A job takes 10 seconds at most, and may wait for another 10 first. */
const ORPHANED_SECONDS = 60
/** Failures of a task are bugs or outages. The library then waits longer after each attempt, up to days. */
const MAX_ATTEMPTS = 25

export interface NewJob {
  readonly payload: Readonly<Record<string, unknown>>
  /** Jobs of one queue run one after the other. */
  readonly queue: string
  /** Replaces a waiting job with this key. */
  readonly key: string
  /** Default: now, by the database's clock. */
  readonly runAt?: Date
}

/** Adds jobs of one task, or moves the waiting ones with the same keys. They start after the commit, those with the same time in this order. */
export async function addJobs(trx: Db, task: string, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  const rows = JSON.stringify(jobs.map(({ payload, queue, key, runAt }) => ({ payload, queue, key, run_at: runAt ?? null })))
  // Not now(), which is the start of the transaction: another one that began earlier may commit later. The library orders by time only.
  await sql`
    select graphile_worker.add_job(${task}, j.payload, queue_name => j.queue, job_key => j.key, max_attempts => ${MAX_ATTEMPTS}::int,
      run_at => coalesce(j.run_at + n * interval '1 microsecond', clock_timestamp()))
    from rows from (json_to_recordset(${rows}::json) as (payload json, queue text, key text, run_at timestamptz)) with ordinality
      as j (payload, queue, key, run_at, n)
    order by n`.execute(trx)
}

/** The job: releases jobs that a dead node has locked. The library itself waits four hours. */
export function createOrphanRelease(db: Db): () => Promise<void> {
  /** Nodes without a connection at the last look. A node that only reconnects keeps its jobs. */
  let disconnected: ReadonlySet<string> = new Set()
  return async () => {
    // Each job locks its queue, and there are far fewer queues than jobs.
    const { rows } = await sql<{ locked_by: string; is_expired: boolean }>`
      select locked_by, is_expired from (
        select locked_by, min(locked_at) < now() - make_interval(secs => ${ORPHANED_SECONDS}) as is_expired
        from graphile_worker._private_job_queues where locked_by is not null group by locked_by
      ) nodes where is_expired or not exists (select from pg_stat_activity where application_name = locked_by)`.execute(db)
    const orphaned = rows.filter((node) => node.is_expired || disconnected.has(node.locked_by)).map((node) => node.locked_by)
    disconnected = new Set(rows.map((node) => node.locked_by))
    if (orphaned.length > 0) await sql`select graphile_worker.force_unlock_workers(${orphaned}::text[])`.execute(db)
  }
}

/** Deletes queues without jobs, of which each webhook leaves one, and jobs that failed too often. The tasks stay: running nodes know their IDs. */
export async function cleanUpJobs(connection: pg.PoolConfig): Promise<void> {
  const pool = openPool(connection)
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, logger: silentLogger() })
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS', 'GC_JOB_QUEUES'] })
    await utils.release()
  } finally {
    await pool.end()
  }
}

/** Creates or updates the schema of the library. Safe on several nodes at once. */
export async function migrateJobQueue(connection: pg.ClientConfig): Promise<void> {
  const pool = openPool(connection)
  try {
    await runMigrations({ pgPool: pool, logger: silentLogger() })
  } finally {
    await pool.end()
  }
}

export class JobQueue {
  readonly #deps: Pick<Deps, 'connection' | 'log'>
  readonly #tasks: TaskList
  readonly #outage: OutageLog
  readonly #stopping = new AbortController()
  #current: { readonly runner: Runner; readonly pool: pg.Pool } | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: Pick<Deps, 'connection' | 'log'>, tasks: TaskList) {
    this.#deps = deps
    this.#tasks = tasks
    this.#outage = new OutageLog({
      log: deps.log,
      level: 'info',
      begin: 'job queue could not start, will retry',
      end: 'job queue runs again',
    })
  }

  /** Resolves when jobs run, or after a failed attempt, which is repeated. */
  async start(): Promise<void> {
    await this.#run()
    this.#running = this.#keepRunning()
  }

  /** Waits for the jobs that are running. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#current?.runner.stop().catch(() => undefined)
    await this.#running
    await this.#current?.pool.end()
  }

  /** The library gives up after a failure that it cannot retry, such as in an outage of the database. */
  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#current?.runner.promise.catch(() => undefined)
      await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // Its connections may hang, so nothing waits for them.
      this.#current?.pool.end().catch(() => undefined)
      await this.#run()
    }
  }

  async #run(): Promise<void> {
    this.#current = undefined
    const node: NodeName = {}
    const pool = openPool(this.#deps.connection, node)
    try {
      this.#current = { pool, runner: await run(optionsOf(this.#deps.log, pool, node, this.#tasks)) }
      this.#outage.succeeded()
    } catch (error) {
      this.#outage.failed({ err: error })
      await pool.end()
    }
  }
}

/** The name in the locks of this node's jobs. The library chooses it at the start. */
interface NodeName {
  value?: string
}

function optionsOf(log: Log, pool: pg.Pool, node: NodeName, taskList: TaskList): RunnerOptions {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    node.value = workerPool.id
    const fetchSoon = () => setTimeout(() => workerPool.nudge(1), NEXT_JOB_DELAY_MS).unref()
    events.on('job:start', fetchSoon)
    events.on('job:complete', fetchSoon)
  })
  return {
    pgPool: pool,
    taskList,
    // Without jobs of the crontab file in the working directory.
    parsedCronItems: [],
    noHandleSignals: true,
    events,
    logger: loggerOn(log),
    preset: {
      worker: {
        pollInterval: POLL_MS,
        concurrentJobs: CONCURRENCY,
        localQueue: { size: CONCURRENCY },
        gracefulShutdownAbortTimeout: SHUTDOWN_MS,
        // Without batches the library does not wait for these statements, and a failed one would crash the process.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  }
}

function openPool(connection: pg.PoolConfig, node: NodeName = {}): pg.Pool {
  const pool = new pg.Pool({
    idleTimeoutMillis: 10_000,
    ...connection,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Also when the connection is dead without notice.
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    application_name: 'muster-queue',
    // By this name, the release of orphaned jobs sees that the node is alive.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    onConnect: async (client) => {
      if (node.value !== undefined) await client.query("select set_config('application_name', $1, false)", [node.value])
    },
  })
  // Without listeners a lost connection would crash the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** `DatabaseHealth` logs outages, so the library's errors of one are for debugging. */
export function loggerOn(log: Log): Logger {
  return new Logger(() => (level, text, { error }) => {
    const err = error instanceof Error ? error : new Error(text)
    if (level === 'error' && failureKind(err) === undefined) log.error({ err, text }, 'job queue reported an error')
    else if (level === 'error') log.info({ err, text }, 'job queue reported an error in an outage')
    else if (level === 'warning') log.info({ text }, 'job queue reported a problem')
    else log.debug({ text }, 'job queue reported')
  })
}

const silentLogger = () => new Logger(() => () => undefined)

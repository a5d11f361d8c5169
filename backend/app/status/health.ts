/** What this node knows of itself and its surroundings, checked in the background. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { JobRuns } from '#backend/app/job-runner.ts'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import { countDueFiles } from '#backend/core/images/sweep-images.ts'
import type { ImageStorage } from '#backend/core/images/storage.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { type Certificate, readCertificate } from '#backend/platform/certificate.ts'
import { RepeatedCheck } from '#backend/platform/concurrency/repeated-check.ts'
import { DatabaseUnavailable } from '#backend/platform/database/failure.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type Space, spaceOf } from '#backend/platform/free-space.ts'
import { countDue } from '#backend/services/account/erasure.ts'
import type { DailyBackup } from '#backend/services/backup/daily-backup.ts'
import type { Publisher } from '#backend/masterlist/signed/publisher.ts'
import { listAgeSeconds } from './list-age.ts'
import type { JobFigures, NodeFigures } from './node-figures.ts'

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1000, 60_000, 3_600_000]
const TIMEOUT_MS = 3 * SECOND_MS

export interface Database {
  readonly version: string
  readonly isReadOnly: boolean
  readonly latencyMs: number
  readonly bytes: number
}

interface Deletions {
  readonly due: number
  readonly oldestDueAt: Date | null
}

interface Parts {
  readonly list: RunningMasterList
  readonly lease: Pick<Lease, 'isHeld'>
  readonly images: Pick<ImageStorage, 'check'>
  readonly dailyBackup: DailyBackup | undefined
  readonly publisher: Publisher | undefined
}

export class Health {
  readonly #deps: Deps
  readonly #parts: Parts
  /** Wall milliseconds. */
  readonly startedAt: number
  readonly disk: RepeatedCheck<Space>
  /** True if they answer. */
  readonly images: RepeatedCheck<true>
  readonly database: RepeatedCheck<Database>
  readonly deletions: RepeatedCheck<{ readonly files: Deletions; readonly accounts: Deletions }>
  /** Of PUBLIC_URL and MASTERLIST_PUBLIC_URL, if they are https. */
  readonly certificates: readonly {
    readonly address: 'panel' | 'list'
    readonly url: string
    readonly check: RepeatedCheck<Certificate>
  }[]

  constructor(deps: Deps, parts: Parts) {
    const { env, db, clock } = deps
    this.#deps = deps
    this.#parts = parts
    this.startedAt = clock.now()
    const every = (everyMs: number, retryMs = everyMs) => ({ everyMs, retryMs, timeoutMs: TIMEOUT_MS })
    this.disk = new RepeatedCheck(clock, every(15 * SECOND_MS), () => spaceOf(env.DATA_DIR))
    this.images = new RepeatedCheck(clock, every(MINUTE_MS, 15 * SECOND_MS), () => parts.images.check().then(() => true))
    this.database = new RepeatedCheck(clock, every(15 * SECOND_MS), () => checkDatabase(deps))
    this.deletions = new RepeatedCheck(clock, every(30 * SECOND_MS), async () => {
      rejectInOutage(deps)
      const [files, accounts] = await Promise.all([countDueFiles(db), countDue(db)])
      return { files, accounts }
    })
    const addresses = [
      { address: 'panel', url: env.PUBLIC_URL },
      { address: 'list', url: env.MASTERLIST_PUBLIC_URL },
    ] as const
    this.certificates = addresses.flatMap(({ address, url }) =>
      url?.startsWith('https:') === true
        ? [{ address, url, check: new RepeatedCheck(clock, every(HOUR_MS, MINUTE_MS), () => readCertificate(url, TIMEOUT_MS)) }]
        : [],
    )
  }

  runDue(): void {
    const checks = [this.disk, this.images, this.database, this.deletions, ...this.certificates.map(({ check }) => check)]
    for (const check of checks) check.runIfDue()
  }

  now(): number {
    return this.#deps.clock.now()
  }

  /** How old the list may be that this node serves. */
  get listAgeMs(): number {
    return Math.max((listAgeSeconds(this.#deps) ?? 0) * SECOND_MS, this.#parts.list.sinceCycleMs)
  }

  figures(jobs: readonly JobRuns[]): NodeFigures {
    const { env, bus } = this.#deps
    const { list, lease, dailyBackup, publisher } = this.#parts
    return {
      name: hostname(),
      runs_jobs: lease.isHeld,
      is_disconnected: bus.disconnectedSince !== undefined,
      clock_offset_ms: bus.clockOffsetMs,
      servers_online: list.registry.onlineCount,
      list_age_ms: this.listAgeMs,
      disk: this.disk.value ?? null,
      images: env.IMAGES_URL === undefined ? 'folder' : 'bucket',
      images_answer: this.images.hasEnded ? this.images.value === true : null,
      backup: dailyBackup === undefined ? null : { newest_at: dailyBackup.newestAt() ?? null, next_at: dailyBackup.nextAt() },
      signed_list_published_at: publisher?.publishedAt ?? null,
      jobs: jobs.map(jobFigures),
    }
  }

  /** For the other nodes. A node without a row sends no heartbeats, and the next one adds the row. */
  async store(jobs: readonly JobRuns[]): Promise<void> {
    const { db, bus } = this.#deps
    await db
      .updateTable('nodes')
      .set({ figures: JSON.stringify(this.figures(jobs)) })
      .where('id', '=', bus.node)
      .execute()
  }
}

function jobFigures(job: JobRuns): JobFigures {
  return {
    name: job.name,
    every_ms: job.everyMs,
    is_running: job.isRunning,
    succeeded_at: job.succeededAt ?? null,
    duration_ms: job.durationMs ?? null,
    failed_at: job.failedAt ?? null,
    failure: job.failure ?? null,
    failing_since: job.failingSince ?? null,
    overdue_ms: job.overdueMs,
  }
}

function rejectInOutage({ databaseHealth }: Pick<Deps, 'databaseHealth'>): void {
  if (databaseHealth.isLost) throw new DatabaseUnavailable()
}

async function checkDatabase({ db, clock, databaseHealth }: Deps): Promise<Database> {
  rejectInOutage({ databaseHealth })
  const began = clock.uptime()
  const settings = await sql<{ version: string; is_read_only: boolean }>`
    select current_setting('server_version') as version, current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
  const latencyMs = clock.uptime() - began
  const size = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db)
  const { version = '', is_read_only: isReadOnly = false } = settings.rows[0] ?? {}
  return { version, isReadOnly, latencyMs, bytes: Number(size.rows[0]?.bytes) }
}

/** Prometheus metrics of the jobs, and of what this node checks in the background. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { gauge } from '#backend/platform/metrics.ts'
import type { JobRunner, JobRuns } from './job-runner.ts'
import type { Health } from './status/health.ts'

/** The label `job` is Prometheus' own. */
export function measureJobs(jobs: Pick<JobRunner, 'runs'>, registry: Registry): void {
  const jobGauge = (name: string, help: string, value: (job: JobRuns) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['job_name'],
      registers: [registry],
      collect() {
        this.reset()
        for (const job of jobs.runs()) {
          const current = value(job)
          if (current !== undefined) this.set({ job_name: job.name }, current)
        }
      },
    })
  jobGauge(
    'muster_job_last_success_timestamp_seconds',
    'When the job last succeeded on this node; missing before that.',
    ({ succeededAt }) => succeededAt && succeededAt / 1000,
  )
  jobGauge(
    'muster_job_last_duration_seconds',
    'How long the last successful run of the job on this node took.',
    ({ durationMs }) => durationMs && durationMs / 1000,
  )
  jobGauge('muster_job_failing', '1 if this node must run the job and its last run failed.', ({ failingSince }) =>
    Number(failingSince !== undefined),
  )
  jobGauge(
    'muster_job_overdue_seconds',
    'How much longer than two intervals this node, which must run the job, has been without a success.',
    ({ overdueMs }) => overdueMs / 1000,
  )
  void new Counter({
    name: 'muster_job_failures_total',
    help: 'Failed runs of the job on this node since the start.',
    labelNames: ['job_name'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name, failures } of jobs.runs()) this.inc({ job_name: name }, failures)
    },
  })
}

/** NaN is what does not answer. */
export function measureHealth(health: Health, registry: Registry): void {
  const { disk, images, database, deletions, certificates } = health
  gauge(registry, 'muster_disk_free_bytes', 'Free space for DATA_DIR; NaN while the disk does not answer.', () => disk.value?.free ?? NaN)
  gauge(registry, 'muster_disk_size_bytes', 'Size of the disk of DATA_DIR; NaN while it does not answer.', () => disk.value?.size ?? NaN)
  gauge(
    registry,
    'muster_image_storage_up',
    '1 if the folder or bucket of the images answers, 0 if not; NaN before the first check.',
    () => (images.hasEnded ? Number(images.value === true) : NaN),
  )
  gauge(
    registry,
    'muster_database_latency_seconds',
    'How long a short statement took, at most 15 seconds ago; NaN while the database does not answer.',
    () => (database.value?.latencyMs ?? NaN) / 1000,
  )
  gauge(registry, 'muster_database_size_bytes', 'Size of the database; NaN while it does not answer.', () => database.value?.bytes ?? NaN)
  gauge(registry, 'muster_database_read_only', '1 if the database is read-only; NaN while it does not answer.', () =>
    database.value === undefined ? NaN : Number(database.value.isReadOnly),
  )
  const byKind = (name: string, help: string, value: (found: { due: number; oldestDueAt: Date | null }) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        const found = deletions.value
        for (const kind of ['files', 'accounts'] as const) this.set({ kind }, found === undefined ? NaN : value(found[kind]))
      },
    })
  byKind('muster_deletions_due', 'Image files and accounts that should be deleted by now.', ({ due }) => due)
  byKind('muster_deletions_overdue_seconds', 'For how long the oldest of them has been due.', ({ oldestDueAt }) =>
    oldestDueAt === null ? 0 : Math.max(0, health.now() - oldestDueAt.getTime()) / 1000,
  )
  if (certificates.length === 0) return
  void new Gauge({
    name: 'muster_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of PUBLIC_URL (panel) or MASTERLIST_PUBLIC_URL (list) expires; missing while the address does not answer.',
    labelNames: ['address'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { address, check } of certificates) if (check.value !== undefined) this.set({ address }, check.value.endsAt / 1000)
    },
  })
}

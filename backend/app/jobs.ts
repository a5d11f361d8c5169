/**
 * Every periodic job, with its interval and where it runs. The master list has its own timers.
 *
 * `once` jobs run on the lease holder. When the lease moves, two nodes may briefly run the same job. So each step uses a lock or a condition
 * in the database, and the second run changes nothing.
 */
import type { Lease } from '#backend/platform/cluster/leases.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Services } from './services.ts'
import { createErasure } from '#backend/services/account/erasure.ts'
import { deleteOldActivity } from '#backend/core/activity/audit-retention.ts'
import { deleteOldApiKeys } from '#backend/core/api-keys/api-keys.ts'
import { rotateKeys } from '#backend/services/cloud-auth/key-ring.ts'
import { deleteExpiredSignIns } from '#backend/core/auth/auth.ts'
import { rollUpHistory } from '#backend/services/history/rollup.ts'
import { sweepImages } from '#backend/core/images/sweep-images.ts'
import { removeStaleUploads } from '#backend/core/images/upload.ts'
import { deleteOldNotifications } from '#backend/services/notifications/notifications.ts'
import { escalateAndResolveIssues } from '#backend/core/protection/escalation.ts'
import { rejectedNameFinding, sameNameFinding } from '#backend/core/protection/detectors/impersonation.ts'
import { findReportAbuse } from '#backend/core/reports/outcomes.ts'
import { createPurge } from '#backend/core/servers/deleted-servers.ts'
import { refreshNameKeys } from '#backend/core/servers/refresh-name-keys.ts'
import { deleteOldCredentials } from '#backend/core/servers/servers.ts'
import { deleteExpiredCooldowns } from '#backend/core/servers/vanity.ts'
import { deleteFormerSupporters } from '#backend/core/supporters/supporters.ts'
import { createBanJob } from '#backend/core/servers/bans.ts'
import { deleteOldDeliveries } from '#backend/services/webhooks/webhooks.ts'
import { expireTransfers } from '#backend/core/transfers/withdrawal.ts'
import { warnOfEndingKey } from '#backend/masterlist/signed/ending-key.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

interface Job {
  readonly name: string
  readonly everyMs: number
  /** `once`: on the lease holder. `everywhere`: on each node. `locally`: on each node, also without the database. */
  readonly where: 'once' | 'everywhere' | 'locally'
  /** @param stopping aborted when the program stops. It then waits for the run, so a long one must end early. */
  run(stopping: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Runs a job now, on this node. Resolves when a run that started after the call has ended. */
  run(name: string): Promise<void>
  stop(): Promise<void>
}

const once = (name: string, everyMs: number, run: Job['run']): Job => ({ name, everyMs, where: 'once', run })
const locally = (name: string, everyMs: number, run: Job['run']): Job => ({ name, everyMs, where: 'locally', run })
const everywhere = (name: string, everyMs: number, run: Job['run']): Job => ({ name, everyMs, where: 'everywhere', run })

const refreshNames = (deps: Deps, findings: Services['findings'], stopping: AbortSignal) =>
  refreshNameKeys(deps, stopping, {
    sameName: (server, other) => findings.report(sameNameFinding(server, other, deps.clock.now())),
    rejectedName: (server, character) => findings.report(rejectedNameFinding(server, character, deps.clock.now())),
    stored: () => findings.flush(),
  })

function jobsOf(
  deps: Deps,
  {
    dailyBackup,
    detectorRunner,
    downloads,
    images,
    logoLoader,
    sampler,
    trending,
    findings,
    webhooks,
    serverWatcher,
    live,
    publisher,
  }: Services,
): readonly Job[] {
  return [
    once('erase-due-accounts', 2000, createErasure(deps)),
    // Also bans servers to which a remembered ban applies.
    once('expire-bans', 2000, createBanJob(deps)),
    once('purge-deleted-servers', 60_000, createPurge(deps)),
    once('escalate-issues', 5000, () => escalateAndResolveIssues(deps)),
    everywhere('write-findings', 500, () => findings.flush()),
    once('find-report-abuse', 60_000, () => findReportAbuse(deps)),
    // Checks itself whether a minute has passed, and which node saves the samples.
    locally('sample-players', 1000, () => detectorRunner.tick()),
    ...(deps.env.PUBLIC_SITE ? [everywhere('refresh-trending', 60_000, () => trending.refresh())] : []),
    once('roll-up-history', 60_000, (stopping) => rollUpHistory(deps, sampler, stopping)),
    once('refresh-name-keys', 60_000, (stopping) => refreshNames(deps, findings, stopping)),
    once('expire-transfers', 60_000, () => expireTransfers(deps)),
    // Checks itself whether it is due: it polls a file more often than a URL.
    locally('reload-downloads-manifest', 1000, () => downloads.reloadIfDue()),
    locally('load-brand-logo', 300_000, (stopping) => logoLoader.load(stopping)),
    once('delete-unused-images', 300_000, () => sweepImages(deps, images)),
    everywhere('delete-orphaned-uploads', 3_600_000, () => removeStaleUploads(deps)),
    once('delete-expired-sign-ins', 600_000, () => deleteExpiredSignIns(deps)),
    once('end-vanity-id-cooldowns', 3_600_000, () => deleteExpiredCooldowns(deps)),
    once('delete-old-api-keys', 86_400_000, () => deleteOldApiKeys(deps)),
    once('delete-old-activity', 3_600_000, (stopping) => deleteOldActivity(deps, stopping)),
    once('delete-revoked-credentials', 86_400_000, () => deleteOldCredentials(deps)),
    once('watch-servers', 5000, async () => live.invalidate(await serverWatcher.run(), ['notifications'])),
    once('delete-old-notifications', 3_600_000, () => deleteOldNotifications(deps.db)),
    // Retries, and what other nodes leave.
    everywhere('send-due-deliveries', 1000, () => webhooks.queue.sendDue()),
    once('delete-old-deliveries', 3_600_000, () => deleteOldDeliveries(deps.db, deps.env.DELIVERY_DAYS)),
    everywhere('measure-delivery-backlog', 30_000, () => webhooks.measureBacklog()),
    once('delete-former-supporters', 3_600_000, () => deleteFormerSupporters(deps)),
    once('rotate-cloud-auth-keys', 3_600_000, () => rotateKeys(deps)),
    ...(dailyBackup === undefined
      ? []
      : [
          everywhere('measure-backups', 10_000, () => dailyBackup.measure()),
          once('update-erasure-ledger', 10_000, () => dailyBackup.updateLedger()),
          once('back-up', 10_000, (stopping) => dailyBackup.runIfDue(stopping)),
        ]),
    locally('check-signing-key', 86_400_000, () => Promise.resolve(warnOfEndingKey(deps))),
    ...(publisher === undefined ? [] : [once('publish-signed-list', PUBLISH_MS, () => publisher.publish())]),
  ]
}

/** All chunks of a busy list change each second. Disks wear out by the byte, and buckets charge by the file. */
const PUBLISH_MS = 10_000

/** Starts the jobs. A job never overlaps itself on this node. */
export function startJobs(deps: Deps, services: Services, lease: Pick<Lease, 'isHeld'>): Jobs {
  const jobs = jobsOf(deps, services)
  const running = new Map<Job, Promise<void>>()
  const stopping = new AbortController()
  // Logs only the first of consecutive failures. Otherwise an outage would fill the log every second.
  const failing = new Map<Job, 'info' | 'warn'>()
  const start = (job: Job): Promise<void> => {
    const current = running.get(job)
    if (current !== undefined) return current
    const run = job.run(stopping.signal).then(
      () => {
        const level = failing.get(job)
        if (level !== undefined) deps.log[level]({ job: job.name, ...RECOVERED }, 'job succeeds again')
        failing.delete(job)
      },
      (error: unknown) => {
        // `DatabaseHealth` reports outages.
        if (failureKind(error) === 'unreachable') {
          deps.log.info({ err: error, job: job.name }, 'job failed in an outage, will retry')
          if (!failing.has(job)) failing.set(job, 'info')
        } else if (failing.get(job) !== 'warn') {
          deps.log.warn({ err: error, job: job.name }, 'job failed, will retry')
          void services.operatorAlerts.jobFailed(job.name)
          failing.set(job, 'warn')
        }
      },
    )
    running.set(job, run)
    void run.finally(() => running.delete(job))
    return run
  }
  // During an outage, jobs wait for the database instead of failing one by one.
  const isDue = ({ where }: Job) => where === 'locally' || (!deps.databaseHealth.isLost && (where === 'everywhere' || lease.isHeld))
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (isDue(job)) void start(job)
    }, job.everyMs),
  )
  return {
    async run(name) {
      const job = jobs.find((candidate) => candidate.name === name)
      if (job === undefined) throw new Error(`Unknown job “${name}”.`)
      // A run in progress may have missed recent changes.
      await running.get(job)
      await start(job)
    },
    async stop() {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

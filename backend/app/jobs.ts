/**
 * Every periodic job, with its interval and where it runs. The master list has its own timers.
 *
 * `once` jobs run on the lease holder. When the lease moves, two nodes may briefly run the same job. So each step uses a lock or a condition
 * in the database, and the second run changes nothing.
 */
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type Job, JobRunner } from './job-runner.ts'
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
    once('delete-old-api-keys', 3_600_000, () => deleteOldApiKeys(deps)),
    once('delete-old-activity', 3_600_000, (stopping) => deleteOldActivity(deps, stopping)),
    once('delete-revoked-credentials', 3_600_000, () => deleteOldCredentials(deps)),
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
    // The start checks it, too.
    locally('check-signing-key', 86_400_000, () => Promise.resolve(warnOfEndingKey(deps))),
    ...(publisher === undefined ? [] : [once('publish-signed-list', PUBLISH_MS, () => publisher.publish())]),
  ]
}

/** All chunks of a busy list change each second. Disks wear out by the byte, and buckets charge by the file. */
const PUBLISH_MS = 10_000

/** The jobs of this node. They run once started. */
export function createJobs(deps: Deps, services: Services, lease: Pick<Lease, 'isHeld'>): JobRunner {
  const { health, operatorAlerts } = services
  const runner: JobRunner = new JobRunner(
    deps,
    lease,
    [
      ...jobsOf(deps, services),
      locally('check-health', 1000, () => Promise.resolve(health.runDue())),
      ...(deps.bus.isSingleNode ? [] : [everywhere('store-figures', 5000, () => health.store(runner.runs()))]),
    ],
    (job) => void operatorAlerts.jobFailed(job),
  )
  return runner
}

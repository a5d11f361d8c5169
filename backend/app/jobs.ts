/**
 * Every repeating task of the program, with its period and where it runs. What repeats inside the master list is its own.
 *
 * `once` means: on the node that has the lease. All of these may run twice at once, as around the end of a lease: the database decides each
 * step by a lock or a condition, and the second one finds nothing to do.
 */
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Services } from './services.ts'
import { createErasure } from '#backend/features/account/erasure.ts'
import { rotateKeys } from '#backend/features/cloud-auth/key-ring.ts'
import { deleteExpiredSignIns } from '#backend/features/auth/auth.ts'
import { rollUpHistory } from '#backend/features/history/rollup.ts'
import { sweepImages } from '#backend/features/images/sweep-images.ts'
import { removeStaleUploads } from '#backend/features/images/upload.ts'
import { escalateAndResolveIssues } from '#backend/features/protection/escalation.ts'
import type { DetectorRunner } from '#backend/features/detection/detector-runner.ts'
import { sameNameFinding } from '#backend/features/protection/detectors/impersonation.ts'
import { refreshNameKeys } from '#backend/features/servers/refresh-name-keys.ts'
import { deleteOldCredentials } from '#backend/features/servers/servers.ts'
import { deleteExpiredCooldowns } from '#backend/features/servers/vanity.ts'
import { deleteFormerSupporters } from '#backend/features/supporters/supporters.ts'
import { createBanJob } from '#backend/features/servers/bans.ts'
import { lapseTransfers } from '#backend/features/transfers/withdrawal.ts'

interface Job {
  readonly name: string
  readonly everyMs: number
  /** On one of the nodes, or on each: what is about a node's own memory or disk. */
  readonly where: 'once' | 'everywhere'
  run(): Promise<void>
}

export interface Jobs {
  /** Runs one now, whenever and wherever its turn would be; resolves when a run that began after the call has ended. */
  run(name: string): Promise<void>
  stop(): Promise<void>
}

const once = (name: string, everyMs: number, run: () => Promise<void>): Job => ({ name, everyMs, where: 'once', run })
const everywhere = (name: string, everyMs: number, run: () => Promise<void>): Job => ({ name, everyMs, where: 'everywhere', run })

type JobServices = Pick<Services, 'downloads' | 'images' | 'sampling' | 'findings'>

function jobsOf(
  deps: Deps,
  { downloads, images, sampling, findings }: JobServices,
  watching: Pick<DetectorRunner, 'tick'>,
): readonly Job[] {
  const refreshNames = () =>
    refreshNameKeys(deps, (server, other) => {
      findings.report(sameNameFinding(server, other, deps.clock.now()))
      return findings.flush()
    })
  return [
    once('erase-due-accounts', 2000, createErasure(deps)),
    // It also bans servers to which a remembered ban applies.
    once('expire-bans', 2000, createBanJob(deps)),
    once('escalate-issues', 2000, () => escalateAndResolveIssues(deps)),
    // It knows by itself when a minute is over, and which node writes down what all saw.
    everywhere('sample-players', 1000, () => watching.tick()),
    once('roll-up-history', 60_000, () => rollUpHistory(deps, sampling)),
    once('refresh-name-keys', 60_000, refreshNames),
    once('expire-transfers', 60_000, () => lapseTransfers(deps)),
    // It knows by itself when it is time to: a file is looked at more often than an address.
    everywhere('reload-downloads-manifest', 1000, () => downloads.reloadIfDue()),
    once('delete-unused-images', 300_000, () => sweepImages(deps, images)),
    everywhere('delete-orphaned-uploads', 3_600_000, () => removeStaleUploads(deps)),
    once('delete-expired-sign-ins', 600_000, () => deleteExpiredSignIns(deps.db)),
    once('end-vanity-id-cooldowns', 3_600_000, () => deleteExpiredCooldowns(deps)),
    once('delete-revoked-credentials', 86_400_000, () => deleteOldCredentials(deps)),
    once('delete-former-supporters', 3_600_000, () => deleteFormerSupporters(deps)),
    once('rotate-cloud-auth-keys', 3_600_000, () => rotateKeys(deps)),
  ]
}

/** Starts the jobs. A job never runs twice at once here, and on two nodes only around the end of a lease. */
export function startJobs(deps: Deps, services: JobServices, watching: Pick<DetectorRunner, 'tick'>, lease: Pick<Lease, 'isHeld'>): Jobs {
  const jobs = jobsOf(deps, services, watching)
  const running = new Map<Job, Promise<void>>()
  // One that runs each second would fill the log through an outage.
  const failing = new Set<Job>()
  const begin = (job: Job): Promise<void> => {
    const underWay = running.get(job)
    if (underWay !== undefined) return underWay
    const run = job.run().then(
      () => void failing.delete(job),
      (error: unknown) => {
        if (!failing.has(job)) deps.log.warn({ err: error, job: job.name }, 'A job failed; it will run again.')
        failing.add(job)
      },
    )
    running.set(job, run)
    void run.finally(() => running.delete(job))
    return run
  }
  // What needs the database waits for it: each that met the outage would log the same.
  const isDue = (job: Job) => job.where === 'everywhere' || (lease.isHeld && !deps.databaseHealth.isLost)
  const timers = jobs.map((job) =>
    setInterval(() => {
      if (isDue(job)) void begin(job)
    }, job.everyMs),
  )
  return {
    async run(name) {
      const job = jobs.find((one) => one.name === name)
      if (job === undefined) throw new Error(`There is no job “${name}”.`)
      // One under way has looked already.
      await running.get(job)
      await begin(job)
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

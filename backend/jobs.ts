/** Every repeating task of the program, named, with its period. What repeats inside the master list is its own. */
import type { Deps } from './deps.ts'
import type { Doors } from './doors.ts'
import { createErasure } from '#backend/features/account/erasure.ts'
import { rotateKeys } from '#backend/features/cloud-auth/rotation.ts'
import { deleteExpiredSignIns } from '#backend/features/auth/sessions.ts'
import { keepHistory } from '#backend/features/history/rolling.ts'
import { sweepImages } from '#backend/features/images/sweep.ts'
import { removeLeftBehind } from '#backend/features/images/upload.ts'
import { moveIssues } from '#backend/features/protection/climbing.ts'
import type { Watching } from '#backend/features/protection/watching.ts'
import { forgetEndedCredentials } from '#backend/features/servers/servers.ts'
import { forgetRested } from '#backend/features/servers/vanity.ts'
import { forgetFormerSupporters } from '#backend/features/supporters/supporters.ts'
import { createBanLifting } from '#backend/features/users/ban-lifting.ts'
import { lapseOldTransfers } from '#backend/features/transfers/both-sides.ts'

interface Job {
  readonly name: string
  readonly everyMs: number
  run(): Promise<void>
}

export interface Jobs {
  /** Runs one now, whenever its turn would be; resolves when a run that began after the call has ended. */
  run(name: string): Promise<void>
  /** Resolves when none is running any more. */
  stop(): Promise<void>
}

/** Starts the jobs. A job never runs twice at once. */
export function startJobs(
  deps: Deps,
  doors: Pick<Doors, 'tellList' | 'live' | 'downloads' | 'images' | 'sampling'>,
  watching: Pick<Watching, 'beat'>,
): Jobs {
  const jobs: readonly Job[] = [
    { name: 'erase accounts whose time is over', everyMs: 1000, run: createErasure(deps, doors) },
    { name: 'lift bans that are over', everyMs: 1000, run: createBanLifting(deps, doors) },
    { name: 'move protection issues on', everyMs: 2000, run: () => moveIssues(deps, doors) },
    // It knows by itself when a minute is over.
    { name: 'look at the players of each server', everyMs: 1000, run: () => watching.beat() },
    { name: 'keep the history of players', everyMs: 60_000, run: () => keepHistory(deps, doors.sampling) },
    { name: 'end offers that stood too long', everyMs: 60_000, run: () => lapseOldTransfers(deps, doors.live) },
    // It knows by itself when it is time to: a file is looked at more often than an address.
    { name: 'look for a new downloads manifest', everyMs: 1000, run: () => doors.downloads.look() },
    { name: 'delete pictures that nothing uses', everyMs: 300_000, run: () => sweepImages(deps, doors.images) },
    { name: 'remove what broken uploads left behind', everyMs: 3_600_000, run: () => removeLeftBehind(deps) },
    { name: 'forget expired sign-ins', everyMs: 600_000, run: () => deleteExpiredSignIns(deps) },
    { name: 'forget vanity ids that have rested', everyMs: 3_600_000, run: () => forgetRested(deps) },
    { name: 'forget credentials that ended long ago', everyMs: 86_400_000, run: () => forgetEndedCredentials(deps) },
    { name: 'forget supporters who support no more', everyMs: 3_600_000, run: () => forgetFormerSupporters(deps) },
    { name: 'make and end the keys of cloud auth', everyMs: 3_600_000, run: () => rotateKeys(deps) },
  ]
  const running = new Map<Job, Promise<void>>()
  // One that runs each second would fill the log through an outage.
  const failing = new Set<Job>()
  const begin = (job: Job): Promise<void> => {
    const before = running.get(job)
    if (before !== undefined) return before
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
  const timers = jobs.map((job) => setInterval(() => void begin(job), job.everyMs))
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

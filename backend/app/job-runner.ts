/** Runs the periodic jobs, and remembers how their runs ended. A job never overlaps itself on this node. */
import type { Lease } from '#backend/platform/cluster/leases.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

export interface Job {
  readonly name: string
  readonly everyMs: number
  /** `once`: on the lease holder. `everywhere`: on each node. `locally`: on each node, also without the database. */
  readonly where: 'once' | 'everywhere' | 'locally'
  /** @param stopping aborted when the program stops. It then waits for the run, so a long one must end early. */
  run(stopping: AbortSignal): Promise<void>
}

/** How the runs of a job on this node ended. Times are wall milliseconds. */
export interface JobRuns extends Pick<Job, 'name' | 'everyMs'> {
  readonly isRunning: boolean
  readonly succeededAt: number | undefined
  /** Of the last run that succeeded. */
  readonly durationMs: number | undefined
  readonly failedAt: number | undefined
  readonly failure: string | undefined
  readonly failures: number
  /** Since when each run failed. Undefined if the last one succeeded, or another node must run it. */
  readonly failingSince: number | undefined
  /** How much longer than two intervals this node, which must run it, has been without a success. */
  readonly overdueMs: number
}

const MAX_FAILURE_LENGTH = 300

interface Track {
  running: Promise<void> | undefined
  succeeded: { readonly at: number; readonly uptime: number; readonly durationMs: number } | undefined
  failed: { readonly at: number; readonly sentence: string } | undefined
  failures: number
  /** The level at which the current failure was logged. Only the first of consecutive failures is, or an outage would fill the log. */
  failing: 'info' | 'warn' | undefined
  /** Wall milliseconds. */
  failingSince: number | undefined
  /** The uptime since which this node must run it. */
  dueSince: number
}

type RunnerDeps = Pick<Deps, 'clock' | 'log' | 'databaseHealth'>

export class JobRunner {
  readonly #deps: RunnerDeps
  readonly #lease: Pick<Lease, 'isHeld'>
  readonly #onFailure: (job: string) => unknown
  readonly #tracks: ReadonlyMap<Job, Track>
  readonly #stopping = new AbortController()
  #timers: readonly NodeJS.Timeout[] = []

  /** @param onFailure called when a job begins to fail, but not in an outage of the database. */
  constructor(deps: RunnerDeps, lease: Pick<Lease, 'isHeld'>, jobs: readonly Job[], onFailure: (job: string) => unknown) {
    this.#deps = deps
    this.#lease = lease
    this.#onFailure = onFailure
    const dueSince = deps.clock.uptime()
    const track = () => ({
      running: undefined,
      succeeded: undefined,
      failed: undefined,
      failures: 0,
      failing: undefined,
      failingSince: undefined,
      dueSince,
    })
    this.#tracks = new Map(jobs.map((job) => [job, track()]))
  }

  start(): void {
    this.#timers = Array.from(this.#tracks, ([job, track]) =>
      setInterval(() => {
        if (this.#mustRun(job)) void this.#start(job, track)
        else track.dueSince = this.#deps.clock.uptime()
      }, job.everyMs),
    )
  }

  /** Runs a job now, on this node. Resolves when a run that started after the call has ended. */
  async run(name: string): Promise<void> {
    const found = [...this.#tracks].find(([job]) => job.name === name)
    if (found === undefined) throw new Error(`Unknown job “${name}”.`)
    // A run in progress may have missed recent changes.
    await found[1].running
    await this.#start(...found)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([...this.#tracks.values()].map(async ({ running }) => running))
  }

  runs(): JobRuns[] {
    const uptime = this.#deps.clock.uptime()
    return Array.from(this.#tracks, ([job, { running, succeeded, failed, failures, failingSince, dueSince }]) => {
      const mustRun = this.#mustRun(job)
      const since = Math.max(succeeded?.uptime ?? -Infinity, dueSince)
      return {
        name: job.name,
        everyMs: job.everyMs,
        isRunning: running !== undefined,
        succeededAt: succeeded?.at,
        durationMs: succeeded?.durationMs,
        failedAt: failed?.at,
        failure: failed?.sentence,
        failures,
        failingSince: mustRun ? failingSince : undefined,
        overdueMs: mustRun ? Math.max(0, uptime - since - 2 * job.everyMs) : 0,
      }
    })
  }

  /** During an outage, jobs wait for the database instead of failing one by one. */
  #mustRun({ where }: Job): boolean {
    return where === 'locally' || (!this.#deps.databaseHealth.isLost && (where === 'everywhere' || this.#lease.isHeld))
  }

  #start(job: Job, track: Track): Promise<void> {
    if (track.running !== undefined) return track.running
    const { clock } = this.#deps
    const began = clock.uptime()
    track.running = job
      .run(this.#stopping.signal)
      .then(
        () => {
          track.succeeded = { at: clock.now(), uptime: clock.uptime(), durationMs: clock.uptime() - began }
          if (track.failing !== undefined) this.#deps.log[track.failing]({ job: job.name, ...RECOVERED }, 'job succeeds again')
          track.failing = undefined
          track.failingSince = undefined
        },
        (error: unknown) => this.#failed(job, track, error),
      )
      .finally(() => {
        track.running = undefined
      })
    return track.running
  }

  #failed({ name }: Job, track: Track, error: unknown): void {
    const { clock, log } = this.#deps
    track.failures += 1
    track.failingSince ??= clock.now()
    track.failed = { at: clock.now(), sentence: sentenceOf(error) }
    // `DatabaseHealth` reports outages.
    if (failureKind(error) === 'unreachable') {
      log.info({ err: error, job: name }, 'job failed in an outage, will retry')
      track.failing ??= 'info'
    } else if (track.failing !== 'warn') {
      log.warn({ err: error, job: name }, 'job failed, will retry')
      this.#onFailure(name)
      track.failing = 'warn'
    }
  }
}

/** With its cause: an error that names what failed has it there. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  const sentence = cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message || error.name
  return sentence.slice(0, MAX_FAILURE_LENGTH)
}

/**
 * Decides when a game server is asked, so that the list is no weapon: of one target at most two questions are open, and 30 begin within a minute.
 * Owners take turns, so that many claims of some don't delay the others. At most half of all questions go to failing servers, so that their
 * timeouts don't block the others.
 */
import type { Clock } from '#backend/platform/clock.ts'

const MAX_CONCURRENT = 32
const MAX_CONCURRENT_FAILING = MAX_CONCURRENT / 2
const MAX_PER_TARGET = 2
const MAX_PER_MINUTE = 30
const MINUTE_MS = 60_000

export interface AskJob {
  readonly ownerId: string
  /** At most one job of a key waits or runs. */
  readonly key: string
  /** What the limits count: the key of an address (`limitKey`), or a name. */
  readonly target: string
  readonly isFailing: boolean
  /** How many connections or datagrams it can take. */
  readonly questions: number
  /** Never rejects. */
  readonly run: () => Promise<void>
  /** Called instead of `run` if the job is not going to run: another one of its key replaces it, or runs. */
  readonly drop?: () => void
}

export class AskScheduler {
  readonly #clock: Pick<Clock, 'uptime'>
  /** By owner and key. The owner whose turn is next comes first; of an owner's jobs, the oldest. */
  readonly #pending = new Map<string, Map<string, AskJob>>()
  #pendingCount = 0
  readonly #running = new Map<AskJob, Promise<void>>()
  /** When questions began, by target, oldest first. */
  readonly #begun = new Map<string, number[]>()

  #forgottenAt = -Infinity

  constructor(clock: Pick<Clock, 'uptime'>) {
    this.#clock = clock
  }

  /** Replaces a pending job of the key, in its place. */
  add(job: AskJob): void {
    if (this.#isRunning(job.key)) return job.drop?.()
    const jobs = this.#pending.get(job.ownerId) ?? new Map<string, AskJob>()
    this.#pending.set(job.ownerId, jobs)
    const replaced = jobs.get(job.key)
    if (replaced === undefined) this.#pendingCount += 1
    else replaced.drop?.()
    jobs.set(job.key, job)
    // A long queue waits for the next look.
    if (this.#pendingCount <= MAX_CONCURRENT) this.fill()
  }

  has({ ownerId, key }: Pick<AskJob, 'ownerId' | 'key'>): boolean {
    return this.#pending.get(ownerId)?.has(key) === true || this.#isRunning(key)
  }

  /** Drops pending jobs. Resolves when the running ones are done. */
  async close(): Promise<void> {
    for (const jobs of this.#pending.values()) for (const job of jobs.values()) job.drop?.()
    this.#pending.clear()
    this.#pendingCount = 0
    await Promise.all(this.#running.values())
  }

  /** Starts what may start. Call it now and then, because a target's minute passes. */
  fill(): void {
    this.#forgetOldQuestions()
    for (const isFailing of [false, true]) while (this.#startRound(isFailing));
  }

  /** Starts at most one job of each owner. Returns whether it started any. */
  #startRound(isFailing: boolean): boolean {
    let hasStarted = false
    const turns = [...this.#pending]
    for (const [ownerId, jobs] of turns) {
      if (!this.#hasSlot(isFailing)) return false
      const job = [...jobs.values()].find((each) => each.isFailing === isFailing && this.#mayAsk(each))
      if (job === undefined) continue
      jobs.delete(job.key)
      this.#pending.delete(ownerId)
      if (jobs.size > 0) this.#pending.set(ownerId, jobs)
      this.#start(job)
      hasStarted = true
    }
    return hasStarted
  }

  #hasSlot(isFailing: boolean): boolean {
    return this.#count(() => true) < MAX_CONCURRENT && !(isFailing && this.#count((job) => job.isFailing) >= MAX_CONCURRENT_FAILING)
  }

  #isRunning(key: string): boolean {
    return this.#count((job) => job.key === key) > 0
  }

  #mayAsk({ target, questions }: AskJob): boolean {
    const begun = this.#begun.get(target)?.length ?? 0
    return begun + questions <= MAX_PER_MINUTE && this.#count((job) => job.target === target) < MAX_PER_TARGET
  }

  #count(condition: (job: AskJob) => boolean): number {
    return [...this.#running.keys()].filter(condition).length
  }

  /** Once a second is often enough. */
  #forgetOldQuestions(): void {
    const now = this.#clock.uptime()
    if (now - this.#forgottenAt < 1000) return
    this.#forgottenAt = now
    const since = now - MINUTE_MS
    for (const [target, times] of this.#begun) {
      const recent = times.findIndex((time) => time > since)
      if (recent === -1) this.#begun.delete(target)
      else if (recent > 0) this.#begun.set(target, times.slice(recent))
    }
  }

  #start(job: AskJob): void {
    this.#pendingCount -= 1
    const now = this.#clock.uptime()
    this.#begun.set(job.target, [...(this.#begun.get(job.target) ?? []), ...Array.from({ length: job.questions }, () => now)])
    const run = job.run().finally(() => {
      this.#running.delete(job)
      this.fill()
    })
    this.#running.set(job, run)
  }
}

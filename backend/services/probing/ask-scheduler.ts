/**
 * Decides when a game server is asked, so that the list is no weapon: of one target address at most two questions are open, and 30 begin within a
 * minute. At most half of all questions go to failing servers, so that their timeouts don't block the others.
 */
import type { Clock } from '#backend/platform/clock.ts'

const MAX_CONCURRENT = 32
const MAX_CONCURRENT_FAILING = MAX_CONCURRENT / 2
const MAX_PER_TARGET = 2
const MAX_PER_MINUTE = 30
const MINUTE_MS = 60_000

export interface AskJob {
  /** At most one job of a key waits or runs. */
  readonly key: string
  /** The key of the target address (`limitKey`). */
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
  /** By key. First in, first out. */
  readonly #pending = new Map<string, AskJob>()
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
    this.#pending.get(job.key)?.drop?.()
    this.#pending.set(job.key, job)
    // A long queue waits for the next look.
    if (this.#pending.size <= MAX_CONCURRENT) this.fill()
  }

  has(key: string): boolean {
    return this.#pending.has(key) || this.#isRunning(key)
  }

  /** Drops pending jobs. Resolves when the running ones are done. */
  async close(): Promise<void> {
    for (const job of this.#pending.values()) job.drop?.()
    this.#pending.clear()
    await Promise.all(this.#running.values())
  }

  /** Starts what may start. Call it now and then, because a target's minute passes. */
  fill(): void {
    const running = [...this.#running.keys()]
    const open = new Map([...Map.groupBy(running, ({ target }) => target)].map(([target, jobs]) => [target, jobs.length]))
    let failing = running.filter((job) => job.isFailing).length
    this.#forgetOldQuestions()
    for (const isFailing of [false, true])
      for (const job of this.#pending.values()) {
        if (this.#running.size >= MAX_CONCURRENT || (isFailing && failing >= MAX_CONCURRENT_FAILING)) break
        const count = open.get(job.target) ?? 0
        if (job.isFailing !== isFailing || count >= MAX_PER_TARGET || !this.#hasRoom(job)) continue
        open.set(job.target, count + 1)
        if (isFailing) failing += 1
        this.#start(job)
      }
  }

  #isRunning(key: string): boolean {
    return [...this.#running.keys()].some((job) => job.key === key)
  }

  #hasRoom({ target, questions }: AskJob): boolean {
    return (this.#begun.get(target)?.length ?? 0) + questions <= MAX_PER_MINUTE
  }

  /** Once a second is often enough. */
  #forgetOldQuestions(): void {
    const now = this.#clock.uptime()
    if (now - this.#forgottenAt < 1000) return
    this.#forgottenAt = now
    const since = now - MINUTE_MS
    for (const [target, times] of this.#begun) {
      const recent = times.filter((time) => time > since)
      if (recent.length === 0) this.#begun.delete(target)
      else if (recent.length < times.length) this.#begun.set(target, recent)
    }
  }

  #start(job: AskJob): void {
    this.#pending.delete(job.key)
    const now = this.#clock.uptime()
    this.#begun.set(job.target, [...(this.#begun.get(job.target) ?? []), ...Array.from({ length: job.questions }, () => now)])
    const run = job.run().finally(() => {
      this.#running.delete(job)
      this.fill()
    })
    this.#running.set(job, run)
  }
}

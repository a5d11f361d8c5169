/**
 * Limits concurrent probes, in total and per address. At most half of them go to failing servers, so that their timeouts don't
 * block the others.
 */
import type { ProbedServer } from './probed-server.ts'

const MAX_CONCURRENT = 32
const MAX_CONCURRENT_FAILING = MAX_CONCURRENT / 2
const MAX_PER_ADDRESS = 2

export interface ProbeJob {
  readonly server: ProbedServer
  /** The key for the limit per address. */
  readonly address: string
  readonly isFailing: boolean
}

export class ProbeScheduler {
  readonly #run: (job: ProbeJob) => Promise<void>
  // FIFO queues.
  readonly #healthy = new Set<ProbeJob>()
  readonly #failing = new Set<ProbeJob>()
  /** Jobs whose address was busy, by address. */
  readonly #parked = new Map<string, Set<ProbeJob>>()
  readonly #running = new Map<ProbeJob, Promise<void>>()
  /** Pending or running jobs by public ID, at most one per server. */
  readonly #jobs = new Map<string, ProbeJob>()

  /** @param run never rejects. */
  constructor(run: (job: ProbeJob) => Promise<void>) {
    this.#run = run
  }

  /** A pending job can only move from the failing to the healthy queue. */
  add(job: ProbeJob): void {
    const existing = this.#jobs.get(job.server.publicId)
    if (existing !== undefined) {
      if (!existing.isFailing || job.isFailing || this.#running.has(existing)) return
      this.#failing.delete(existing)
      this.#parked.get(existing.address)?.delete(existing)
    }
    this.#jobs.set(job.server.publicId, job)
    this.#queueOf(job).add(job)
    this.#fill()
  }

  has({ publicId }: ProbedServer): boolean {
    return this.#jobs.has(publicId)
  }

  /** Drops pending jobs. Resolves when the running ones are done. */
  async close(): Promise<void> {
    this.#healthy.clear()
    this.#failing.clear()
    this.#parked.clear()
    await Promise.all(this.#running.values())
  }

  #queueOf({ isFailing }: ProbeJob): Set<ProbeJob> {
    return isFailing ? this.#failing : this.#healthy
  }

  #fill(): void {
    while (this.#running.size < MAX_CONCURRENT) {
      const canRunFailing = this.#countRunning((running) => running.isFailing) < MAX_CONCURRENT_FAILING
      const job = firstOf(this.#healthy) ?? (canRunFailing ? firstOf(this.#failing) : undefined)
      if (job === undefined) return
      this.#queueOf(job).delete(job)
      if (this.#countRunning((running) => running.address === job.address) < MAX_PER_ADDRESS) this.#start(job)
      else this.#park(job)
    }
  }

  #start(job: ProbeJob): void {
    const run = this.#run(job).finally(() => this.#finish(job))
    this.#running.set(job, run)
  }

  #finish(job: ProbeJob): void {
    this.#running.delete(job)
    this.#jobs.delete(job.server.publicId)
    const parked = this.#parked.get(job.address)
    const next = parked && firstOf(parked)
    if (next === undefined) this.#parked.delete(job.address)
    else {
      parked?.delete(next)
      // Back to the end of its queue, so that many servers at one address get no advantage.
      this.#queueOf(next).add(next)
    }
    this.#fill()
  }

  #park(job: ProbeJob): void {
    const parked = this.#parked.get(job.address) ?? new Set<ProbeJob>()
    this.#parked.set(job.address, parked.add(job))
  }

  #countRunning(matches: (job: ProbeJob) => boolean): number {
    return [...this.#running.keys()].filter(matches).length
  }
}

function firstOf(jobs: Set<ProbeJob>): ProbeJob | undefined {
  const [first] = jobs
  return first
}

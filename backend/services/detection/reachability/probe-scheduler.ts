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
  /** By public ID, so at most one per server. First in, first out. */
  readonly #pending = new Map<string, ProbeJob>()
  readonly #running = new Map<ProbeJob, Promise<void>>()

  /** @param run never rejects. */
  constructor(run: (job: ProbeJob) => Promise<void>) {
    this.#run = run
  }

  /** Replaces a pending job of the server, in its place. */
  add(job: ProbeJob): void {
    if (this.#isRunning(job.server)) return
    this.#pending.set(job.server.publicId, job)
    this.#fill()
  }

  has(server: ProbedServer): boolean {
    return this.#pending.has(server.publicId) || this.#isRunning(server)
  }

  /** Drops pending jobs. Resolves when the running ones are done. */
  async close(): Promise<void> {
    this.#pending.clear()
    await Promise.all(this.#running.values())
  }

  #isRunning({ publicId }: ProbedServer): boolean {
    return [...this.#running.keys()].some((job) => job.server.publicId === publicId)
  }

  #fill(): void {
    const running = [...this.#running.keys()]
    const atAddress = new Map([...Map.groupBy(running, ({ address }) => address)].map(([address, jobs]) => [address, jobs.length]))
    let failing = running.filter((job) => job.isFailing).length
    for (const isFailing of [false, true])
      for (const job of this.#pending.values()) {
        if (this.#running.size >= MAX_CONCURRENT || (isFailing && failing >= MAX_CONCURRENT_FAILING)) break
        const count = atAddress.get(job.address) ?? 0
        if (job.isFailing !== isFailing || count >= MAX_PER_ADDRESS) continue
        atAddress.set(job.address, count + 1)
        if (isFailing) failing += 1
        this.#start(job)
      }
  }

  #start(job: ProbeJob): void {
    this.#pending.delete(job.server.publicId)
    const run = this.#run(job).finally(() => {
      this.#running.delete(job)
      this.#fill()
    })
    this.#running.set(job, run)
  }
}

/**
 * Who is asked next: a limited number at once, in total and at one address. At most half of them failed before: those take their whole
 * timeout, and must not keep the others waiting.
 */
import type { ProbedServer } from './probed-server.ts'

const MAX_AT_ONCE = 32
const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2
const MAX_AT_ONE_ADDRESS = 2

export interface ProbeJob {
  readonly server: ProbedServer
  /** What is counted as one address. */
  readonly address: string
  readonly isFailing: boolean
}

export class ProbeScheduler {
  readonly #run: (probe: ProbeJob) => Promise<void>
  // First in, first out.
  readonly #healthy = new Set<ProbeJob>()
  readonly #failing = new Set<ProbeJob>()
  /** Probes that came up while their address was busy, by address. */
  readonly #parked = new Map<string, Set<ProbeJob>>()
  readonly #running = new Map<ProbeJob, Promise<void>>()
  /** Waiting or running, by public id of the server: none waits twice. */
  readonly #jobs = new Map<string, ProbeJob>()

  /** @param run never rejects. */
  constructor(run: (probe: ProbeJob) => Promise<void>) {
    this.#run = run
  }

  /** A pending probe may only move up from the failing ones. */
  add(probe: ProbeJob): void {
    const known = this.#jobs.get(probe.server.publicId)
    if (known !== undefined) {
      if (!known.isFailing || probe.isFailing || this.#running.has(known)) return
      this.#failing.delete(known)
      this.#parked.get(known.address)?.delete(known)
    }
    this.#jobs.set(probe.server.publicId, probe)
    this.#laneOf(probe).add(probe)
    this.#fill()
  }

  has({ publicId }: ProbedServer): boolean {
    return this.#jobs.has(publicId)
  }

  /** Nobody else is asked; resolves when the last one has been. */
  async close(): Promise<void> {
    this.#healthy.clear()
    this.#failing.clear()
    this.#parked.clear()
    await Promise.all(this.#running.values())
  }

  #laneOf({ isFailing }: ProbeJob): Set<ProbeJob> {
    return isFailing ? this.#failing : this.#healthy
  }

  #fill(): void {
    while (this.#running.size < MAX_AT_ONCE) {
      const mayFail = this.#countRunning((one) => one.isFailing) < MAX_FAILING_AT_ONCE
      const probe = firstOf(this.#healthy) ?? (mayFail ? firstOf(this.#failing) : undefined)
      if (probe === undefined) return
      this.#laneOf(probe).delete(probe)
      if (this.#countRunning((one) => one.address === probe.address) < MAX_AT_ONE_ADDRESS) this.#begin(probe)
      else this.#park(probe)
    }
  }

  #begin(probe: ProbeJob): void {
    const run = this.#run(probe).finally(() => this.#end(probe))
    this.#running.set(probe, run)
  }

  #end(probe: ProbeJob): void {
    this.#running.delete(probe)
    this.#jobs.delete(probe.server.publicId)
    const parked = this.#parked.get(probe.address)
    const next = parked && firstOf(parked)
    if (next === undefined) this.#parked.delete(probe.address)
    else {
      parked?.delete(next)
      // At the end of its lane again: many servers at one address come no sooner than the others.
      this.#laneOf(next).add(next)
    }
    this.#fill()
  }

  #park(probe: ProbeJob): void {
    const parked = this.#parked.get(probe.address) ?? new Set<ProbeJob>()
    this.#parked.set(probe.address, parked.add(probe))
  }

  #countRunning(matches: (probe: ProbeJob) => boolean): number {
    return [...this.#running.keys()].filter(matches).length
  }
}

function firstOf(probes: Set<ProbeJob>): ProbeJob | undefined {
  const [first] = probes
  return first
}

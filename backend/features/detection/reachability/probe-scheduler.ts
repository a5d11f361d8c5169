/**
 * Who is asked next: a limited number at once, in total and at one address. At most half of them failed before: those take their whole
 * timeout, and must not keep the others waiting.
 */
import type { Watched } from './watched.ts'

const MAX_AT_ONCE = 32
const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2
const MAX_AT_ONE_ADDRESS = 2

export interface Probe {
  readonly watched: Watched
  /** What is counted as one address. */
  readonly address: string
  readonly isFailing: boolean
}

export class ProbeScheduler {
  readonly #run: (probe: Probe) => Promise<void>
  // First in, first out.
  readonly #sound = new Set<Probe>()
  readonly #failing = new Set<Probe>()
  /** Probes that came up while their address was busy, by address. */
  readonly #parked = new Map<string, Set<Probe>>()
  readonly #running = new Map<Probe, Promise<void>>()
  /** Waiting or running, by public id of the server: none waits twice. */
  readonly #known = new Map<string, Probe>()

  /** @param run never rejects. */
  constructor(run: (probe: Probe) => Promise<void>) {
    this.#run = run
  }

  /** A pending probe may only move up from the failing ones. */
  add(probe: Probe): void {
    const known = this.#known.get(probe.watched.publicId)
    if (known !== undefined) {
      if (!known.isFailing || probe.isFailing || this.#running.has(known)) return
      this.#failing.delete(known)
      this.#parked.get(known.address)?.delete(known)
    }
    this.#known.set(probe.watched.publicId, probe)
    this.#laneOf(probe).add(probe)
    this.#fill()
  }

  has({ publicId }: Watched): boolean {
    return this.#known.has(publicId)
  }

  /** Nobody else is asked; resolves when the last one has been. */
  async close(): Promise<void> {
    this.#sound.clear()
    this.#failing.clear()
    this.#parked.clear()
    await Promise.all(this.#running.values())
  }

  #laneOf({ isFailing }: Probe): Set<Probe> {
    return isFailing ? this.#failing : this.#sound
  }

  #fill(): void {
    while (this.#running.size < MAX_AT_ONCE) {
      const mayFail = this.#countRunning((one) => one.isFailing) < MAX_FAILING_AT_ONCE
      const probe = firstOf(this.#sound) ?? (mayFail ? firstOf(this.#failing) : undefined)
      if (probe === undefined) return
      this.#laneOf(probe).delete(probe)
      if (this.#countRunning((one) => one.address === probe.address) < MAX_AT_ONE_ADDRESS) this.#begin(probe)
      else this.#park(probe)
    }
  }

  #begin(probe: Probe): void {
    const run = this.#run(probe).finally(() => this.#end(probe))
    this.#running.set(probe, run)
  }

  #end(probe: Probe): void {
    this.#running.delete(probe)
    this.#known.delete(probe.watched.publicId)
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

  #park(probe: Probe): void {
    const parked = this.#parked.get(probe.address) ?? new Set<Probe>()
    this.#parked.set(probe.address, parked.add(probe))
  }

  #countRunning(matches: (probe: Probe) => boolean): number {
    return [...this.#running.keys()].filter(matches).length
  }
}

function firstOf(probes: Set<Probe>): Probe | undefined {
  const [first] = probes
  return first
}

/** The programs that the parts measure: started on first use and shared, so that sizes can take turns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_FRESH_SERVERS } from '#backend/masterlist/lists/snapshot.ts'
import { Bare } from './bare-server.ts'
import { type LoadSpec, Load, type LoadTarget } from './load.ts'
import { Muster, type ProgramOptions } from './muster.ts'
import { Nginx } from './nginx.ts'
import { announceRequests } from './requests.ts'
import { RESERVED_SERVERS } from './reserved-servers.ts'
import type { Figures } from './table.ts'

/** The announce interval of each server. */
export const ANNOUNCE_SECONDS = 30
export const CHANGING_OF_TEN = 3
/** Warm-up with closed-loop announces, until two turns in a row have about the same cost. */
const WARM = { connections: 32, turns: 6, turnMs: 2000, maxTurnFactor: 5, difference: 0.1 }

/** The options of a run. */
export interface Run {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly milliseconds: number
  readonly testBed: TestBed
  readonly figures: Figures
}

export interface Pair {
  readonly servers: number
  readonly ours: Muster
  readonly bare: Bare
  /** Announces of all servers except the reserved ones; three of ten change. @param rate per second; 0 is a closed loop */
  readonly announces: (connections: number, rate: number) => LoadSpec
}

export class TestBed {
  readonly load = new Load()
  readonly #folder = mkdtempSync(join(tmpdir(), 'muster-bench-requests-'))
  readonly #pairs = new Map<number, Promise<Pair>>()
  readonly #warm = new Set<Pair>()
  readonly #exclusive: Promise<Pair>[] = []
  readonly #programs: Muster[] = []
  #nginx: Promise<Nginx | undefined> | undefined
  #files = 0

  pair(servers: number): Promise<Pair> {
    const pair = this.#pairs.get(servers) ?? this.#start(servers)
    this.#pairs.set(servers, pair)
    return pair
  }

  /** The shared pair after its warm-up: the first seconds cost several times more. @param milliseconds length of a turn */
  async warmPair(servers: number, milliseconds: number): Promise<Pair> {
    return this.#warmed(await this.pair(servers), milliseconds)
  }

  /** A fresh, warm pair for one part, which stops it. */
  async ownPair(servers: number, milliseconds: number, options: ProgramOptions): Promise<Pair> {
    const starting = this.#start(servers, options)
    this.#exclusive.push(starting)
    return this.#warmed(await starting, milliseconds)
  }

  async #warmed(pair: Pair, milliseconds: number): Promise<Pair> {
    if (this.#warm.has(pair)) return pair
    const turnMs = Math.min(WARM.turnMs, milliseconds * WARM.maxTurnFactor)
    for (const target of [pair.ours, pair.bare]) await this.#warmUp(target, pair.announces(WARM.connections, 0), turnMs)
    this.#warm.add(pair)
    return pair
  }

  /** A fresh program for one part, which stops it. */
  async program(servers: number, options: ProgramOptions): Promise<Muster> {
    const muster = await Muster.start(servers, options)
    this.#programs.push(muster)
    return muster
  }

  nginx(): Promise<Nginx | undefined> {
    this.#nginx ??= Nginx.start()
    return this.#nginx
  }

  /** Writes a file for child processes and returns its path. */
  file(content: string | Buffer): string {
    this.#files += 1
    const file = join(this.#folder, String(this.#files))
    writeFileSync(file, content)
    return file
  }

  async stop(): Promise<void> {
    this.load.stop()
    for (const { ours, bare } of await fulfilledOf([...this.#pairs.values(), ...this.#exclusive])) {
      bare.stop()
      await ours.stop()
    }
    // A stopped part leaves its programs running.
    for (const muster of this.#programs) await muster.stop()
    await (await this.#nginx)?.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #warmUp(target: LoadTarget, announces: LoadSpec, milliseconds: number): Promise<void> {
    let before = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < WARM.turns; turn += 1) {
      const { cpuMicroseconds } = await this.load.run(target, milliseconds, announces)
      if (Math.abs(before / cpuMicroseconds - 1) < WARM.difference) return
      before = cpuMicroseconds
    }
  }

  async #start(servers: number, options: ProgramOptions = {}): Promise<Pair> {
    const ours = await Muster.start(servers, options)
    const bare = await Bare.start(
      ours.fleet.map((one) => one.credential),
      options.flags,
    )
    const requests = this.file(JSON.stringify(announceRequests(ours.fleet.slice(RESERVED_SERVERS), CHANGING_OF_TEN)))
    return { servers, ours, bare, announces: (connections, rate) => ({ connections, rate, requests }) }
  }
}

/** The largest size of the run whose list is built every second. */
export function largestSmallSize(sizes: readonly number[]): number {
  return sizes.findLast((servers) => servers <= MAX_FRESH_SERVERS) ?? MAX_FRESH_SERVERS
}

async function fulfilledOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises)
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** What the parts are played on: programs of each size, started when first wanted and kept, so that sizes can take turns in the same minutes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_SMALL_LIST } from '#backend/masterlist/lists/publisher.ts'
import { Bare } from './bare-server.ts'
import { type Asked, Load, type Target } from './load.ts'
import { Muster, type Special } from './muster.ts'
import { Nginx } from './nginx.ts'
import { announceRequests } from './requests.ts'
import { RESERVED } from './reserved.ts'
import type { Figures } from './table.ts'

/** Each server announces so often. */
export const ANNOUNCE_SECONDS = 30
export const CHANGING_OF_TEN = 3
/** Closed-loop announces until the engine and the first saving of every server are through: turns that cost as much as the one before. */
const WARM = { connections: 32, turns: 6, turnMs: 2000, mostLonger: 5, difference: 0.1 }

/** How a run was asked for. */
export interface Run {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly milliseconds: number
  readonly stage: Stage
  readonly figures: Figures
}

export interface Pair {
  readonly servers: number
  readonly ours: Muster
  readonly bare: Bare
  /** All but the reserved ones announce in turn; three of ten have other players than before. @param rate a second; 0 as fast as it is answered. */
  readonly announces: (connections: number, rate: number) => Asked
}

export class Stage {
  readonly load = new Load()
  readonly #folder = mkdtempSync(join(tmpdir(), 'muster-bench-requests-'))
  readonly #pairs = new Map<number, Promise<Pair>>()
  readonly #warm = new Set<Pair>()
  readonly #own: Promise<Pair>[] = []
  readonly #programs: Muster[] = []
  #nginx: Promise<Nginx | undefined> | undefined
  #files = 0

  pair(servers: number): Promise<Pair> {
    const known = this.#pairs.get(servers) ?? this.#start(servers)
    this.#pairs.set(servers, known)
    return known
  }

  /** The same one after its first seconds, which cost several times the later ones. @param milliseconds of a turn of the part. */
  async warmPair(servers: number, milliseconds: number): Promise<Pair> {
    return this.#warmed(await this.pair(servers), milliseconds)
  }

  /** A warm one for a part of its own, with which nothing was done before; the part stops it when it is done with it. */
  async ownPair(servers: number, milliseconds: number, special: Special): Promise<Pair> {
    const starting = this.#start(servers, special)
    this.#own.push(starting)
    return this.#warmed(await starting, milliseconds)
  }

  async #warmed(pair: Pair, milliseconds: number): Promise<Pair> {
    if (this.#warm.has(pair)) return pair
    const turnMs = Math.min(WARM.turnMs, milliseconds * WARM.mostLonger)
    for (const target of [pair.ours, pair.bare]) await this.#warmUp(target, pair.announces(WARM.connections, 0), turnMs)
    this.#warm.add(pair)
    return pair
  }

  /** One for a part of its own, which stops it when it is done with it. */
  async program(servers: number, special: Special): Promise<Muster> {
    const muster = await Muster.start(servers, special)
    this.#programs.push(muster)
    return muster
  }

  nginx(): Promise<Nginx | undefined> {
    this.#nginx ??= Nginx.start()
    return this.#nginx
  }

  /** Writes bytes or texts to a file, for processes that receive its name. */
  file(content: string | Buffer): string {
    this.#files += 1
    const file = join(this.#folder, String(this.#files))
    writeFileSync(file, content)
    return file
  }

  async stop(): Promise<void> {
    this.load.stop()
    for (const { ours, bare } of await settled([...this.#pairs.values(), ...this.#own])) {
      bare.stop()
      await ours.stop()
    }
    // Where the part was stopped in between.
    for (const muster of this.#programs) await muster.stop()
    await (await this.#nginx)?.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #warmUp(target: Target, announces: Asked, milliseconds: number): Promise<void> {
    let before = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < WARM.turns; turn += 1) {
      const { cpuMicroseconds } = await this.load.run(target, milliseconds, announces)
      if (Math.abs(before / cpuMicroseconds - 1) < WARM.difference) return
      before = cpuMicroseconds
    }
  }

  async #start(servers: number, special: Special = {}): Promise<Pair> {
    const ours = await Muster.start(servers, special)
    const bare = await Bare.start(
      ours.fleet.map((one) => one.credential),
      special.flags,
    )
    const requests = this.file(JSON.stringify(announceRequests(ours.fleet.slice(RESERVED), CHANGING_OF_TEN)))
    return { servers, ours, bare, announces: (connections, rate) => ({ connections, rate, requests }) }
  }
}

/** The largest size that has its whole list made each second; what a part wants that is about that. */
export function sizeUpTo(sizes: readonly number[]): number {
  return sizes.findLast((servers) => servers <= MAX_SMALL_LIST) ?? MAX_SMALL_LIST
}

async function settled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises)
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

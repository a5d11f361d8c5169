/** The programs that the parts measure: started on first use and shared, so that sizes can take turns. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#tests/program.ts'
import { type AnnouncingServer, announceRequests } from './fleet.ts'
import { Load, type LoadSpec } from './load.ts'
import { Bare, Muster, type MusterOptions, type Side } from './programs.ts'
import type { Figures } from './table.ts'

/** The announce interval of each server. */
export const ANNOUNCE_SECONDS = 30
/** For the first announce of each server. */
const FIRST_PER_SECOND = 5000
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
  /** Announces of all servers; three of ten change. @param rate per second; 0 is a closed loop */
  readonly announces: (connections: number, rate: number) => LoadSpec
}

export class TestBed {
  readonly load = new Load()
  readonly #folder = temporaryFolder()
  readonly #pairs = new Map<number, Pair>()
  readonly #running = new Set<Side>()
  #files = 0

  /** The shared pair after its warm-up: the first seconds cost several times more. @param milliseconds length of a turn */
  async warmPair(servers: number, milliseconds: number): Promise<Pair> {
    const pair = this.#pairs.get(servers) ?? (await this.start(servers))
    if (this.#pairs.has(servers)) return pair
    for (const target of [pair.ours, pair.bare]) await this.warmUp(target, pair.announces(WARM.connections, 0), milliseconds)
    this.#pairs.set(servers, pair)
    return pair
  }

  /** A fresh pair with every server online. */
  async start(servers: number): Promise<Pair> {
    const ours = await this.startMuster(servers)
    const bare = await Bare.start(ours.fleet)
    this.#running.add(bare)
    const requests = this.announceFile(ours.fleet)
    for (const target of [ours, bare]) await this.announceFirst(target, servers, requests)
    return { servers, ours, bare, announces: (connections, rate) => ({ connections, rate, requests }) }
  }

  /** A program whose servers have not announced yet. */
  async startMuster(servers: number, options?: MusterOptions): Promise<Muster> {
    const program = await Muster.start(servers, options)
    this.#running.add(program)
    return program
  }

  /** Starts a program again after `shutDown`. */
  async startAgain(stopped: Muster): Promise<Muster> {
    const program = await stopped.startAgain()
    this.#running.delete(stopped)
    this.#running.add(program)
    return program
  }

  /** The first announce of every server. */
  async announceFirst(target: Side, servers: number, requests: string): Promise<void> {
    await this.load.run(target, (servers / FIRST_PER_SECOND) * 1000, { connections: 16, rate: FIRST_PER_SECOND, requests })
  }

  announceFile(fleet: readonly AnnouncingServer[]): string {
    return this.file(JSON.stringify(announceRequests(fleet)))
  }

  /** Writes a file for child processes and returns its path. */
  file(content: string | Buffer): string {
    this.#files += 1
    const file = join(this.#folder, String(this.#files))
    writeFileSync(file, content)
    return file
  }

  stopPair({ ours, bare }: Pair): void {
    for (const side of [ours, bare]) this.stopSide(side)
  }

  stopSide(side: Side): void {
    side.stop()
    this.#running.delete(side)
  }

  stop(): void {
    this.load.stop()
    for (const program of this.#running) program.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** @param milliseconds length of a turn of the part */
  async warmUp(target: Side, announces: LoadSpec, milliseconds: number): Promise<void> {
    const turnMs = Math.min(WARM.turnMs, milliseconds * WARM.maxTurnFactor)
    let before = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < WARM.turns; turn += 1) {
      const { cpuMicroseconds } = await this.load.run(target, turnMs, announces)
      if (Math.abs(before / cpuMicroseconds - 1) < WARM.difference) return
      before = cpuMicroseconds
    }
  }
}

/** Orders load from the generators' processes and says what it cost the server. */
import { cpuOf, cpuOfMachine } from './cpu.ts'
import type { Order, Yield } from './generator.ts'
import { Helper } from './helper.ts'

/** A server under load. */
export interface Target {
  readonly port: number
  /** Nanoseconds of CPU of its processes until now. */
  cpu(): number
  /** The same of the database that belongs to it. */
  databaseCpu(): number
}

/** What is asked. */
export type Asked = Pick<Order, 'connections' | 'rate' | 'requests' | 'isOnce' | 'staysAwake' | 'keepsTags'> & {
  /** Somebody else than the others are asked; what he uses is not what strangers take. */
  readonly target?: Target
  /** What the status of every answer begins with, `200` where it is not said, several with `|`: what is refused costs little, and a figure made of it is none. */
  readonly expected?: string
}

/** What one turn cost. The figures without another word are those of the first order. */
export interface Cost extends Yield {
  readonly perSecond: number
  /** Microseconds of the server's CPU for one request of the first order, all that it did meanwhile included. */
  readonly cpuMicroseconds: number
  /** Share of a core. */
  readonly cpuPercent: number
  readonly databasePercent: number
  /** Near 100 a generator, not the server, was the limit; of one that stays awake it says nothing. */
  readonly generatorPercent: number
  /** What processes of others and the hypervisor took, in per cent of a core. */
  readonly othersPercent: number
  /** What the other orders brought. */
  readonly beside: readonly Yield[]
}

type Generator = Helper<Order, Yield>

/** One generator for each order that runs at the same time: who reads big lists does not keep another's answers waiting. */
export class Load {
  readonly #generators: Generator[] = []
  /** How far each target has come in a file of requests, whichever generator sent them. */
  readonly #positions = new Map<string, number>()

  /** Drives a target with several orders at once. Throws where an answer has another status than its order expects. */
  async run(target: Target, milliseconds: number, first: Asked, ...beside: readonly Asked[]): Promise<Cost> {
    const orders = [first, ...beside]
    while (this.#generators.length < orders.length) this.#generators.push(new Helper('generator.ts', '--max-semi-space-size=32'))
    const besides = [...new Set(beside.flatMap((order) => order.target ?? []))].filter((other) => other !== target)
    const began = performance.now()
    const before = this.#books(target, besides)
    const given = orders.map((order, index) =>
      this.#give(this.#generators[index] as Generator, order.target ?? target, milliseconds, order),
    )
    // Where one fails nothing is left running beside what is measured next.
    await Promise.allSettled(given)
    const [result, ...others] = await Promise.all(given)
    const after = this.#books(target, besides)
    const nanoseconds = (performance.now() - began) * 1e6
    const used = (name: keyof typeof before) => after[name] - before[name]
    if (result === undefined) throw new Error('There is no generator.')
    return {
      ...result,
      perSecond: (result.requests / result.milliseconds) * 1000,
      cpuMicroseconds: used('server') / 1000 / result.requests,
      cpuPercent: (used('server') / nanoseconds) * 100,
      databasePercent: (used('database') / nanoseconds) * 100,
      generatorPercent: (used('generators') / nanoseconds) * 100,
      othersPercent: Math.max(
        0,
        ((used('machine') - used('server') - used('database') - used('besides') - used('generators') - used('bench')) / nanoseconds) * 100,
      ),
      beside: others,
    }
  }

  stop(): void {
    for (const generator of this.#generators) generator.stop()
  }

  async #give(generator: Generator, { port }: Target, milliseconds: number, asked: Asked): Promise<Yield> {
    const { connections, rate, requests, isOnce = false, expected = '200', staysAwake = false, keepsTags = false } = asked
    const key = typeof requests === 'string' ? `${port} ${requests}` : undefined
    const from = key === undefined ? 0 : (this.#positions.get(key) ?? 0)
    const result = await generator.ask({ port, connections, milliseconds, requests, from, rate, isOnce, staysAwake, keepsTags })
    if (key !== undefined) this.#positions.set(key, result.next)
    const isExpected = (status: string) => expected.split('|').some((begin) => status.startsWith(begin))
    if (!Object.keys(result.statuses).every(isExpected))
      throw new Error(
        `Of ${result.requests} answers, all of which were to begin with ${expected}, these came: ${JSON.stringify(result.statuses)}.`,
      )
    return result
  }

  #books(target: Target, besides: readonly Target[]) {
    return {
      server: target.cpu(),
      database: target.databaseCpu(),
      besides: besides.reduce((sum, other) => sum + other.cpu() + other.databaseCpu(), 0),
      generators: this.#generators.reduce((sum, generator) => sum + generator.cpu(), 0),
      bench: cpuOf(process.pid),
      machine: cpuOfMachine(),
    }
  }
}

/** Runs load generators against a server and computes what the load cost it. */
import { cpuOf, cpuOfMachine } from './cpu.ts'
import type { LoadOrder, LoadResult } from './generator.ts'
import { WorkerProcess } from './worker-process.ts'

/** A server under load. */
export interface LoadTarget {
  readonly port: number
  /** Nanoseconds of CPU of its processes so far. */
  cpu(): number
  /** Nanoseconds of CPU of its database so far. */
  databaseCpu(): number
}

/** One stream of requests. */
export type LoadSpec = Pick<LoadOrder, 'connections' | 'rate' | 'requests'> & {
  /** Another server to send to. Its CPU does not count as `othersPercent`. */
  readonly target?: LoadTarget
  /** Expected status prefixes, separated by `|`, `200` by default. Unexpected statuses fail the run. */
  readonly expected?: string
}

/** The result of one turn. Figures without a comment belong to the first load. */
export interface Cost extends LoadResult {
  readonly perSecond: number
  /** Microseconds of server CPU per request of the first load, including all other work of that time. */
  readonly cpuMicroseconds: number
  /** Per cent of a core. */
  readonly cpuPercent: number
  readonly databasePercent: number
  /** Near 100, the generator was the limit, not the server. */
  readonly generatorPercent: number
  /** CPU of unrelated processes and steal time, in per cent of a core. */
  readonly othersPercent: number
  /** The results of the other loads. */
  readonly background: readonly LoadResult[]
}

type Generator = WorkerProcess<LoadOrder, LoadResult>

/** Uses one generator per concurrent load, so that large responses do not delay those of another load. */
export class Load {
  readonly #generators: Generator[] = []
  /** The position of each target in each request file. */
  readonly #positions = new Map<string, number>()

  /** Runs several loads at once. Throws on an unexpected status. */
  async run(target: LoadTarget, milliseconds: number, first: LoadSpec, ...background: readonly LoadSpec[]): Promise<Cost> {
    const orders = [first, ...background]
    while (this.#generators.length < orders.length) this.#generators.push(new WorkerProcess('generator.ts', '--max-semi-space-size=32'))
    const otherTargets = [...new Set(background.flatMap((order) => order.target ?? []))].filter((other) => other !== target)
    const began = performance.now()
    const before = this.#readCpu(target, otherTargets)
    const sent = orders.map((order, index) => this.#send(this.#generators[index] as Generator, order.target ?? target, milliseconds, order))
    // Settle all, so that a failure leaves nothing running.
    await Promise.allSettled(sent)
    const [result, ...others] = await Promise.all(sent)
    const after = this.#readCpu(target, otherTargets)
    const nanoseconds = (performance.now() - began) * 1e6
    const used = (name: keyof typeof before) => after[name] - before[name]
    if (result === undefined) throw new Error('No generator ran.')
    return {
      ...result,
      perSecond: (result.requests / result.milliseconds) * 1000,
      cpuMicroseconds: used('server') / 1000 / result.requests,
      cpuPercent: (used('server') / nanoseconds) * 100,
      databasePercent: (used('database') / nanoseconds) * 100,
      generatorPercent: (used('generators') / nanoseconds) * 100,
      othersPercent: Math.max(
        0,
        ((used('machine') - used('server') - used('database') - used('otherTargets') - used('generators') - used('bench')) / nanoseconds) *
          100,
      ),
      background: others,
    }
  }

  stop(): void {
    for (const generator of this.#generators) generator.stop()
  }

  async #send(generator: Generator, { port }: LoadTarget, milliseconds: number, spec: LoadSpec): Promise<LoadResult> {
    const { connections, rate, requests, expected = '200' } = spec
    const key = typeof requests === 'string' ? `${port} ${requests}` : undefined
    const from = key === undefined ? 0 : (this.#positions.get(key) ?? 0)
    const result = await generator.request({ port, connections, milliseconds, requests, from, rate })
    if (key !== undefined) this.#positions.set(key, result.next)
    const isExpected = (status: string) => expected.split('|').some((begin) => status.startsWith(begin))
    if (!Object.keys(result.statuses).every(isExpected))
      throw new Error(`Expected only ${expected}, got ${JSON.stringify(result.statuses)} in ${result.requests} responses.`)
    return result
  }

  #readCpu(target: LoadTarget, otherTargets: readonly LoadTarget[]) {
    return {
      server: target.cpu(),
      database: target.databaseCpu(),
      otherTargets: otherTargets.reduce((sum, other) => sum + other.cpu() + other.databaseCpu(), 0),
      generators: this.#generators.reduce((sum, generator) => sum + generator.cpu(), 0),
      bench: cpuOf(process.pid),
      machine: cpuOfMachine(),
    }
  }
}

/** Runs load generators against a server and computes what the load cost it. */
import { cpuOf, cpuOfMachine } from './cpu.ts'
import type { LoadOrder, LoadResult } from './generator.ts'
import type { Side } from './programs.ts'
import { WorkerProcess } from './worker-process.ts'

/** One stream of requests. */
export interface LoadSpec extends Pick<LoadOrder, 'connections' | 'rate' | 'requests'> {
  /** Another listener of the target. */
  readonly port?: number
  /** `200` by default. Another status fails the run. */
  readonly expected?: string
}

/** The result of one turn: of the first load, but the CPU includes all other work of that time. */
export interface Cost extends LoadResult {
  readonly perSecond: number
  /** Microseconds of server CPU per request. */
  readonly cpuMicroseconds: number
  /** Per cent of a core. */
  readonly cpuPercent: number
  readonly databasePercent: number
  /** CPU of unrelated processes and steal time, in per cent of a core. */
  readonly othersPercent: number
}

/** Uses one generator per concurrent load, so that large responses do not delay those of another load. */
export class Load {
  readonly #generators: WorkerProcess<LoadOrder, LoadResult>[] = []
  /** The position of each port in each request file. */
  readonly #positions = new Map<string, number>()

  /** Runs several loads at once. Throws on an unexpected status. */
  async run(target: Side, milliseconds: number, first: LoadSpec, ...background: readonly LoadSpec[]): Promise<Cost> {
    const before = this.#readCpu(target)
    const began = performance.now()
    const sent = [first, ...background].map((spec, index) => this.#send(index, milliseconds, { port: target.port, ...spec }))
    // Settle all, so that a failure leaves nothing running.
    await Promise.allSettled(sent)
    const [result] = (await Promise.all(sent)) as [LoadResult]
    const after = this.#readCpu(target)
    const nanoseconds = (performance.now() - began) * 1e6
    const [server, database, all] = [after.server - before.server, after.database - before.database, after.all - before.all]
    const percentOf = (cpu: number) => (cpu / nanoseconds) * 100
    return {
      ...result,
      perSecond: (result.requests / result.milliseconds) * 1000,
      cpuMicroseconds: server / 1000 / result.requests,
      cpuPercent: percentOf(server),
      databasePercent: percentOf(database),
      othersPercent: Math.max(0, percentOf(after.machine - before.machine - all)),
    }
  }

  stop(): void {
    for (const generator of this.#generators) generator.stop()
  }

  async #send(index: number, milliseconds: number, spec: LoadSpec & { readonly port: number }): Promise<LoadResult> {
    const generator = (this.#generators[index] ??= new WorkerProcess('generator.ts', { flags: ['--max-semi-space-size=32'] }))
    const { port, connections, rate, requests, expected = '200' } = spec
    const position = `${port} ${requests}`
    const from = this.#positions.get(position) ?? 0
    const result = await generator.request({ port, connections, milliseconds, requests, from, rate })
    this.#positions.set(position, from + result.requests)
    if (Object.keys(result.statuses).some((status) => status !== expected))
      throw new Error(`Expected only ${expected}, got ${JSON.stringify(result.statuses)}.`)
    return result
  }

  #readCpu(target: Side) {
    const [server, database] = [target.cpu(), target.databaseCpu()]
    const generators = this.#generators.map(({ child }) => child.pid)
    return { server, database, all: server + database + cpuOf(process.pid, ...generators), machine: cpuOfMachine() }
  }
}

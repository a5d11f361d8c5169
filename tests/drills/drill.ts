/**
 * Load on two real nodes behind a load balancer while something fails: game servers announce, a launcher reads the list, and an owner reads and
 * changes a server. Prints one row of docs/benchmarks.md for each fault.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import type { Cluster } from '#tests/cluster/cluster.ts'
import { Fleet, type FleetServer } from '#tests/cluster/fleet.ts'
import { waitUntilEqual } from '#tests/cluster/lists.ts'
import type { LoadBalancer } from '#tests/cluster/load-balancer.ts'
import { call } from '#tests/cluster/panel-call.ts'
import { newName } from '#tests/factories.ts'

const INCOMPLETE = 'incomplete'
const READ_EVERY_MS = 50
const ANNOUNCE_EVERY_MS = 1000
const RECOVERED_WITHIN_MS = 30_000
const CALL_TIMEOUT_MS = 15_000

type Kind = 'list' | 'read' | 'change'
const KINDS = ['list', 'read', 'change'] as const
type Counts = Record<Kind, { ok: number; failed: string[] }>

/** Which calls may fail while the fault lasts. */
export interface Fault {
  readonly name: string
  readonly mayFail: readonly (Kind | 'announce')[]
  /** Makes it fail, waits, and repairs it. */
  readonly run: () => Promise<void>
}

export class Drill {
  readonly #cluster: Cluster
  readonly #balancer: LoadBalancer
  readonly #servers: readonly FleetServer[]
  readonly #cookie: string
  readonly #own: string

  private constructor(cluster: Cluster, balancer: LoadBalancer, servers: readonly FleetServer[], cookie: string, own: string) {
    this.#cluster = cluster
    this.#balancer = balancer
    this.#servers = servers
    this.#cookie = cookie
    this.#own = own
  }

  static async prepare(cluster: Cluster, balancer: LoadBalancer, servers: readonly FleetServer[]): Promise<Drill> {
    const cookie = await cluster.signIn(balancer.panelUrl, { id: '7', username: 'owner' })
    const own = await call<ServerWithCredential>(balancer.panelUrl, cookie, 'POST /api/users/tokens', { name: newName() })
    expect(own.status, own.text).toBe(200)
    process.stdout.write('  | fault | announces | list | reads in the panel | changes | all answered after |\n')
    return new Drill(cluster, balancer, servers, cookie, own.data.public_id)
  }

  /** Returns the calls that failed and may not. Throws if something acknowledged is lost, or something does not recover. */
  async run({ name, mayFail, run }: Fault): Promise<string[]> {
    const fleet = new Fleet(this.#servers, [this.#balancer.listUrl])
    await fleet.announceAll()
    expect(fleet.failures).toEqual([])
    await waitUntilEqual(this.#cluster.nodes, this.#servers)
    const counts: Counts = { list: { ok: 0, failed: [] }, read: { ok: 0, failed: [] }, change: { ok: 0, failed: [] } }
    let isOver = false
    let stored: string | undefined
    const loop = async (kind: Kind, once: () => Promise<number>) => {
      while (!isOver) {
        const status = await once().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
        if (status === 200) counts[kind].ok += 1
        else counts[kind].failed.push(String(status))
        await sleep(READ_EVERY_MS)
      }
    }
    fleet.start(ANNOUNCE_EVERY_MS)
    const loads = [
      loop('list', () => this.#readList()),
      loop('read', () => this.#panel('GET /api/users/tokens')),
      loop('change', async () => {
        const description = `changed ${performance.now()}`
        const status = await this.#panel(`PATCH /api/users/tokens/${this.#own}`, { description })
        if (status === 200) stored = description
        return status
      }),
    ]
    await run()
    const recovered = await this.#untilRecovered()
    isOver = true
    await Promise.all(loads)
    await fleet.quiet()
    await fleet.announceAll()
    print(name, fleet, counts, recovered)
    await waitUntilEqual(this.#cluster.nodes, this.#servers)
    await this.#expectStored(stored)
    const announces = mayFail.includes('announce') ? [] : fleet.failures.map(({ status, why }) => `announce: ${status} ${why}`)
    // A list without all servers is never right.
    const calls = KINDS.flatMap((kind) =>
      counts[kind].failed.filter((why) => why === INCOMPLETE || !mayFail.includes(kind)).map((why) => `${kind}: ${why}`),
    )
    return [...announces, ...calls]
  }

  /** A change without an answer may be stored, too, but none before the last one that was acknowledged. */
  async #expectStored(acknowledged: string | undefined): Promise<void> {
    const { data } = await call<{ owned: { public_id: string; description: string }[] }>(
      this.#balancer.panelUrl,
      this.#cookie,
      'GET /api/users/tokens',
    )
    const stored = data.owned.find(({ public_id: id }) => id === this.#own)?.description ?? ''
    const at = (text: string | undefined) => Number(text?.split(' ')[1] ?? 0)
    expect(at(stored)).toBeGreaterThanOrEqual(at(acknowledged))
  }

  /** Milliseconds until each kind of call is answered on each node. */
  async #untilRecovered(): Promise<number> {
    const began = performance.now()
    const answers = () =>
      Promise.all(
        this.#cluster.nodes.map(async ({ panelUrl }) => {
          const change = await this.#panel(`PATCH /api/users/tokens/${this.#own}`, {}, panelUrl).catch(() => 0)
          const ready = await fetch(`${panelUrl}/readyz`).then(
            ({ status }) => status,
            () => 0,
          )
          return change === 200 && ready === 200
        }),
      )
    await expect.poll(async () => (await answers()).every(Boolean), { timeout: RECOVERED_WITHIN_MS, interval: 100 }).toBe(true)
    return performance.now() - began
  }

  async #panel(route: string, body?: unknown, panelUrl = this.#balancer.panelUrl): Promise<number> {
    return (await call(panelUrl, this.#cookie, route, body)).status
  }

  async #readList(): Promise<number> {
    const response = await fetch(`${this.#balancer.listUrl}/servers`, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
    const rows = (await response.json()) as unknown[]
    if (response.status === 200 && rows.length < this.#servers.length) throw new Error(INCOMPLETE)
    return response.status
  }
}

function print(name: string, fleet: Fleet, counts: Counts, recoveredMs: number): void {
  const cell = (ok: number, failed: number) => (failed === 0 ? `${ok}` : `${ok}, ${failed} rejected`)
  const cells = [
    name,
    cell(fleet.accepted, fleet.failures.length),
    ...KINDS.map((kind) => cell(counts[kind].ok, counts[kind].failed.length)),
    `${(recoveredMs / 1000).toFixed(1)} s`,
  ]
  process.stdout.write(`  | ${cells.join(' | ')} |\n`)
}

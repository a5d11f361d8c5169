/** Where something that other nodes did may have been missed, everything is compared: what is newer there is learned, what is newer here saved. */
import type { Gap } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import { Backlog } from './backlog.ts'
import { differingServers, liveStatesInPages } from './comparing.ts'
import type { LiveStateRow } from './masterlist.queries.ts'

/** What nodes that go without a word, again and again, make the others read. */
const COMPARE_EVERY_MS = 60_000
const COMPARE_AGAIN_MS = 1000

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>
  readonly registry: Registry
  /** Reads servers anew from the database. */
  readonly refresh: (publicIds: readonly string[]) => Promise<void>
  /** Takes over what is newer. */
  readonly learn: (rows: readonly LiveStateRow[]) => Promise<void>
}

export class CatchingUp {
  readonly #parts: Parts
  /** Of what is to be compared, from the first time that others may have left something unsaid. */
  readonly backlog: Backlog
  readonly #started = Promise.withResolvers<void>()
  #isDeaf = false
  /** Uptime from which it may be compared what others may have left unsaid; undefined where they have not. */
  #compareAt: number | undefined
  #comparedAt = -Infinity
  #comparing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.backlog = new Backlog(parts.deps.clock, () => this.#compareAt === undefined && this.#comparing === undefined)
  }

  /** Whether this node heard nothing for a while and does not know yet what that was. */
  get isDeaf(): boolean {
    return this.#isDeaf
  }

  /** Everything has been read once. */
  follow(): void {
    this.#started.resolve()
  }

  /**
   * Whoever was deaf itself catches up at once, and may not have heard of announces. What others left unsaid is looked for as well, but
   * not again and again, and nobody lives longer by it: what a node heard and did not tell before it went is the last moments' only.
   */
  async missed(why: Gap): Promise<void> {
    const { clock } = this.#parts.deps
    if (why === 'unsaid') {
      this.#compareAt ??= Math.max(clock.uptime(), this.#comparedAt + COMPARE_EVERY_MS)
      return
    }
    this.#isDeaf = true
    await this.#started.promise
    await this.#comparing
    this.#compareAt = undefined
    await this.#compare()
    this.#parts.registry.giveTime({ uptime: clock.uptime(), now: clock.now() })
    this.#isDeaf = false
  }

  /** Once it has followed. */
  beat({ uptime }: Moment): void {
    if (this.#compareAt === undefined || uptime < this.#compareAt || this.#comparing !== undefined || this.#isDeaf) return
    this.#compareAt = undefined
    this.#comparedAt = uptime
    this.#comparing = this.#compare()
      .then(() => this.backlog.done(uptime))
      .catch((error: unknown) => {
        this.#parts.deps.log.info({ err: error }, 'What other nodes may have left unsaid could not be read yet; it is tried again.')
        this.#compareAt = uptime + COMPARE_AGAIN_MS
      })
      .finally(() => {
        this.#comparing = undefined
      })
  }

  /** The live states alone. */
  async exchange(): Promise<void> {
    const { deps, registry, learn } = this.#parts
    const there = new Set<string>()
    for await (const rows of liveStatesInPages(deps.db)) {
      for (const row of rows) there.add(row.server_id)
      await learn(rows)
    }
    for (const server of registry.all()) if (server.announced !== undefined && !there.has(server.publicId)) registry.unsaved.add(server)
  }

  async close(): Promise<void> {
    await this.#comparing
  }

  /** Owners' changes first, so that nothing is listed that may not be, then the live states. */
  async #compare(): Promise<void> {
    const { deps, registry, refresh } = this.#parts
    for await (const publicIds of differingServers(deps, registry)) await refresh(publicIds)
    await this.exchange()
  }
}

/** Bodies of public pages, each built once for all visitors. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import type { PageBody } from './page-renderer.ts'

/** The pages of ten thousand servers in one language. */
const MAX_BYTES = 64 * 1024 * 1024

interface Entry {
  readonly state: readonly unknown[]
  readonly edition: unknown
  /** When both were read, in uptime. */
  readonly readAt: number
  readonly body: PageBody
}

interface Lookup {
  readonly key: string
  /** A body is shown only as long as each of these values is the same. */
  readonly state: readonly unknown[]
  /** A body of another edition is shown while the next one is built, and if that fails. */
  readonly edition?: unknown
  /** How old a body of another edition may be. */
  readonly maxAgeMs?: number
}

type Build = () => Promise<PageBody | undefined>

export class PageCache {
  readonly #clock: Pick<Clock, 'uptime'>
  readonly #entries = new LRUCache<string, Entry, () => Promise<Entry | undefined>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => body.bytes.length + key.length + 1,
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _stale, { context }) => context(),
  })

  constructor(clock: Pick<Clock, 'uptime'>) {
    this.#clock = clock
  }

  /** Concurrent calls with a key share a build. Undefined if the build returns undefined. */
  async get({ key, state, edition, maxAgeMs = 0 }: Lookup, build: Build): Promise<PageBody | undefined> {
    const readAt = this.#clock.uptime()
    const known = this.#entries.get(key)
    const isShown = known !== undefined && known.state.every((value, index) => value === state[index])
    if (isShown && known.edition === edition) return known.body
    const building = this.#entries.fetch(key, {
      forceRefresh: true,
      context: async () => {
        const body = await build()
        return body && { state, edition, readAt, body }
      },
    })
    if (!isShown || readAt - known.readAt >= maxAgeMs) return (await building)?.body
    building.catch(() => undefined)
    return known.body
  }
}

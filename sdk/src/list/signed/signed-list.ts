/** Reads a signed list from its origin or a mirror, and returns only what the public key vouches for. */
import { compare } from '../rows.ts'
import { ListError, type ListedServer, type SignedListOptions, type SignedServers, type SignedState } from '../types.ts'
import { Source, baseOf } from './source.ts'
import { type ChunkEntry, type VerifiedHead, Verifier, verifyChunk } from './verifier.ts'

/** The next source starts when one has no valid head after this time, or no list after the longer one. */
const HEAD_MS = 1000
const LIST_MS = 5000
/** The end of a read, however slowly the sources send. */
const READ_MS = 60_000
const MAX_REQUESTS = 6

type Chunks = Map<string, readonly ListedServer[]>

export class SignedListClient {
  readonly #options: SignedListOptions
  readonly #verifier: Verifier
  #current: SignedServers | undefined
  /** Those of the current list. */
  #chunks: Chunks = new Map()
  #reading: Promise<SignedServers> | undefined

  constructor(options: SignedListOptions) {
    this.#options = options
    this.#verifier = new Verifier(options.publicKey, options.state)
  }

  /** The servers of the last read in the order of the list. */
  get servers(): readonly ListedServer[] {
    return this.#current?.servers ?? []
  }

  /** To keep and to pass as `state` after a restart, so that a mirror can't show an older list than this. Undefined before the first read. */
  get state(): SignedState | undefined {
    return this.#verifier.state
  }

  /** Reads the newest list that a source has. Never returns an older one than before. Rejects with a `ListError` whose `sources` say why. */
  read(): Promise<SignedServers> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<SignedServers> {
    const urls = this.#sources()
    const stopped = new AbortController()
    const timer = setTimeout(() => stopped.abort(), READ_MS)
    const verified: Chunks = new Map(this.#chunks)
    const send = this.#options.fetch ?? fetch
    try {
      return await firstOf(
        urls.map((url) => (onHead) => this.#readFrom(new Source(url, send.bind(globalThis), stopped.signal), verified, onHead)),
        urls,
      )
    } finally {
      clearTimeout(timer)
      stopped.abort()
    }
  }

  /** The origin, then the mirrors that the caller and the last head name, in random order. */
  #sources(): readonly string[] {
    const { url, mirrors = [] } = this.#options
    const others = [...mirrors, ...(this.state?.mirrors ?? [])].map(baseOf)
    const shuffled = [...new Set(others)].map((each) => [Math.random(), each] as const).sort(([a], [b]) => a - b)
    return [...new Set([...(url === undefined ? [] : [baseOf(url)]), ...shuffled.map(([, each]) => each)])]
  }

  async #readFrom(source: Source, verified: Chunks, onHead: () => void): Promise<SignedServers> {
    const [keyNotes, headNote] = await source.texts()
    const known = await this.#verifier.verify(keyNotes, headNote, this.#options.now?.() ?? Date.now())
    onHead()
    const { head } = known
    // Another node, or a mirror, may be a little behind.
    if (this.#current !== undefined && head.version <= this.#current.version && !this.#isRevoked(known)) return this.#current
    await forEach(head.chunks, MAX_REQUESTS, async (entry: ChunkEntry) => {
      if (!verified.has(entry.sha256)) verified.set(entry.sha256, await verifyChunk(await source.chunk(entry), entry))
    })
    return this.#accept(source.url, known, verified)
  }

  /** Whether the current list is of a key that was revoked since. */
  #isRevoked({ trusted }: VerifiedHead): boolean {
    return trusted.keys.every(({ key }) => key.text !== this.state?.signer)
  }

  #accept(source: string, known: VerifiedHead, verified: Chunks): SignedServers {
    const { version, time, chunks } = known.head
    const servers = chunks.flatMap(({ sha256 }) => verified.get(sha256) ?? [])
    const isInOrder = servers.every(({ publicId }, index) => index === 0 || (servers[index - 1]?.publicId ?? '') < publicId)
    if (!isInOrder) throw new Error('its list has a server twice')
    // Another source was faster.
    if (this.#current !== undefined && version <= this.#current.version && !this.#isRevoked(known)) return this.#current
    this.#verifier.remember(known)
    this.#chunks = new Map(chunks.map(({ sha256 }) => [sha256, verified.get(sha256) ?? []]))
    this.#current = { servers: servers.sort(compare), time, version, source }
    return this.#current
  }
}

/** The first success. The next attempt starts when one fails or is slow. Rejects when all have failed. */
function firstOf(attempts: readonly ((onHead: () => void) => Promise<SignedServers>)[], urls: readonly string[]): Promise<SignedServers> {
  return new Promise((resolve, reject) => {
    const failures: { url: string; message: string }[] = []
    const timers = new Set<ReturnType<typeof setTimeout>>()
    let next = 0
    const finish = (end: () => void) => {
      for (const timer of timers) clearTimeout(timer)
      next = attempts.length
      end()
    }
    const start = () => {
      const index = next
      const attempt = attempts[index]
      if (attempt === undefined) return
      next += 1
      let hasContinued = false
      const proceed = () => {
        if (!hasContinued) start()
        hasContinued = true
      }
      const slowHead = setTimeout(proceed, HEAD_MS)
      timers.add(slowHead).add(setTimeout(proceed, LIST_MS))
      attempt(() => clearTimeout(slowHead)).then(
        (list) => finish(() => resolve(list)),
        (error: unknown) => {
          clearTimeout(slowHead)
          failures.push({ url: urls[index] ?? '', message: error instanceof Error ? error.message : String(error) })
          if (failures.length === attempts.length) finish(() => reject(failureOf(failures)))
          else proceed()
        },
      )
    }
    if (attempts.length === 0) reject(failureOf([]))
    else start()
  })
}

function failureOf(sources: ListError['sources']): ListError {
  const what = sources.map(({ url, message }) => ` ${url}: ${message}.`).join('')
  return new ListError(sources.length === 0 ? 'There is no source: set url or mirrors.' : `No source has a valid list.${what}`, {
    code: 'NO_VALID_LIST',
    sources,
  })
}

/** Runs at most `max` at a time. After a failure, no further one starts. */
async function forEach<T>(items: readonly T[], max: number, run: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await run(item)
      } catch (error) {
        rest.length = 0
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: max }, work))
}

/** A verified copy of a signed list, in memory and optionally in a folder. What it could not verify, it does not have. */
import type { Clock } from '#backend/platform/clock.ts'
import { FormerChunks } from '#backend/masterlist/signed/former-chunks.ts'
import { pathOf, publishedFolder } from '#backend/masterlist/signed/published-files.ts'
import { Publisher } from '#backend/masterlist/signed/publisher.ts'
import { Chunk, type SignedFile, textFile } from '#backend/masterlist/signed/signed-file.ts'
import { Source } from '#sdk/list/signed/source.ts'
import { type ChunkEntry, type Head, type VerifiedHead, Verifier, verifyChunk } from '#sdk/list/signed/verifier.ts'

/** For all files of one update, however slowly they arrive. */
const UPDATE_MS = 60_000

interface Copy {
  readonly head: Head
  readonly signer: string
  readonly headNote: string
  readonly keyNotes: string
  readonly headFile: SignedFile
  readonly keysFile: SignedFile
  readonly chunks: readonly Chunk[]
}

type ReadChunk = (entry: ChunkEntry) => Promise<Uint8Array>

export class MirroredList {
  readonly #clock: Clock
  readonly #verifier: Verifier
  readonly #former: FormerChunks
  readonly #folder: ReturnType<typeof publishedFolder> | undefined
  readonly #publisher: Publisher | undefined
  #copy: Copy | undefined

  constructor(publicKey: string, clock: Clock, folder: string | undefined) {
    this.#clock = clock
    this.#verifier = new Verifier(publicKey)
    this.#former = new FormerChunks(clock)
    if (folder === undefined) return
    this.#folder = publishedFolder(folder)
    this.#publisher = new Publisher(this.#folder, { notes: () => this.#notes() }, clock, { term: 0 })
  }

  /** The copy, unless it has expired: readers would reject it. */
  get current(): Copy | undefined {
    const { head } = this.#copy ?? {}
    return head !== undefined && Date.parse(head.expires) > this.#clock.now() ? this.#copy : undefined
  }

  chunk(sha256: string): Chunk | undefined {
    return this.current?.chunks.find((chunk) => chunk.sha256 === sha256) ?? this.#former.get(sha256)
  }

  /** Loads what the folder has. Rejects if that is not a complete and valid list; returns false if there is none. */
  async load(): Promise<boolean> {
    const read = async (path: string) => this.#folder?.read(path)
    const [keyNotes, headNote] = await Promise.all([read(pathOf.keys), read(pathOf.head)])
    if (keyNotes === undefined || headNote === undefined) return false
    return this.#take(keyNotes.toString(), headNote.toString(), async ({ sha256 }) => {
      const bytes = await read(pathOf.chunk(sha256))
      if (bytes === undefined) throw new Error('a chunk is missing')
      return bytes
    })
  }

  /** Copies what the source has now. Returns whether it is newer. Rejects with a clause about the source. */
  async update(url: string, stopped: AbortSignal): Promise<boolean> {
    const source = new Source(url, fetch, AbortSignal.any([stopped, AbortSignal.timeout(UPDATE_MS)]))
    const [keyNotes, headNote] = await source.texts()
    return this.#take(keyNotes, headNote, (entry) => source.chunk(entry))
  }

  /** Writes the copy to the folder. */
  async store(): Promise<void> {
    await this.#publisher?.publish()
  }

  async #take(keyNotes: string, headNote: string, readChunk: ReadChunk): Promise<boolean> {
    const verified = await this.#verifier.verify(keyNotes, headNote, this.#clock.now())
    if (!this.#isNewer(verified)) return false
    const { head, signer } = verified
    const known = new Map(this.#copy?.chunks.map((chunk) => [chunk.sha256, chunk]))
    const chunks: Chunk[] = []
    // One after the other: a mirror has time, and its source has limits.
    for (const entry of head.chunks) chunks.push(known.get(entry.sha256) ?? (await verifiedChunk(entry, readChunk)))
    this.#verifier.remember(verified)
    this.#former.retire(this.#copy?.chunks ?? [], chunks)
    this.#copy = { head, signer, headNote, keyNotes, headFile: textFile('head', headNote), keysFile: textFile('keys', keyNotes), chunks }
    return true
  }

  /** A list of a revoked key does not count. */
  #isNewer({ head, trusted }: VerifiedHead): boolean {
    const { head: own, signer } = this.#copy ?? {}
    return own === undefined || head.version > own.version || trusted.keys.every(({ key }) => key.text !== signer)
  }

  #notes() {
    const { current } = this
    if (current === undefined) throw new Error('there is no list to store')
    const { headNote, keyNotes, chunks, head } = current
    return Promise.resolve({ version: head.version, note: headNote, keyNotes, chunks })
  }
}

async function verifiedChunk(entry: ChunkEntry, readChunk: ReadChunk): Promise<Chunk> {
  const bytes = await readChunk(entry)
  await verifyChunk(bytes, entry)
  return Chunk.compress(entry.sha256, Buffer.from(bytes))
}

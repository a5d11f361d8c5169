/** Reads the list once and keeps its copy current through the stream, resuming whenever it ends (docs/api.md, "The stream"). */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ListDelta, ListedServer } from '#contract/masterlist/masterlist.ts'
import { EventReader } from '#tests/list/event-reader.ts'

/** The retry delay of an EventSource before the stream sets one. */
const FIRST_RETRY_MS = 1000

export class ListFollower {
  readonly #listUrl: string
  readonly #rows = new Map<string, ListDelta['changed'][number]>()
  /** The newest version received. */
  version = ''
  #retryMs = FIRST_RETRY_MS
  #isOver = false
  #reader: EventReader | undefined
  #following: Promise<void> = Promise.resolve()
  #resumeAfter: Promise<unknown> = Promise.resolve()
  /** How often the whole list was read. */
  lists = 0
  /** Milliseconds without a stream before each connect. */
  readonly downtimesMs: number[] = []

  private constructor(listUrl: string) {
    this.#listUrl = listUrl
  }

  static async follow(listUrl: string): Promise<ListFollower> {
    const follower = new ListFollower(listUrl)
    await follower.#readList()
    follower.#following = follower.#follow()
    // stop() rethrows the error.
    follower.#following.catch(() => undefined)
    return follower
  }

  /** IDs of the servers whose copy differs from these rows. */
  differingIds(rows: readonly ListedServer[]): string[] {
    const now = new Map(rows.map((row) => [row.publicId, row]))
    const isEqual = (id: string) => isDeepStrictEqual(this.#rows.get(id), now.get(id))
    return [...new Set([...now.keys(), ...this.#rows.keys()])].filter((id) => !isEqual(id))
  }

  /** Disconnects during `work`, then resumes. */
  async whileDisconnected(work: () => Promise<unknown>): Promise<void> {
    this.#reader?.close()
    this.#resumeAfter = work()
    await this.#resumeAfter
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#reader?.close()
    await this.#following
  }

  async #readList(): Promise<void> {
    const response = await fetch(`${this.#listUrl}/servers`)
    if (!response.ok) throw new Error(`The list returned ${response.status}.`)
    const rows = (await response.json()) as ListedServer[]
    this.version = response.headers.get('x-list-version') ?? ''
    this.lists += 1
    this.#rows.clear()
    this.#apply({ version: this.version, changed: rows, removed: [] })
  }

  async #follow(): Promise<void> {
    for (let endedAt = performance.now(); !this.#isOver; await sleep(this.#isOver ? 0 : this.#retryMs)) {
      await this.#resumeAfter
      if (await this.#listen(endedAt)) endedAt = performance.now()
    }
  }

  /** Reads the stream until it ends; returns false if it did not open. @param endedAt the end of the previous stream */
  async #listen(endedAt: number): Promise<boolean> {
    const opened = await EventReader.open(`${this.#listUrl}/servers/stream`, { 'last-event-id': this.version }).catch(() => undefined)
    if (opened === undefined) return false
    this.#reader = opened
    if (this.#isOver) opened.close()
    if (opened.response.status === 410) await this.#readList()
    if (opened.response.status !== 200) return false
    this.downtimesMs.push(performance.now() - endedAt)
    for (;;) {
      const event = await Promise.race([opened.next(), opened.ended])
      this.#retryMs = opened.retries.at(-1) ?? this.#retryMs
      if (event === undefined) return true
      this.version = event.id
      this.#apply(event.data)
    }
  }

  #apply({ changed, removed }: ListDelta): void {
    for (const row of changed) this.#rows.set(row.publicId, { ...this.#rows.get(row.publicId), ...row })
    for (const id of removed) this.#rows.delete(id)
  }
}

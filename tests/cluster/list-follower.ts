/** Reads the list once and keeps a copy by the stream alone, resuming whenever it ends (docs/api.md, "The stream"). */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ListDelta, ListedServer } from '#contract/masterlist.ts'
import { EventReader } from '#tests/list/event-reader.ts'

/** How long an EventSource waits until the stream sets its own delay. */
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
  #mayReturn: Promise<unknown> = Promise.resolve()
  /** How often the whole list was read. */
  lists = 0
  /** For how long it heard nothing, each time that its stream had ended; milliseconds. */
  readonly away: number[] = []

  private constructor(listUrl: string) {
    this.#listUrl = listUrl
  }

  static async follow(listUrl: string): Promise<ListFollower> {
    const follower = new ListFollower(listUrl)
    await follower.#begin()
    follower.#following = follower.#follow()
    // The caller of stop receives the failure.
    follower.#following.catch(() => undefined)
    return follower
  }

  /** IDs of the servers whose copy differs from these rows. */
  differences(rows: readonly ListedServer[]): string[] {
    const now = new Map(rows.map((row) => [row.publicId, row]))
    const known = (id: string) => isDeepStrictEqual(this.#rows.get(id), now.get(id))
    return [...new Set([...now.keys(), ...this.#rows.keys()])].filter((id) => !known(id))
  }

  /** Disconnects during `act`, then resumes. */
  async whileAway(work: () => Promise<unknown>): Promise<void> {
    this.#reader?.close()
    this.#mayReturn = work()
    await this.#mayReturn
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#reader?.close()
    await this.#following
  }

  async #begin(): Promise<void> {
    const answer = await fetch(`${this.#listUrl}/servers`)
    if (!answer.ok) throw new Error(`The list is answered with ${answer.status}.`)
    const rows = (await answer.json()) as ListedServer[]
    this.version = answer.headers.get('x-list-version') ?? ''
    this.lists += 1
    this.#rows.clear()
    this.#lay({ version: this.version, changed: rows, removed: [] })
  }

  async #follow(): Promise<void> {
    for (let endedAt = performance.now(); !this.#isOver; await sleep(this.#isOver ? 0 : this.#retryMs)) {
      await this.#mayReturn
      if (await this.#listen(endedAt)) endedAt = performance.now()
    }
  }

  /** Until the stream ends; false where there was none. @param endedAt when the one before it did. */
  async #listen(endedAt: number): Promise<boolean> {
    const opened = await EventReader.open(`${this.#listUrl}/servers/stream`, { 'last-event-id': this.version }).catch(() => undefined)
    if (opened === undefined) return false
    this.#reader = opened
    if (this.#isOver) opened.close()
    if (opened.response.status === 410) await this.#begin()
    if (opened.response.status !== 200) return false
    this.away.push(performance.now() - endedAt)
    for (;;) {
      const event = await Promise.race([opened.next(), opened.ended])
      this.#retryMs = opened.retries.at(-1) ?? this.#retryMs
      if (event === undefined) return true
      this.version = event.id
      this.#lay(event.data)
    }
  }

  #lay({ changed, removed }: ListDelta): void {
    for (const row of changed) this.#rows.set(row.publicId, { ...this.#rows.get(row.publicId), ...row })
    for (const id of removed) this.#rows.delete(id)
  }
}

/** A reader that follows the list by deltas and remembers which version was the newest when. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListDelta } from '#contract/masterlist.ts'
import { read } from './read.ts'

const POLL_MS = 100
const QUIET = { forMs: 700, patienceMs: 20_000 }

export const sincePath = (version: string) => `/servers?since=${encodeURIComponent(version)}`

/** The version that the plain list names; undefined where deltas are not answered. */
export async function newestVersion(port: number): Promise<string | undefined> {
  const { headers } = await read(port, '/servers', { 'accept-encoding': 'gzip' })
  const version = headers['x-list-version']
  if (typeof version !== 'string') return undefined
  return (await read(port, sincePath(version))).status === 200 ? version : undefined
}

/** What has changed since a version that was named not long ago. */
export async function deltaSince(port: number, version: string): Promise<ListDelta> {
  const { status, body } = await read(port, sincePath(version))
  if (status !== 200) throw new Error(`A version that was named not long ago is answered with ${status}.`)
  return JSON.parse(body.toString()) as ListDelta
}

/** Resolves when nothing has changed for a while. */
export async function untilQuiet(port: number): Promise<void> {
  const deadline = performance.now() + QUIET.patienceMs
  for (let version = await newestVersion(port); version !== undefined && performance.now() < deadline;) {
    await sleep(QUIET.forMs)
    const delta = await deltaSince(port, version)
    if (delta.changed.length === 0 && delta.removed.length === 0) return
    version = delta.version
  }
  throw new Error('The list does not come to rest.')
}

export class Versions {
  readonly #port: number
  readonly #seen: { readonly at: number; readonly version: string }[] = []
  #isOver = false
  #following: Promise<void> = Promise.resolve()

  private constructor(port: number) {
    this.#port = port
  }

  /** undefined where the list answers no deltas. */
  static async follow(port: number): Promise<Versions | undefined> {
    const version = await newestVersion(port)
    if (version === undefined) return undefined
    const versions = new Versions(port)
    versions.#note(version)
    versions.#following = versions.#follow(version)
    // Said when it is stopped.
    versions.#following.catch(() => undefined)
    return versions
  }

  /** Those that were the newest within these times ago. */
  between(fromMs: number, toMs: number): string[] {
    const now = performance.now()
    return this.#seen.filter(({ at }) => now - at >= fromMs && now - at <= toMs).map(({ version }) => version)
  }

  /** The one that was the newest so long ago. */
  newest(agoMs: number): string | undefined {
    const now = performance.now()
    return this.#seen.findLast(({ at }) => now - at >= agoMs)?.version
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#following
  }

  async #follow(first: string): Promise<void> {
    for (let version = first; !this.#isOver; await sleep(POLL_MS)) {
      const next = (await deltaSince(this.#port, version)).version
      if (next !== version) this.#note(next)
      version = next
    }
  }

  #note(version: string): void {
    this.#seen.push({ at: performance.now(), version })
  }
}

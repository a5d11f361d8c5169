/** Follows the list with deltas and remembers when each version appeared. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListDelta } from '#contract/masterlist.ts'
import { read } from './read.ts'

const POLL_MS = 100
const UNCHANGED = { forMs: 700, timeoutMs: 20_000 }

export const sincePath = (version: string) => `/servers?since=${encodeURIComponent(version)}`

/** The current version of the list; undefined if the server has no deltas. */
export async function newestVersion(port: number): Promise<string | undefined> {
  const { headers } = await read(port, '/servers', { 'accept-encoding': 'gzip' })
  const version = headers['x-list-version']
  if (typeof version !== 'string') return undefined
  return (await read(port, sincePath(version))).status === 200 ? version : undefined
}

/** The changes since a recent version. */
export async function deltaSince(port: number, version: string): Promise<ListDelta> {
  const { status, body } = await read(port, sincePath(version))
  if (status !== 200) throw new Error(`A delta since a recent version returned ${status}.`)
  return JSON.parse(body.toString()) as ListDelta
}

/** Resolves after a while without changes. */
export async function untilUnchanged(port: number): Promise<void> {
  const deadline = performance.now() + UNCHANGED.timeoutMs
  for (let version = await newestVersion(port); version !== undefined && performance.now() < deadline;) {
    await sleep(UNCHANGED.forMs)
    const delta = await deltaSince(port, version)
    if (delta.changed.length === 0 && delta.removed.length === 0) return
    version = delta.version
  }
  throw new Error('The list does not stop changing.')
}

export class VersionHistory {
  readonly #port: number
  readonly #seen: { readonly at: number; readonly version: string }[] = []
  #isOver = false
  #following: Promise<void> = Promise.resolve()

  private constructor(port: number) {
    this.#port = port
  }

  /** undefined if the server has no deltas. */
  static async follow(port: number): Promise<VersionHistory | undefined> {
    const version = await newestVersion(port)
    if (version === undefined) return undefined
    const versions = new VersionHistory(port)
    versions.#record(version)
    versions.#following = versions.#follow(version)
    // stop() rethrows the error.
    versions.#following.catch(() => undefined)
    return versions
  }

  /** The versions that appeared between these ages. */
  between(fromMs: number, toMs: number): string[] {
    const now = performance.now()
    return this.#seen.filter(({ at }) => now - at >= fromMs && now - at <= toMs).map(({ version }) => version)
  }

  /** The newest version of that time. */
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
      if (next !== version) this.#record(next)
      version = next
    }
  }

  #record(version: string): void {
    this.#seen.push({ at: performance.now(), version })
  }
}

/** What repeats at a server: since when, how often, and what the newest of it was. Bounded for each server and altogether. */
import type { EvidenceItem } from '#contract/protection.ts'

/** The first are told one by one; what goes on is told again after this long, with all that came meanwhile. */
const TOLD_AT_ONCE = 10
const TELL_AGAIN_MS = 60_000
const MOST_ITEMS = 5
/** Servers that something repeats at; past it the one that began first is forgotten. */
const MOST_SERVERS = 20_000

export interface Tried {
  /** Wall milliseconds. */
  readonly since: number
  readonly count: number
}

interface Counted {
  since: number
  last: number
  count: number
  toldAt: number
  told: number
  untold: number
  /** Newest first. */
  items: EvidenceItem[]
}

export class Tries {
  readonly #gapMs: number
  readonly #known = new Map<string, Counted>()

  /** @param gapMs after such a pause it begins anew. */
  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /** Counts one more. */
  add(publicId: string, at: number, item: EvidenceItem): Tried {
    let tried = this.#known.get(publicId)
    if (tried === undefined || at - tried.last > this.#gapMs) {
      this.#known.delete(publicId)
      if (this.#known.size >= MOST_SERVERS) this.#forgetOldest()
      tried = { since: at, last: at, count: 0, toldAt: -Infinity, told: 0, untold: 0, items: [] }
      this.#known.set(publicId, tried)
    }
    tried.last = at
    tried.count += 1
    tried.untold += 1
    tried.items.unshift(item)
    if (tried.items.length > MOST_ITEMS) tried.items.pop()
    return tried
  }

  /** What is to be told of it now; undefined where it was told a moment ago. */
  tell(publicId: string, at: number): { readonly occurrences: number; readonly items: readonly EvidenceItem[] } | undefined {
    const tried = this.#known.get(publicId)
    if (tried === undefined || (tried.told >= TOLD_AT_ONCE && at - tried.toldAt < TELL_AGAIN_MS)) return undefined
    const told = { occurrences: tried.untold, items: tried.items }
    tried.toldAt = at
    tried.told += 1
    tried.untold = 0
    tried.items = []
    return told
  }

  forget(publicId: string): void {
    this.#known.delete(publicId)
  }

  /** Lets go of what has paused for too long. */
  prune(at: number): void {
    for (const [publicId, tried] of this.#known) if (at - tried.last > this.#gapMs) this.#known.delete(publicId)
  }

  #forgetOldest(): void {
    const oldest = this.#known.keys().next()
    if (!oldest.done) this.#known.delete(oldest.value)
  }
}

/**
 * Where detectors hand their findings to. Nothing waits for it: what was found is kept here, the same ones together, and written in
 * batches; through an outage it waits, up to a bound, and what memory still holds at the end of the program is written then.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { resolveIssuesOf } from './ending.ts'
import type { Finding, Findings } from './finding.ts'
import { fingerprintOf, newestItems, raiseAll } from './raising.ts'

const FLUSH_MS = 500
const AGAIN_MS = 2000
/** Findings in one transaction. */
const MOST_AT_ONCE = 200
/** Different findings that wait; past it the oldest go. */
const MOST_WAITING = 5000
/** How long the end of the program waits for a database that does not answer. */
const LAST_PATIENCE_MS = 3000

interface Clear {
  readonly kind: IssueKind
  readonly publicId: string
  readonly why: string
  readonly ownerId: string | undefined
}

/** What is written in one go: what is over first, then what was found. */
class Batch {
  readonly clears = new Map<string, Clear>()
  readonly raises = new Map<string, Finding>()
  readonly raisedAbout = new Set<string>()
}

export class WrittenFindings implements Findings {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>
  #batches: Batch[] = [new Batch()]
  #waiting = 0
  #hasStarted = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps
  }

  raise(finding: Finding): void {
    const batch = this.#last()
    const key = `${finding.kind} ${finding.publicId} ${finding.ownerId ?? ''} ${fingerprintOf(finding)}`
    const before = batch.raises.get(key)
    batch.raises.set(key, before === undefined ? finding : together(before, finding))
    batch.raisedAbout.add(`${finding.kind} ${finding.publicId}`)
    if (before === undefined) this.#count()
  }

  clear(kind: IssueKind, publicId: string, why: string, ownerId?: string): void {
    // What was found before is over, and what will be found is not: the one must be written first.
    if (this.#last().raisedAbout.has(`${kind} ${publicId}`)) this.#batches.push(new Batch())
    const clear = { kind, publicId, why, ownerId }
    const { clears } = this.#last()
    if (!clears.has(keyOf(clear))) this.#count()
    clears.set(keyOf(clear), clear)
  }

  /** Begins to write. */
  start(): void {
    this.#hasStarted = true
    if (this.#waiting > 0) this.#plan(FLUSH_MS)
  }

  /** Resolves once everything that was found until now is written, or could not be. */
  async flush(): Promise<void> {
    // One after the other: of two that write at once the later could be through before the earlier.
    this.#flushing = this.#flushing.then(() => this.#write())
    await this.#flushing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.race([this.flush(), sleep(LAST_PATIENCE_MS, undefined, { ref: false })])
  }

  #last(): Batch {
    const last = this.#batches.at(-1) ?? new Batch()
    if (this.#batches.length === 0) this.#batches.push(last)
    return last
  }

  #count(): void {
    this.#waiting += 1
    if (this.#waiting > MOST_WAITING) this.#forgetOldest()
    this.#plan(FLUSH_MS)
  }

  #forgetOldest(): void {
    const [first] = this.#batches
    if (first === undefined) return
    const from = first.clears.size > 0 ? first.clears : first.raises
    const oldest = from.keys().next()
    if (oldest.done !== true && from.delete(oldest.value)) this.#waiting -= 1
    if (first.clears.size + first.raises.size === 0) this.#batches.shift()
  }

  #plan(ms: number): void {
    if (this.#timer !== undefined || this.#isClosed || !this.#hasStarted) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, ms).unref()
  }

  /** Writes the batches in their order. What can't be written now goes back to where it was. */
  async #write(): Promise<void> {
    const batches = this.#batches
    this.#batches = []
    this.#waiting = 0
    while (batches[0] !== undefined) {
      try {
        await this.#writeBatch(batches[0])
        this.#isFailing = false
        batches.shift()
      } catch (error) {
        if (!this.#isFailing) this.#deps.log.warn({ err: error }, 'Findings could not be written; they wait.')
        this.#isFailing = true
        this.#putBack(batches)
        return this.#plan(AGAIN_MS)
      }
    }
  }

  #putBack(batches: readonly Batch[]): void {
    this.#batches = [...batches, ...this.#batches]
    this.#waiting = this.#batches.reduce((sum, batch) => sum + batch.clears.size + batch.raises.size, 0)
    while (this.#waiting > MOST_WAITING) this.#forgetOldest()
  }

  /** Takes out of the batch what is written, so that it is not written twice. */
  async #writeBatch({ clears, raises }: Batch): Promise<void> {
    for (const group of Map.groupBy(clears.values(), (one) => `${one.kind} ${one.why}`).values()) {
      await this.#clearAll(group)
      for (const clear of group) clears.delete(keyOf(clear))
    }
    while (raises.size > 0) {
      const some = [...raises].slice(0, MOST_AT_ONCE)
      await this.#raiseAll(some.map(([, finding]) => finding))
      for (const [key] of some) raises.delete(key)
    }
  }

  async #clearAll(group: readonly Clear[]): Promise<void> {
    const [first] = group
    if (first === undefined) return
    const about = {
      publicIds: group.map((one) => one.publicId),
      ownerIds: group.map((one) => one.ownerId),
      kinds: [first.kind],
      why: first.why,
      now: this.#now(),
    }
    await transaction(this.#deps.db, (trx) => resolveIssuesOf(trx, about))
  }

  async #raiseAll(findings: readonly Finding[]): Promise<void> {
    const { db, log } = this.#deps
    try {
      await raiseAll(db, findings, this.#now())
    } catch (error) {
      if (!isAboutData(error)) throw error
      // One that the database will never take must not keep the others waiting.
      if (findings.length === 1)
        return log.error({ err: error, kind: findings[0]?.kind }, 'A finding could not be written, and is dropped.')
      for (const finding of findings) await this.#raiseAll([finding])
    }
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}

const keyOf = ({ kind, publicId, ownerId }: Clear) => `${kind} ${publicId} ${ownerId ?? ''}`

function together(before: Finding, finding: Finding): Finding {
  const series = finding.series ?? before.series
  return {
    ...finding,
    occurrences: before.occurrences + finding.occurrences,
    at: Math.max(before.at, finding.at),
    items: newestItems(finding.items, before.items),
    ...(series !== undefined && { series }),
  }
}

/** A value that no row can hold, as against a database that is away. */
function isAboutData(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && /^2[23]/.test(error.code)
}

/** Takes findings from detectors, merges the same ones, and writes them in batches. While the database is away they wait, up to a bound. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { resolveIssuesOf } from './resolution.ts'
import type { Finding, FindingSink } from './finding.ts'
import { fingerprintOf, newestItems, upsertIssues } from './issue-upsert.ts'

const FLUSH_MS = 500
const RETRY_MS = 2000
/** Findings in one transaction. */
const MAX_AT_ONCE = 200
/** Different findings that wait; past it the oldest are dropped. */
const MAX_PENDING = 5000
/** How long the end of the program waits for a database that does not answer. */
const CLOSE_WITHIN_MS = 3000

interface Resolution {
  readonly kind: IssueKind
  readonly publicId: string
  readonly why: string
  readonly ownerId: string | undefined
}

/** Clears are written first. */
class Batch {
  readonly resolutions = new Map<string, Resolution>()
  readonly findings = new Map<string, Finding>()
  readonly reportedSubjects = new Set<string>()

  get size(): number {
    return this.resolutions.size + this.findings.size
  }
}

export class FindingWriter implements FindingSink {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>
  /** Oldest first, and written in that order. Those that could not be written are merged into like the others. */
  #batches: Batch[] = []
  #pending = 0
  #hasStarted = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps
  }

  report(finding: Finding): void {
    const { findings: raises, reportedSubjects: raisedAbout } = this.#last()
    const key = `${finding.kind} ${finding.publicId} ${finding.ownerId ?? ''} ${fingerprintOf(finding)}`
    const waiting = raises.get(key)
    raises.set(key, waiting === undefined ? finding : merged(waiting, finding))
    raisedAbout.add(`${finding.kind} ${finding.publicId}`)
    if (waiting === undefined) this.#countPending()
  }

  resolve(kind: IssueKind, publicId: string, why: string, ownerId?: string): void {
    // What was found before this must be written before it.
    if (this.#last().reportedSubjects.has(`${kind} ${publicId}`)) this.#batches.push(new Batch())
    const clear = { kind, publicId, why, ownerId }
    const { resolutions: clears } = this.#last()
    if (!clears.has(keyOf(clear))) this.#countPending()
    clears.set(keyOf(clear), clear)
  }

  start(): void {
    this.#hasStarted = true
    if (this.#pending > 0) this.#schedule(FLUSH_MS)
  }

  /** Resolves once everything that was found until now is written, or could not be. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    await this.#flushing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.race([this.flush(), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
  }

  #last(): Batch {
    const last = this.#batches.at(-1) ?? new Batch()
    if (this.#batches.length === 0) this.#batches.push(last)
    return last
  }

  #countPending(): void {
    this.#pending += 1
    if (this.#pending > MAX_PENDING) this.#dropOldest()
    this.#schedule(FLUSH_MS)
  }

  #dropOldest(): void {
    const [first] = this.#batches
    if (first === undefined) return
    const from = first.resolutions.size > 0 ? first.resolutions : first.findings
    const oldest = from.keys().next()
    if (oldest.done !== true && from.delete(oldest.value)) this.#pending -= 1
    if (first.size === 0) this.#batches.shift()
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#isClosed || !this.#hasStarted) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, ms).unref()
  }

  /** Writes the batches in their order. What can't be written now waits before what came meanwhile. */
  async #write(): Promise<void> {
    const batches = this.#batches
    this.#batches = []
    this.#pending = 0
    for (const [written, batch] of batches.entries()) {
      try {
        await this.#writeBatch(batch)
        this.#isFailing = false
      } catch (error) {
        if (!this.#isFailing) this.#deps.log.warn({ err: error }, 'Findings could not be written; they wait.')
        this.#isFailing = true
        this.#putBack(batches.slice(written))
        return this.#schedule(RETRY_MS)
      }
    }
  }

  #putBack(batches: readonly Batch[]): void {
    this.#batches = [...batches, ...this.#batches]
    this.#pending = this.#batches.reduce((sum, { size }) => sum + size, 0)
    while (this.#pending > MAX_PENDING) this.#dropOldest()
  }

  /** Takes out of the batch what is written, so that it is not written twice. */
  async #writeBatch({ resolutions: clears, findings: raises }: Batch): Promise<void> {
    for (const group of Map.groupBy(clears.values(), ({ kind, why }) => `${kind} ${why}`).values()) {
      if (group[0] !== undefined) await this.#resolveAll(group[0], group)
      for (const clear of group) clears.delete(keyOf(clear))
    }
    while (raises.size > 0) {
      const some = [...raises].slice(0, MAX_AT_ONCE)
      await this.#upsertAll(some.map(([, finding]) => finding))
      for (const [key] of some) raises.delete(key)
    }
  }

  async #resolveAll({ kind, why }: Resolution, group: readonly Resolution[]): Promise<void> {
    const publicIds = group.map(({ publicId }) => publicId)
    const ownerIds = group.map(({ ownerId }) => ownerId)
    await transaction(this.#deps.db, (trx) => resolveIssuesOf(trx, { publicIds, ownerIds, kinds: [kind], why, now: this.#now() }))
  }

  async #upsertAll(findings: readonly Finding[]): Promise<void> {
    const { db, log } = this.#deps
    try {
      await upsertIssues(db, findings, this.#now())
    } catch (error) {
      if (!isDataError(error)) throw error
      if (findings.length === 1)
        return log.error({ err: error, kind: findings[0]?.kind }, 'A finding could not be written, and is dropped.')
      // One that the database never accepts must not keep the others waiting.
      for (const finding of findings) await this.#upsertAll([finding])
    }
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}

const keyOf = ({ kind, publicId, ownerId }: Resolution) => `${kind} ${publicId} ${ownerId ?? ''}`

function merged(waiting: Finding, finding: Finding): Finding {
  const series = finding.series ?? waiting.series
  return {
    ...finding,
    occurrences: waiting.occurrences + finding.occurrences,
    at: Math.max(waiting.at, finding.at),
    items: newestItems(finding.items, waiting.items),
    ...(series !== undefined && { series }),
  }
}

/** A value that no row can hold, as against a database that is away. */
function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && /^2[23]/.test(error.code)
}

/** Merges findings from detectors and writes them in batches. Queues them while the database is unavailable, up to a limit. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { resolveIssuesOf } from './resolution.ts'
import type { Finding, FindingSink } from './finding.ts'
import { fingerprintOf, newestItems, upsertIssues } from './issue-upsert.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

const FLUSH_MS = 500
const RETRY_MS = 2000
/** Findings per transaction. */
const CHUNK_SIZE = 200
/** Distinct pending findings. Beyond this, the oldest are dropped. */
const MAX_PENDING = 5000
/** How long shutdown waits for an unresponsive database. */
const CLOSE_TIMEOUT_MS = 3000

interface Resolution {
  readonly kind: IssueKind
  readonly publicId: string
  readonly reason: string
  readonly ownerId: string | undefined
}

/** Resolutions are written before findings. */
class Batch {
  readonly resolutions = new Map<string, Resolution>()
  readonly findings = new Map<string, Finding>()
  /** Kind and server of each finding. */
  readonly subjects = new Set<string>()

  get size(): number {
    return this.resolutions.size + this.findings.size
  }
}

export class FindingWriter implements FindingSink {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>
  /** Oldest first, written in that order. New findings also merge into batches that failed to write. */
  #batches: Batch[] = []
  #pending = 0
  #hasStarted = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()
  readonly #outage: OutageLog
  #isClosed = false

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps
    this.#outage = new OutageLog({
      log: deps.log,
      level: 'warn',
      begin: 'findings could not be written, will retry',
      end: 'findings are written again',
    })
  }

  report(finding: Finding): void {
    const { findings, subjects } = this.#lastBatch()
    const key = `${finding.kind} ${finding.publicId} ${finding.ownerId ?? ''} ${fingerprintOf(finding)}`
    const pending = findings.get(key)
    findings.set(key, pending === undefined ? finding : mergeFindings(pending, finding))
    subjects.add(`${finding.kind} ${finding.publicId}`)
    if (pending === undefined) this.#countPending()
  }

  resolve(kind: IssueKind, publicId: string, reason: string, ownerId?: string): void {
    // Earlier findings about the same subject must be written first.
    if (this.#lastBatch().subjects.has(`${kind} ${publicId}`)) this.#batches.push(new Batch())
    const resolution = { kind, publicId, reason, ownerId }
    const { resolutions } = this.#lastBatch()
    if (!resolutions.has(keyOf(resolution))) this.#countPending()
    resolutions.set(keyOf(resolution), resolution)
  }

  start(): void {
    this.#hasStarted = true
    if (this.#pending > 0) this.#schedule(FLUSH_MS)
  }

  /** Resolves once everything reported so far is written, or the write has failed. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    await this.#flushing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await Promise.race([this.flush(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
  }

  #lastBatch(): Batch {
    const last = this.#batches.at(-1) ?? new Batch()
    if (this.#batches.length === 0) this.#batches.push(last)
    return last
  }

  #countPending(): void {
    this.#pending += 1
    if (this.#pending > MAX_PENDING) this.#evictOldest()
    this.#schedule(FLUSH_MS)
  }

  #evictOldest(): void {
    const [first] = this.#batches
    if (first === undefined) return
    const entries = first.resolutions.size > 0 ? first.resolutions : first.findings
    const oldest = entries.keys().next()
    if (oldest.done !== true && entries.delete(oldest.value)) this.#pending -= 1
    if (first.size === 0) this.#batches.shift()
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#isClosed || !this.#hasStarted) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, ms).unref()
  }

  /** Writes the batches in order. After a failure, the rest goes back to the front of the queue. */
  async #write(): Promise<void> {
    const batches = this.#batches
    this.#batches = []
    this.#pending = 0
    for (const [index, batch] of batches.entries()) {
      try {
        await this.#writeBatch(batch)
        this.#outage.succeeded()
      } catch (error) {
        this.#outage.failed({ err: error })
        this.#putBack(batches.slice(index))
        return this.#schedule(RETRY_MS)
      }
    }
  }

  #putBack(batches: readonly Batch[]): void {
    this.#batches = [...batches, ...this.#batches]
    this.#pending = this.#batches.reduce((sum, { size }) => sum + size, 0)
    while (this.#pending > MAX_PENDING) this.#evictOldest()
  }

  /** Removes written entries from the batch, so that a retry does not write them twice. */
  async #writeBatch({ resolutions, findings }: Batch): Promise<void> {
    for (const group of Map.groupBy(resolutions.values(), ({ kind, reason }) => `${kind} ${reason}`).values()) {
      if (group[0] !== undefined) await this.#resolveAll(group[0], group)
      for (const resolution of group) resolutions.delete(keyOf(resolution))
    }
    while (findings.size > 0) {
      const chunk = [...findings].slice(0, CHUNK_SIZE)
      await this.#upsertAll(chunk.map(([, finding]) => finding))
      for (const [key] of chunk) findings.delete(key)
    }
  }

  async #resolveAll({ kind, reason }: Resolution, group: readonly Resolution[]): Promise<void> {
    const publicIds = group.map(({ publicId }) => publicId)
    const ownerIds = group.map(({ ownerId }) => ownerId)
    await transaction(this.#deps.db, (trx) => resolveIssuesOf(trx, { publicIds, ownerIds, kinds: [kind], reason, now: this.#now() }))
  }

  async #upsertAll(findings: readonly Finding[]): Promise<void> {
    const { db, log } = this.#deps
    try {
      await upsertIssues(db, findings, this.#now())
    } catch (error) {
      if (!isDataError(error)) throw error
      if (findings.length === 1) return log.error({ err: error, kind: findings[0]?.kind }, 'invalid finding dropped')
      // A finding that the database never accepts must not block the others.
      for (const finding of findings) await this.#upsertAll([finding])
    }
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}

const keyOf = ({ kind, publicId, ownerId }: Resolution) => `${kind} ${publicId} ${ownerId ?? ''}`

function mergeFindings(pending: Finding, finding: Finding): Finding {
  const series = finding.series ?? pending.series
  return {
    ...finding,
    occurrences: pending.occurrences + finding.occurrences,
    at: Math.max(pending.at, finding.at),
    items: newestItems(finding.items, pending.items),
    ...(series !== undefined && { series }),
  }
}

/** True for invalid values, false for an unavailable database. */
function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && /^2[23]/.test(error.code)
}

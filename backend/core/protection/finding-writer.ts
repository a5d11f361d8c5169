/** Merges findings from detectors and writes them in batches. Keeps them while the database is unavailable, up to a limit. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IssueKind } from '#contract/protection/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { resolveIssuesOf } from './resolution.ts'
import type { Finding, FindingSink } from './finding.ts'
import { newestItems, upsertIssues } from './issue-upsert.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

/** Findings per transaction. */
const CHUNK_SIZE = 200
/** Distinct pending findings, and as many resolutions. Beyond this, the oldest are dropped. */
const MAX_PENDING = 5000
/** How long shutdown waits for an unresponsive database. */
const CLOSE_TIMEOUT_MS = 3000

interface Resolution {
  readonly kind: IssueKind
  readonly publicId: string
  readonly reason: string
  readonly ownerId: string | undefined
}

export class FindingWriter implements FindingSink {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>
  /** Written before the findings. */
  #resolutions = new Map<string, Resolution>()
  #findings = new Map<string, Finding>()
  #flushing: Promise<void> = Promise.resolve()
  readonly #outage: OutageLog

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps
    const [begin, end] = ['findings could not be written, will retry', 'findings are written again']
    this.#outage = new OutageLog({ log: deps.log, begin, end })
  }

  report(finding: Finding): void {
    const pending = this.#findings.get(keyOf(finding))
    putBounded(this.#findings, keyOf(finding), pending === undefined ? finding : mergeFindings(pending, finding))
  }

  resolve(kind: IssueKind, publicId: string, reason: string, ownerId?: string): void {
    const resolution = { kind, publicId, reason, ownerId }
    // What would open only to be resolved is not written.
    for (const [key, finding] of this.#findings) if (applies(resolution, finding)) this.#findings.delete(key)
    putBounded(this.#resolutions, subjectOf(resolution), resolution)
  }

  /** The job. Resolves once everything reported so far is written, or the write has failed. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    await this.#flushing
  }

  async close(): Promise<void> {
    await Promise.race([this.flush(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
  }

  async #write(): Promise<void> {
    const [resolutions, findings] = [this.#resolutions, this.#findings]
    if (resolutions.size + findings.size === 0) return
    this.#resolutions = new Map()
    this.#findings = new Map()
    try {
      await this.#writeAll(resolutions, findings)
      this.#outage.succeeded()
    } catch (error) {
      this.#outage.failed({ err: error })
      this.#putBack(resolutions, findings)
    }
  }

  /** Removes what is written, so that a retry does not write it twice. */
  async #writeAll(resolutions: Map<string, Resolution>, findings: Map<string, Finding>): Promise<void> {
    const { db } = this.#deps
    for (const [key, resolution] of resolutions) {
      await transaction(db, (trx) => resolveIssuesOf(trx, { ...resolution, now: this.#now() }))
      resolutions.delete(key)
    }
    while (findings.size > 0) {
      const chunk = [...findings.values()].slice(0, CHUNK_SIZE)
      await upsertIssues(db, chunk, this.#now())
      for (const finding of chunk) findings.delete(keyOf(finding))
    }
  }

  /** Merges what was not written with what was reported meanwhile. */
  #putBack(resolutions: ReadonlyMap<string, Resolution>, findings: ReadonlyMap<string, Finding>): void {
    const [newResolutions, newFindings] = [[...this.#resolutions.values()], this.#findings]
    this.#resolutions = new Map(resolutions)
    this.#findings = new Map(findings)
    for (const { kind, publicId, reason, ownerId } of newResolutions) this.resolve(kind, publicId, reason, ownerId)
    for (const finding of newFindings.values()) this.report(finding)
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }
}

const subjectOf = ({ kind, publicId, ownerId }: Pick<Resolution, 'kind' | 'publicId'> & { readonly ownerId?: string | undefined }) =>
  `${kind} ${publicId} ${ownerId ?? ''}`

const keyOf = (finding: Finding) => `${subjectOf(finding)} ${finding.fingerprint}`

const applies = ({ kind, publicId, ownerId }: Resolution, finding: Finding) =>
  finding.kind === kind && finding.publicId === publicId && (ownerId ?? finding.ownerId) === finding.ownerId

function putBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  const oldest = map.size > MAX_PENDING ? map.keys().next() : undefined
  if (oldest?.done === false) map.delete(oldest.value)
}

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

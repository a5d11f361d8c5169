/**
 * Runs the detectors over what the list tells and what it holds. In the way of an announce only the refused and the implausible ones come
 * here, and cost a look into a map; everything else is done once a minute, beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IssueKind } from '#contract/protection.ts'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type Looked, Sampling, storedSamples } from '#backend/features/history/sampling.ts'
import { type Before, type AnnounceObserver, boundAddressOf } from '#backend/masterlist/announces/announce-observer.ts'
import type { RefusalCode } from '#backend/masterlist/reasons.ts'
import type { LiveCredential, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { AddressMismatch } from '#backend/features/protection/detectors/address-mismatch.ts'
import { AnnounceFlood } from '#backend/features/protection/detectors/announce-flood.ts'
import { ImplausiblePlayers } from '#backend/features/protection/detectors/implausible-players.ts'
import { Impersonation, type NameSeen } from '#backend/features/protection/detectors/impersonation.ts'
import { RevokedCredential } from '#backend/features/protection/detectors/revoked-credential.ts'
import type { Finding, Findings } from '#backend/features/protection/finding.ts'
import { listOpenImpersonations } from './watching.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const LEARNED_MS = 24 * HOUR_MS
/** Hours of servers learned between two breaths of the event loop: about a millisecond. */
const LEARNED_IN_A_SLICE = 50
/** Where servers announce less often than once a minute, a number that stays says only that nobody asked. */
const LONGEST_TTL_SECONDS = 150

/** How long the end of the program waits for a database that does not answer. */
const LAST_PATIENCE_MS = 3000

interface Servers {
  get(publicId: string): ServerRecord | undefined
  all(): Iterable<ServerRecord>
}

interface Refused {
  readonly server: ServerRecord
  readonly code: RefusalCode
  readonly address: string
  readonly at: number
  /** What was used, where it works. */
  readonly credential: LiveCredential | undefined
}

export class Watching implements AnnounceObserver {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>
  readonly #servers: Servers
  readonly #findings: Findings
  readonly #mismatch = new AddressMismatch()
  readonly #revoked = new RevokedCredential()
  readonly #players: ImplausiblePlayers
  readonly #names = new Impersonation()
  readonly #flood: AnnounceFlood
  readonly #paceOf: (server: ServerRecord) => number
  readonly #sampling: Sampling
  readonly #judgesCurves: boolean
  readonly #isHolder: () => boolean
  #hasLearned = false
  #isStopping = false
  /** How many slots the servers had when the list was read, until what was stored of them is learned. */
  #slots = new Map<string, number>()
  /** Whether a name is no longer known that somebody may have an open issue for. */
  #isNamesStale = true
  /** Servers that were deleted or changed hands since the last look: how many players they had goes with the one, and stays with the other. */
  readonly #left = new Set<string>()
  #tidyAt = 0
  #hasFailed = false

  /**
   * @param findings what takes nothing of kinds that are switched off. @param paceOf how many announces of a server were accepted since
   * that was last asked. @param isHolder whether this is the one of the nodes that judges what all of them see.
   */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>,
    servers: Servers,
    findings: Findings,
    paceOf: (server: ServerRecord) => number,
    sampling = new Sampling(deps, () => servers.all()),
    isHolder = () => true,
  ) {
    this.#deps = deps
    this.#servers = servers
    this.#findings = findings
    this.#players = new ImplausiblePlayers(deps.env.ANNOUNCE_TTL_SECONDS * 1000, sampling.places)
    this.#flood = new AnnounceFlood({ ttlMs: deps.env.ANNOUNCE_TTL_SECONDS * 1000 })
    this.#paceOf = paceOf
    this.#sampling = sampling
    this.#isHolder = isHolder
    this.#judgesCurves = deps.env.ANNOUNCE_TTL_SECONDS <= LONGEST_TTL_SECONDS
  }

  /** The list has been read. */
  start(): void {
    for (const server of this.#servers.all()) {
      this.#names.learn(nameOf(server.fields))
      if (server.announced !== undefined) this.#slots.set(server.publicId, server.announced.maxPlayersCount)
    }
  }

  refused(server: ServerRecord, code: RefusalCode, address: string, at: number, credential: LiveCredential | undefined): void {
    if (code !== 'ADDRESS_MISMATCH' && code !== 'CREDENTIAL_REVOKED' && code !== 'TOO_OFTEN') return
    this.#safely(() => this.#raise(this.#findingOf({ server, code, address, at, credential })))
  }

  aboveSlots(server: ServerRecord, players: number, at: number, isInARow: boolean): void {
    const slots = server.announced?.maxPlayersCount ?? 0
    this.#safely(() => this.#raise(this.#players.observeAbove({ publicId: server.publicId, at, players, slots, isInARow })))
  }

  changed(server: ServerRecord, before: Before | undefined, isHere: boolean): void {
    this.#safely(() => {
      this.#nameChanged(server, before, isHere)
      if (before !== undefined) this.#credentialChanged(server, before, isHere)
    })
  }

  gone(publicId: string): void {
    for (const detector of [this.#mismatch, this.#revoked, this.#players, this.#flood]) detector.forget(publicId)
    this.#left.add(publicId)
    if (this.#names.forget(publicId)) this.#isNamesStale = true
  }

  /** The repeating task: looks at the players once a minute, and writes down what it saw now and then. */
  async beat(): Promise<void> {
    if (!this.#hasLearned) await this.#learn()
    if (this.#isStopping) return
    for (const publicId of this.#left) if (this.#servers.get(publicId) === undefined) this.#sampling.forget(publicId)
    this.#left.clear()
    await this.#sampling.look((server, players, at) => this.#safely(() => this.#see(server, players, at)))
    const uptime = this.#deps.clock.uptime()
    if (uptime >= this.#tidyAt) {
      this.#tidyAt = uptime + HOUR_MS
      for (const detector of [this.#mismatch, this.#revoked, this.#players, this.#flood]) detector.prune(this.#deps.clock.now())
    }
    if (this.#isNamesStale && this.#isHolder()) await this.#reviewNames()
    if (this.#sampling.isDue) await this.#sampling.flush()
  }

  /** From now on nothing is learned any more: at the end of the program nobody waits for that. */
  stop(): void {
    this.#isStopping = true
    this.#sampling.stop()
  }

  /** Writes down what only memory knew. */
  async close(): Promise<void> {
    // Before, what is stored of this hour is not known, and would be written over.
    if (!this.#hasLearned) return
    const flushed = this.#sampling
      .flush(true)
      .catch((error: unknown) => this.#deps.log.info({ err: error }, 'The newest numbers of players are not saved.'))
    await Promise.race([flushed, sleep(LAST_PATIENCE_MS, undefined, { ref: false })])
  }

  #findingOf({ server, code, address, at, credential: used }: Refused): Finding | undefined {
    const { publicId, credentials } = server
    if (code === 'CREDENTIAL_REVOKED') return this.#revoked.observe({ publicId, at, address })
    // One that was never bound says nothing of any address, unless it is the very one that was used.
    const isOwn = credentials.some((one) => (one.boundAddress ?? (one.id === used?.id ? address : undefined)) === address)
    // Whoever has the credential and is elsewhere floods in nobody's name but his own.
    if (code === 'TOO_OFTEN') return isOwn ? this.#flood.observe({ publicId, at, address }) : undefined
    const bound = used?.boundAddress ?? boundAddressOf(server)
    // From where its other credential is bound to it is the server itself, under way from the old one to the new.
    if (isOwn || bound === undefined) return undefined
    return this.#mismatch.observe({ publicId, at, address, bound, boundSeenAt: server.online ? server.lastAnnounceAt : undefined })
  }

  #see({ publicId, announced }: Looked, players: number, at: number): void {
    const server = this.#servers.get(publicId)
    if (server !== undefined)
      this.#raise(this.#flood.observePace({ publicId, at, accepted: this.#paceOf(server), address: server.address }))
    if (!this.#judgesCurves) return
    const { maxPlayersCount: slots = 0, queueCount = 0 } = announced ?? {}
    // Every node sees all players, so that whoever judges next knows what was before.
    const finding = this.#players.observe({ publicId, at, players, slots, isAwaited: queueCount > 0 })
    if (this.#isHolder()) this.#raise(finding)
  }

  #nameChanged(server: ServerRecord, before: Before | undefined, isHere: boolean): void {
    const seen = nameOf(server.fields)
    if (this.#names.learn(seen)) this.#isNamesStale = true
    if (!isHere) return
    const isRenamed = before !== undefined && before.fields.name !== seen.name
    const former = isRenamed ? nameOf(before.fields) : undefined
    const finding = before === undefined || isRenamed ? this.#names.observe(seen, this.#deps.clock.now(), former) : undefined
    // From one imitation to the next it is the same finding, which goes on.
    const isStillTaken = former !== undefined && finding !== undefined && this.#names.isTakenFor(former, finding.fingerprint)
    if (isStillTaken) this.#isNamesStale = true
    else if (isRenamed || (before !== undefined && !before.fields.verified && seen.verified))
      this.#findings.clear('IMPERSONATION', seen.publicId, isRenamed ? 'The server was renamed.' : 'The server was verified.')
    this.#raise(finding)
  }

  #credentialChanged(server: ServerRecord, before: Before, isHere: boolean): void {
    const current = (credentials: Before['credentials']) => credentials.find((one) => one.graceUntil === undefined)?.id
    const isReissued = current(before.credentials) !== current(server.credentials)
    const isReset = before.boundAddress !== undefined && boundAddressOf(server) === undefined
    if (!isReissued && !isReset) return
    this.#mismatch.forget(server.publicId)
    if (!isHere) return
    this.#findings.clear('ADDRESS_MISMATCH', server.publicId, isReissued ? 'The credential was reissued.' : 'The bound address was reset.')
  }

  /** What players the servers had while another life of the program looked. */
  async #learn(): Promise<void> {
    let learned = 0
    const isTurnOver = () => (learned += 1) % LEARNED_IN_A_SLICE === 0
    for await (const page of storedSamples(this.#deps.db, this.#deps.clock.now() - LEARNED_MS)) {
      if (this.#isStopping) return
      for (const { server_id: publicId, hour, players } of page) {
        if (isTurnOver()) {
          await breathe()
          if (this.#isStopping) return
        }
        this.#sampling.remember(publicId, hour, players)
        // As many as there were, as far as anybody knows: with other slots than the newest ones it begins anew.
        const slots = this.#slots.get(publicId)
        if (!this.#judgesCurves || slots === undefined || this.#servers.get(publicId) === undefined) continue
        players.forEach((count, minute) =>
          this.#players.observe({ publicId, at: hour.getTime() + minute * MINUTE_MS, players: count, slots, isLearning: true }),
        )
      }
    }
    await this.#sampling.rememberList()
    this.#slots.clear()
    this.#hasLearned = true
  }

  /** Ends the issues of names that can't be taken for one another any more, because the other server has changed. */
  async #reviewNames(): Promise<void> {
    this.#isNamesStale = false
    try {
      for (const { server_id: publicId, fingerprint } of await listOpenImpersonations(this.#deps.db)) {
        const server = this.#servers.get(publicId)
        if (server === undefined || this.#names.isTakenFor(nameOf(server.fields), fingerprint)) continue
        this.#findings.clear('IMPERSONATION', publicId, 'No verified or promoted server has a name close to it any more.')
        this.#raise(this.#names.observe(nameOf(server.fields), this.#deps.clock.now()))
      }
    } catch (error) {
      this.#isNamesStale = true
      throw error
    }
  }

  #raise(finding: Finding | undefined): void {
    if (finding === undefined) return
    // Whose it is at this moment: what waits to be written is not the next owner's.
    const ownerId = this.#servers.get(finding.publicId)?.fields.ownerId
    this.#findings.raise(ownerId === undefined ? finding : { ...finding, ownerId })
  }

  /** Whatever is wrong with a detector, announces go on. */
  #safely(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!this.#hasFailed) this.#deps.log.error({ err: error }, 'A detector failed; it goes on with the next announce.')
      this.#hasFailed = true
    }
  }
}

/** Findings of kinds that are switched off go nowhere. */
export function withoutKinds(findings: Findings, off: readonly IssueKind[]): Findings {
  if (off.length === 0) return findings
  return {
    raise: (finding) => {
      if (!off.includes(finding.kind)) findings.raise(finding)
    },
    clear: (kind, publicId, why, ownerId) => findings.clear(kind, publicId, why, ownerId),
  }
}

function nameOf({ publicId, ownerId, name, verified, promoted, createdAt }: OwnerFields): NameSeen {
  return { publicId, ownerId, name, verified, promoted, createdAt }
}

/**
 * The reachability check: each online game server is asked whether it answers at the address that it announces from (docs/decisions/0022).
 * It follows the list and is never waited for; what it finds goes to the protection issues, and those decide what follows.
 */
import type { Deps } from '#backend/platform/deps.ts'
import type { Findings } from '#backend/features/protection/finding.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/http/public-address.ts'
import { type Outcome, ask } from './asking.ts'
import { type Endpoint, challengeFor, hostOf } from './challenge.ts'
import { OwnWay } from './own-way.ts'
import { listOpen } from '#backend/features/detection/watching.queries.ts'
import { ProbeScheduler, type Turn } from './probe-scheduler.ts'
import { Watched } from './watched.ts'

const KIND = 'UNREACHABLE'
const BEAT_MS = 500
/** How often it is read which issues are open. */
const READ_MS = 60_000
/** Who has been offline for so long begins anew when he comes back. */
const FORGET_MS = 3_600_000
const EXPECTED = 'The status 200, with the challenge as the body.'

/** A server of the list, as far as it is checked. */
export interface Checked {
  readonly publicId: string
  readonly online: boolean
  readonly address: string
  readonly announced: { readonly port: number } | undefined
  readonly fields: { readonly ownerId: string }
  readonly credentialId: string | undefined
  readonly credentials: readonly { readonly id: string; readonly key: string }[]
}

/** What the check needs of the list. */
export interface CheckedList {
  readonly registry: { get(publicId: string): Checked | undefined; all(): Iterable<Checked> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

interface Asked extends Turn {
  readonly watched: Watched
}

export class Reachability {
  readonly #deps: Deps
  readonly #list: CheckedList
  readonly #findings: Findings
  readonly #watched = new Map<string, Watched>()
  readonly #slots = new ProbeScheduler<Asked>((asked) => this.#check(asked))
  readonly #ownWay = new OwnWay()
  readonly #isHolder: () => boolean
  readonly #beatMs: number
  readonly #stop = new AbortController()
  /** Servers with an open issue, as far as is known here. */
  #open = new Set<string>()
  #readAt = 0
  #isAsking = false
  #reading: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  /** @param isHolder whether this is the one of the nodes that asks. @param beatMs how often it looks who is due. */
  constructor(deps: Deps, list: CheckedList, findings: Findings, isHolder: () => boolean, beatMs = BEAT_MS) {
    this.#isHolder = isHolder
    this.#deps = deps
    this.#list = list
    this.#findings = findings
    this.#beatMs = beatMs
  }

  /** Begins to check; where the check is switched off, ends what it once found. The list has been read by then. */
  async start(): Promise<void> {
    await this.#readOpen()
    const { env, clock } = this.#deps
    if (env.REACHABILITY === 'off' || env.PROTECTION_OFF.includes(KIND)) {
      for (const publicId of this.#open) this.#findings.clear(KIND, publicId, 'The reachability check is switched off.')
      return
    }
    this.#takeOver(clock.uptime())
    this.#stopListening = this.#list.onChange(
      (changes) => {
        const uptime = clock.uptime()
        for (const { publicId } of changes) this.#followById(publicId, uptime)
      },
      // Where it is, and whether, is another matter.
      () => false,
    )
    this.#timer = setInterval(() => this.#beat(), this.#beatMs)
  }

  /** Ends every check that is under way; resolves when nothing is open any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await this.#slots.close()
    await this.#reading
  }

  /** Begins, where this node is the one that asks, as after a restart; and forgets what it knew where it is so no more. */
  #takeOver(uptime: number): void {
    const isHolder = this.#isHolder()
    if (isHolder === this.#isAsking) return
    this.#isAsking = isHolder
    this.#watched.clear()
    if (isHolder) for (const server of this.#list.registry.all()) this.#follow(server, uptime, true)
  }

  #followById(publicId: string, uptime: number): void {
    if (!this.#isAsking) return
    const server = this.#list.registry.get(publicId)
    if (server === undefined) this.#watched.delete(publicId)
    else this.#follow(server, uptime, false)
  }

  #follow(server: Checked, uptime: number, wasThere: boolean): void {
    const { publicId, address, announced, fields } = server
    const known = this.#watched.get(publicId)
    if (known !== undefined && known.ownerId !== fields.ownerId) this.#watched.delete(publicId)
    const watched = this.#watched.get(publicId)
    if (!server.online || announced === undefined) {
      if (watched?.isOnline === true) watched.left(uptime)
      return
    }
    const host = hostOf({ address, port: announced.port })
    // Who is held to an issue is not kept waiting for the round: after a restart, too, its first answer ends it.
    const isSpread = wasThere && !this.#open.has(publicId)
    const { ownerId } = fields
    if (watched === undefined) this.#watched.set(publicId, new Watched({ publicId, ownerId, host }, uptime, { wasThere, isSpread }))
    else if (!watched.isOnline || watched.host !== host) watched.moved(host, uptime)
  }

  #beat(): void {
    const { clock } = this.#deps
    const uptime = clock.uptime()
    if (uptime - this.#readAt >= READ_MS) this.#reading = this.#readOpen()
    this.#takeOver(uptime)
    for (const watched of this.#watched.values()) {
      if (!watched.isOnline) {
        if (uptime - watched.offlineAt >= FORGET_MS) this.#watched.delete(watched.publicId)
      } else if (watched.dueAt <= uptime && (watched.isJustBack || !this.#slots.has(watched.publicId))) this.#enqueue(watched, uptime)
    }
  }

  #enqueue(watched: Watched, uptime: number): void {
    const { publicId, ownerId, isJustBack } = watched
    const server = this.#serverOf(watched)
    if (server?.online === true && !this.#isAsked(server.address)) {
      watched.notAsked(uptime)
      if (this.#open.delete(publicId))
        this.#findings.clear(KIND, publicId, 'The server announces from an address that the check does not ask.', ownerId)
      return
    }
    const endpoint = this.#endpointOf(watched)
    if (endpoint === undefined) return watched.skipped(uptime)
    const isFailing = !isJustBack && (watched.failures > 0 || this.#open.has(publicId))
    this.#slots.add({ id: publicId, address: limitKey(endpoint.address), isFailing, watched })
  }

  /** Undefined where it is gone, or somebody else's. */
  #serverOf({ publicId, ownerId }: Watched): Checked | undefined {
    const server = this.#list.registry.get(publicId)
    return server?.fields.ownerId === ownerId ? server : undefined
  }

  #isAsked(address: string): boolean {
    return this.#deps.env.REACHABILITY_PRIVATE || isPublicAddress(address)
  }

  /** Undefined while it is offline, is somebody else's, is where we do not ask, or announces with a credential that works no more. */
  #endpointOf(watched: Watched): Endpoint | undefined {
    const server = this.#serverOf(watched)
    if (server?.online !== true || server.announced === undefined || !this.#isAsked(server.address)) return undefined
    const { publicId, credentials, credentialId } = server
    const credential = credentials.find((one) => one.id === credentialId)
    if (credential === undefined) return undefined
    return { publicId, address: server.address, port: server.announced.port, key: Buffer.from(credential.key, 'latin1') }
  }

  async #check({ watched, address }: Asked): Promise<void> {
    const { clock } = this.#deps
    if (!this.#isHolder()) return watched.undecided(clock.uptime())
    // Looked at now: while it waited for its turn it may have moved.
    const endpoint = this.#endpointOf(watched)
    if (endpoint === undefined || limitKey(endpoint.address) !== address) return watched.undecided(clock.uptime())
    const outcome = await ask(endpoint, challengeFor(endpoint, clock.now()), this.#stop.signal)
    // Whoever asks now finds out himself.
    if (this.#stop.signal.aborted || !this.#isHolder()) return
    if (!this.#isStillAbout(watched, endpoint, outcome)) return watched.undecided(clock.uptime())
    this.#note(watched, endpoint, outcome, address)
  }

  /**
   * Whether it is still where it was asked. Of a failure another port, or that it left meanwhile, takes nothing back: whoever saw the
   * check come could do either, each time.
   */
  #isStillAbout(watched: Watched, endpoint: Endpoint, { is }: Outcome): boolean {
    if (is === 'failed') {
      const server = this.#serverOf(watched)
      return server !== undefined && limitKey(server.address) === limitKey(endpoint.address)
    }
    const now = this.#endpointOf(watched)
    return now !== undefined && hostOf(now) === hostOf(endpoint)
  }

  #note(watched: Watched, endpoint: Endpoint, outcome: Outcome, address: string): void {
    const { clock, log } = this.#deps
    const uptime = clock.uptime()
    if (outcome.is === 'undecided') return watched.undecided(uptime)
    if (outcome.is === 'answered') {
      if (this.#ownWay.isDoubtful) log.info('Game servers answer the reachability check again.')
      this.#ownWay.answered()
      watched.answered(uptime)
      if (this.#open.delete(watched.publicId))
        this.#findings.clear(KIND, watched.publicId, 'The server answered the check.', watched.ownerId)
      return
    }
    this.#noteFailure(watched, endpoint, outcome.observed, address)
  }

  #noteFailure(watched: Watched, endpoint: Endpoint, observed: string, address: string): void {
    const { clock, env, log } = this.#deps
    const uptime = clock.uptime()
    const wasDoubtful = this.#ownWay.isDoubtful
    if (watched.fellSilent) this.#ownWay.fellSilent(address)
    if (this.#ownWay.isDoubtful) {
      if (!wasDoubtful)
        log.warn('Game servers that answered the reachability check fall silent one after the other: is the way out closed?')
      return watched.undecided(uptime)
    }
    const at = clock.now()
    const item = { at: new Date(at).toISOString(), observed, expected: EXPECTED, address: endpoint.address }
    const found = watched.failed(item, uptime)
    if (found === undefined) return
    this.#open.add(watched.publicId)
    this.#findings.raise({
      kind: KIND,
      publicId: watched.publicId,
      ownerId: watched.ownerId,
      fingerprint: '',
      severity: 'LOW',
      summary: `The server does not answer the list's check at ${hostOf(endpoint)}.`,
      at,
      consequence: env.REACHABILITY === 'require' ? 'UNLISTED' : 'NOTICE',
      ...found,
    })
  }

  /** While the database is away what was known before has to do. */
  async #readOpen(): Promise<void> {
    this.#readAt = this.#deps.clock.uptime()
    try {
      const open = new Set((await listOpen(this.#deps.db, KIND)).map(({ publicId }) => publicId))
      // What was raised a moment ago may not be written yet.
      for (const { publicId, failures } of this.#watched.values()) if (failures > 0 && this.#open.has(publicId)) open.add(publicId)
      this.#open = open
    } catch {
      // Read again in a minute.
    }
  }
}

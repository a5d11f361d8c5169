/** Asks each online game server whether it answers at the address that it announces from (docs/decisions/0022), and raises who does not. */
import type { Deps } from '#backend/platform/deps.ts'
import { listOpen } from '#backend/features/detection/watching.queries.ts'
import { type Findings, evidence } from '#backend/features/protection/finding.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/http/public-address.ts'
import { type Endpoint, type Outcome, ask, hostOf } from './probe.ts'
import { type Probe, ProbeScheduler } from './probe-scheduler.ts'
import { Watched } from './watched.ts'

const KIND = 'UNREACHABLE'
const BEAT_MS = 500
const READ_MS = 60_000
/** After this long offline, a server's failures are forgotten. */
const FORGET_MS = 3_600_000
/** If servers at so many addresses fall silent and none answers in between, it is more likely our own network. */
const ENOUGH_SILENT_ADDRESSES = 5
const EXPECTED = 'The status 200, with the challenge as the body.'

export interface Checked {
  readonly publicId: string
  readonly online: boolean
  readonly address: string
  readonly announced: { readonly port: number } | undefined
  readonly fields: { readonly ownerId: string }
  readonly credentialId: string | undefined
  readonly credentials: readonly { readonly id: string; readonly key: string }[]
}

export interface CheckedList {
  readonly registry: { get(publicId: string): Checked | undefined; all(): Iterable<Checked> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

export class Reachability {
  readonly #deps: Deps
  readonly #list: CheckedList
  readonly #findings: Findings
  readonly #watched = new Map<string, Watched>()
  readonly #scheduler = new ProbeScheduler((probe) => this.#check(probe))
  /** Addresses of servers that answered before, since the last answer of any. */
  readonly #silentAddresses = new Set<string>()
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

  /** @param isHolder whether this node is the one that asks. @param beatMs how often it looks who is due. */
  constructor(deps: Deps, list: CheckedList, findings: Findings, isHolder: () => boolean, beatMs = BEAT_MS) {
    this.#isHolder = isHolder
    this.#deps = deps
    this.#list = list
    this.#findings = findings
    this.#beatMs = beatMs
  }

  /** Begins to check, or ends what was found if the check is switched off. The list has been read by then. */
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
        if (!this.#isAsking) return
        for (const { publicId } of changes) {
          const server = this.#list.registry.get(publicId)
          if (server === undefined) this.#watched.delete(publicId)
          else this.#follow(server, clock.uptime(), false)
        }
      },
      () => false,
    )
    this.#timer = setInterval(() => this.#beat(), this.#beatMs)
  }

  /** Ends every check that is under way; resolves when nothing is open any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await this.#scheduler.close()
    await this.#reading
  }

  /** Begins if this node is the one that asks now, as after a restart, and forgets everything if it no longer is. */
  #takeOver(uptime: number): void {
    const isHolder = this.#isHolder()
    if (isHolder === this.#isAsking) return
    this.#isAsking = isHolder
    this.#watched.clear()
    if (isHolder) for (const server of this.#list.registry.all()) this.#follow(server, uptime, true)
  }

  #follow({ publicId, online, address, announced, fields: { ownerId } }: Checked, uptime: number, wasThere: boolean): void {
    if (this.#watched.get(publicId)?.ownerId !== ownerId) this.#watched.delete(publicId)
    const watched = this.#watched.get(publicId)
    if (!online || announced === undefined) {
      if (watched?.isOnline === true) watched.left(uptime)
      return
    }
    const host = hostOf({ address, port: announced.port })
    // A server with an open issue does not wait for the round: after a restart, too, its first answer ends the issue.
    const isSpread = wasThere && !this.#open.has(publicId)
    if (watched === undefined) this.#watched.set(publicId, new Watched({ publicId, ownerId, host }, uptime, { wasThere, isSpread }))
    else if (!watched.isOnline || watched.host !== host) watched.moved(host, uptime)
  }

  #beat(): void {
    const uptime = this.#deps.clock.uptime()
    if (uptime - this.#readAt >= READ_MS) this.#reading = this.#readOpen()
    this.#takeOver(uptime)
    for (const watched of this.#watched.values()) {
      if (!watched.isOnline) {
        if (uptime - watched.offlineAt >= FORGET_MS) this.#watched.delete(watched.publicId)
      } else if (watched.dueAt <= uptime && (watched.isJustBack || !this.#scheduler.has(watched))) this.#schedule(watched, uptime)
    }
  }

  #schedule(watched: Watched, uptime: number): void {
    const server = this.#serverOf(watched)
    if (server?.online === true && !this.#mayAsk(server.address)) {
      watched.settled(uptime, false)
      return this.#clear(watched, 'The server announces from an address that the check does not ask.')
    }
    const endpoint = this.#endpointOf(watched)
    if (endpoint === undefined) return watched.skipped(uptime)
    const isFailing = !watched.isJustBack && (watched.failures > 0 || this.#open.has(watched.publicId))
    this.#scheduler.add({ watched, address: limitKey(endpoint.address), isFailing })
  }

  /** Undefined where it is gone, or somebody else's. */
  #serverOf({ publicId, ownerId }: Watched): Checked | undefined {
    const server = this.#list.registry.get(publicId)
    return server?.fields.ownerId === ownerId ? server : undefined
  }

  #mayAsk(address: string): boolean {
    return this.#deps.env.REACHABILITY_PRIVATE || isPublicAddress(address)
  }

  /** Undefined while it can't be asked, or announces with a credential that works no more. */
  #endpointOf(watched: Watched): Endpoint | undefined {
    const server = this.#serverOf(watched)
    if (server?.online !== true || server.announced === undefined || !this.#mayAsk(server.address)) return undefined
    const { publicId, credentials, credentialId } = server
    const credential = credentials.find((one) => one.id === credentialId)
    if (credential === undefined) return undefined
    return { publicId, address: server.address, port: server.announced.port, key: Buffer.from(credential.key, 'latin1') }
  }

  async #check({ watched, address }: Probe): Promise<void> {
    const { clock } = this.#deps
    // While it waited for its turn it may have moved.
    const endpoint = this.#isHolder() ? this.#endpointOf(watched) : undefined
    if (endpoint === undefined || limitKey(endpoint.address) !== address) return watched.undecided(clock.uptime())
    const outcome = await ask(endpoint, clock.now(), this.#stop.signal)
    // The node that asks now finds out by itself.
    if (this.#stop.signal.aborted || !this.#isHolder()) return
    if (outcome.is === 'undecided' || !this.#isStillAbout(watched, endpoint, outcome)) return watched.undecided(clock.uptime())
    if (outcome.is === 'answered') this.#noteAnswer(watched)
    else this.#noteFailure(watched, endpoint, outcome.observed)
  }

  /** A failure counts although the port changed or the server left meanwhile: else it could do so whenever it sees a check. */
  #isStillAbout(watched: Watched, endpoint: Endpoint, { is }: Outcome): boolean {
    if (is === 'failed') {
      const server = this.#serverOf(watched)
      return server !== undefined && limitKey(server.address) === limitKey(endpoint.address)
    }
    const now = this.#endpointOf(watched)
    return now !== undefined && hostOf(now) === hostOf(endpoint)
  }

  get #isNetworkDoubtful(): boolean {
    return this.#silentAddresses.size >= ENOUGH_SILENT_ADDRESSES
  }

  #noteAnswer(watched: Watched): void {
    const { clock, log } = this.#deps
    if (this.#isNetworkDoubtful) log.info('Game servers answer the reachability check again.')
    this.#silentAddresses.clear()
    watched.settled(clock.uptime(), true)
    this.#clear(watched, 'The server answered the check.')
  }

  #noteFailure(watched: Watched, endpoint: Endpoint, observed: string): void {
    const { clock, env, log } = this.#deps
    const wasDoubtful = this.#isNetworkDoubtful
    if (watched.fellSilent) this.#silentAddresses.add(limitKey(endpoint.address))
    if (this.#isNetworkDoubtful) {
      if (!wasDoubtful)
        log.warn('Game servers that answered the reachability check fall silent one after the other: is the way out closed?')
      return watched.undecided(clock.uptime())
    }
    const at = clock.now()
    const found = watched.failed(evidence(at, observed, EXPECTED, endpoint.address), clock.uptime())
    if (found === undefined) return
    const { publicId, ownerId } = watched
    this.#open.add(publicId)
    this.#findings.raise({
      kind: KIND,
      publicId,
      ownerId,
      fingerprint: '',
      severity: 'LOW',
      summary: `The server does not answer the list's check at ${hostOf(endpoint)}.`,
      at,
      consequence: env.REACHABILITY === 'require' ? 'UNLISTED' : 'NOTICE',
      ...found,
    })
  }

  #clear({ publicId, ownerId }: Watched, why: string): void {
    if (this.#open.delete(publicId)) this.#findings.clear(KIND, publicId, why, ownerId)
  }

  /** While the database is away, what was known before has to do. */
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

/** Asks each online game server whether it answers at the address that it announces from (docs/decisions/0022), and raises who does not. */
import type { Deps } from '#backend/platform/deps.ts'
import { listOpenIssues } from '#backend/features/detection/detector-runner.queries.ts'
import { type FindingSink, evidence } from '#backend/features/protection/finding.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/http/public-address.ts'
import { type ProbeTarget, type ProbeOutcome, probe, hostOf } from './probe.ts'
import { type ProbeJob, ProbeScheduler } from './probe-scheduler.ts'
import { ProbedServer } from './probed-server.ts'

const KIND = 'UNREACHABLE'
const TICK_MS = 500
const RELOAD_MS = 60_000
/** After this long offline, a server's failures are forgotten. */
const FORGET_MS = 3_600_000
/** If servers at so many addresses fall silent and none answers in between, it is more likely our own network. */
const MIN_SILENT_ADDRESSES = 5
const EXPECTED = 'The status 200, with the challenge as the body.'

export interface CheckedServer {
  readonly publicId: string
  readonly online: boolean
  readonly address: string
  readonly announced: { readonly port: number } | undefined
  readonly fields: { readonly ownerId: string }
  readonly credentialId: string | undefined
  readonly credentials: readonly { readonly id: string; readonly key: string }[]
}

export interface CheckedList {
  readonly registry: { get(publicId: string): CheckedServer | undefined; all(): Iterable<CheckedServer> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

export class ReachabilityCheck {
  readonly #deps: Deps
  readonly #list: CheckedList
  readonly #findings: FindingSink
  readonly #servers = new Map<string, ProbedServer>()
  readonly #scheduler = new ProbeScheduler((probe) => this.#probe(probe))
  /** Addresses of servers that answered before, since the last answer of any. */
  readonly #silentAddresses = new Set<string>()
  readonly #isLeaseHolder: () => boolean
  readonly #tickMs: number
  readonly #stop = new AbortController()
  /** Servers with an open issue, as far as is known here. */
  #open = new Set<string>()
  #reloadedAt = 0
  #isProbing = false
  #reloading: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  /** @param isHolder whether this node is the one that asks. @param beatMs how often it looks who is due. */
  constructor(deps: Deps, list: CheckedList, findings: FindingSink, isHolder: () => boolean, beatMs = TICK_MS) {
    this.#isLeaseHolder = isHolder
    this.#deps = deps
    this.#list = list
    this.#findings = findings
    this.#tickMs = beatMs
  }

  /** Begins to check, or ends what was found if the check is switched off. The list has been read by then. */
  async start(): Promise<void> {
    await this.#reloadOpenIssues()
    const { env, clock } = this.#deps
    if (env.REACHABILITY === 'off' || env.PROTECTION_OFF.includes(KIND)) {
      for (const publicId of this.#open) this.#findings.resolve(KIND, publicId, 'The reachability check is switched off.')
      return
    }
    this.#followLease(clock.uptime())
    this.#stopListening = this.#list.onChange(
      (changes) => {
        if (!this.#isProbing) return
        for (const { publicId } of changes) {
          const server = this.#list.registry.get(publicId)
          if (server === undefined) this.#servers.delete(publicId)
          else this.#track(server, clock.uptime(), false)
        }
      },
      () => false,
    )
    this.#timer = setInterval(() => this.#tick(), this.#tickMs)
  }

  /** Ends every check that is under way; resolves when nothing is open any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await this.#scheduler.close()
    await this.#reloading
  }

  /** Begins if this node is the one that asks now, as after a restart, and forgets everything if it no longer is. */
  #followLease(uptime: number): void {
    const isHolder = this.#isLeaseHolder()
    if (isHolder === this.#isProbing) return
    this.#isProbing = isHolder
    this.#servers.clear()
    if (isHolder) for (const server of this.#list.registry.all()) this.#track(server, uptime, true)
  }

  #track({ publicId, online, address, announced, fields: { ownerId } }: CheckedServer, uptime: number, wasThere: boolean): void {
    if (this.#servers.get(publicId)?.ownerId !== ownerId) this.#servers.delete(publicId)
    const watched = this.#servers.get(publicId)
    if (!online || announced === undefined) {
      if (watched?.isOnline === true) watched.wentOffline(uptime)
      return
    }
    const host = hostOf({ address, port: announced.port })
    // A server with an open issue does not wait for the round: after a restart, too, its first answer ends the issue.
    const isSpread = wasThere && !this.#open.has(publicId)
    if (watched === undefined) this.#servers.set(publicId, new ProbedServer({ publicId, ownerId, host }, uptime, { wasThere, isSpread }))
    else if (!watched.isOnline || watched.host !== host) watched.cameOnline(host, uptime)
  }

  #tick(): void {
    const uptime = this.#deps.clock.uptime()
    if (uptime - this.#reloadedAt >= RELOAD_MS) this.#reloading = this.#reloadOpenIssues()
    this.#followLease(uptime)
    for (const watched of this.#servers.values()) {
      if (!watched.isOnline) {
        if (uptime - watched.offlineAt >= FORGET_MS) this.#servers.delete(watched.publicId)
      } else if (watched.dueAt <= uptime && (watched.isRecentlyBack || !this.#scheduler.has(watched))) this.#schedule(watched, uptime)
    }
  }

  #schedule(watched: ProbedServer, uptime: number): void {
    const server = this.#serverOf(watched)
    if (server?.online === true && !this.#mayProbe(server.address)) {
      watched.resetFailures(uptime, false)
      return this.#resolve(watched, 'The server announces from an address that the check does not ask.')
    }
    const endpoint = this.#targetOf(watched)
    if (endpoint === undefined) return watched.skipped(uptime)
    const isFailing = !watched.isRecentlyBack && (watched.failures > 0 || this.#open.has(watched.publicId))
    this.#scheduler.add({ server: watched, address: limitKey(endpoint.address), isFailing })
  }

  /** Undefined where it is gone, or somebody else's. */
  #serverOf({ publicId, ownerId }: ProbedServer): CheckedServer | undefined {
    const server = this.#list.registry.get(publicId)
    return server?.fields.ownerId === ownerId ? server : undefined
  }

  #mayProbe(address: string): boolean {
    return this.#deps.env.REACHABILITY_PRIVATE || isPublicAddress(address)
  }

  /** Undefined while it can't be asked, or announces with a credential that works no more. */
  #targetOf(watched: ProbedServer): ProbeTarget | undefined {
    const server = this.#serverOf(watched)
    if (server?.online !== true || server.announced === undefined || !this.#mayProbe(server.address)) return undefined
    const { publicId, credentials, credentialId } = server
    const credential = credentials.find((one) => one.id === credentialId)
    if (credential === undefined) return undefined
    return { publicId, address: server.address, port: server.announced.port, key: Buffer.from(credential.key, 'latin1') }
  }

  async #probe({ server: watched, address }: ProbeJob): Promise<void> {
    const { clock } = this.#deps
    // While it waited for its turn it may have moved.
    const endpoint = this.#isLeaseHolder() ? this.#targetOf(watched) : undefined
    if (endpoint === undefined || limitKey(endpoint.address) !== address) return watched.inconclusive(clock.uptime())
    const outcome = await probe(endpoint, clock.now(), this.#stop.signal)
    // The node that asks now finds out by itself.
    if (this.#stop.signal.aborted || !this.#isLeaseHolder()) return
    if (outcome.is === 'undecided' || !this.#isStillAbout(watched, endpoint, outcome)) return watched.inconclusive(clock.uptime())
    if (outcome.is === 'answered') this.#recordAnswer(watched)
    else this.#recordFailure(watched, endpoint, outcome.observed)
  }

  /** A failure counts although the port changed or the server left meanwhile: else it could do so whenever it sees a check. */
  #isStillAbout(watched: ProbedServer, endpoint: ProbeTarget, { is }: ProbeOutcome): boolean {
    if (is === 'failed') {
      const server = this.#serverOf(watched)
      return server !== undefined && limitKey(server.address) === limitKey(endpoint.address)
    }
    const now = this.#targetOf(watched)
    return now !== undefined && hostOf(now) === hostOf(endpoint)
  }

  get #isNetworkSuspect(): boolean {
    return this.#silentAddresses.size >= MIN_SILENT_ADDRESSES
  }

  #recordAnswer(watched: ProbedServer): void {
    const { clock, log } = this.#deps
    if (this.#isNetworkSuspect) log.info('Game servers answer the reachability check again.')
    this.#silentAddresses.clear()
    watched.resetFailures(clock.uptime(), true)
    this.#resolve(watched, 'The server answered the check.')
  }

  #recordFailure(watched: ProbedServer, endpoint: ProbeTarget, observed: string): void {
    const { clock, env, log } = this.#deps
    const wasDoubtful = this.#isNetworkSuspect
    if (watched.hasJustGoneSilent) this.#silentAddresses.add(limitKey(endpoint.address))
    if (this.#isNetworkSuspect) {
      if (!wasDoubtful)
        log.warn('Game servers that answered the reachability check fall silent one after the other: is the way out closed?')
      return watched.inconclusive(clock.uptime())
    }
    const at = clock.now()
    const found = watched.failed(evidence(at, observed, EXPECTED, endpoint.address), clock.uptime())
    if (found === undefined) return
    const { publicId, ownerId } = watched
    this.#open.add(publicId)
    this.#findings.report({
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

  #resolve({ publicId, ownerId }: ProbedServer, why: string): void {
    if (this.#open.delete(publicId)) this.#findings.resolve(KIND, publicId, why, ownerId)
  }

  /** While the database is away, what was known before has to do. */
  async #reloadOpenIssues(): Promise<void> {
    this.#reloadedAt = this.#deps.clock.uptime()
    try {
      const open = new Set((await listOpenIssues(this.#deps.db, KIND)).map(({ publicId }) => publicId))
      // What was raised a moment ago may not be written yet.
      for (const { publicId, failures } of this.#servers.values()) if (failures > 0 && this.#open.has(publicId)) open.add(publicId)
      this.#open = open
    } catch {
      // Read again in a minute.
    }
  }
}

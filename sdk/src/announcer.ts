/** Announces one game server until it stops. One timer; no call throws or blocks. */
import { type CallOptions, type Reply, baseOf } from './call.ts'
import { endpointOf } from './endpoint.ts'
import { Emitter } from './emitter.ts'
import { faultsOfFamilies, readOptions } from './environment.ts'
import { onExit } from './exit.ts'
import { FamilyCalls, REJECTED_SECONDS } from './family-calls.ts'
import { logEvent } from './log-event.ts'
import { listenForProbes, probeAnswer } from './probe.ts'
import { type FullState, bodyOf, changeState, faultsOfNames, isComplete } from './state.ts'
import type { Accepted, AnnounceEvents, AnnounceOptions, Notice, ServerState } from './types.ts'
import { listenForDatagrams, udpAnswer } from './udp-probe.ts'

type Range = readonly [min: number, max: number]

/** Never two announces within this time. */
const MIN_GAP_MS = 2000
/** How many calls may follow each other this fast; then one in `CREDIT_MS`. The list counts a constantly higher rate as a flood. */
const MAX_CREDIT = 10
const CREDIT_MS = 4000
/** The waits after the first and after further failed calls. They are random, so that a fleet returns evenly after a restart of the list. */
const FIRST_FAILED_MS: Range = [4000, 20_000]
const FAILED_MS: Range = [10_000, 30_000]
/** The list probes a server five seconds after it came online. By now, the game has bound its port. */
const PROBE_LISTEN_MS = 3000
/** The last announce must arrive before the goodbye does. */
const MAX_LAST_ANNOUNCE_MS = 2000
const MAX_GOODBYE_MS = 3000

const OPTIONS = ['url', 'credential', 'port', 'host', 'probe', 'families', 'signals', 'probes', 'keepAlive', 'quiet', 'fetch']
const INVALID_VALUES = { code: 'BODY_INVALID', remedy: 'Correct the variable, or what you pass to announce() or update().' }
const INVALID_SETTINGS = { code: 'SETTINGS_INVALID', remedy: 'Until then, nothing is announced. Set the variables, or pass the options.' }

const now = () => performance.now()
const between = ([min, max]: Range) => min + Math.random() * (max - min)

export class Announcer extends Emitter<AnnounceEvents> {
  readonly #options: Partial<AnnounceOptions>
  readonly #call: CallOptions
  readonly #calls: FamilyCalls
  readonly #canCall: boolean
  #state: FullState
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the next announce is due. */
  #dueAt = 0
  /** No announce before this time, whatever changes. */
  #notBefore = 0
  #sentAt = -Infinity
  #credit = MAX_CREDIT
  #hasChanged = false
  #failures = 0
  /** The code of the newest rejection. */
  #rejection = ''
  /** What was wrong with the newest invalid values. */
  #fault = ''
  #accepted: Accepted | undefined
  #notices: readonly Notice[] = []
  #inFlight: { readonly done: Promise<void>; readonly abort: AbortController } | undefined
  #stopping: Promise<void> | undefined
  #probes: Promise<{ close(): void } | undefined> | undefined
  readonly #forgetExit: () => void

  constructor(options: AnnounceOptions) {
    super()
    const { options: complete, name } = readOptions(options)
    this.#options = complete
    const { url = '', credential = '', families = [] } = this.#options
    this.#call = { url: baseOf(String(url)), credential: String(credential).trim(), fetch: this.#options.fetch }
    const familyFaults = faultsOfFamilies(families)
    this.#calls = new FamilyCalls(this.#call, familyFaults.length === 0 ? families : [])
    const { state, faults } = changeState(undefined, this.#options)
    this.#state = state
    this.#forgetExit = this.#options.signals === false ? () => undefined : onExit((cause) => this.#stopOnce(cause))
    const callFaults = faultsOfCall(this.#call)
    this.#canCall = callFaults.length === 0
    const all = [...callFaults, ...faults, ...familyFaults].map(name).concat(faultsOfNames(complete, OPTIONS))
    const kind = this.#canCall && isComplete(state) ? INVALID_VALUES : INVALID_SETTINGS
    // Listeners are added after this call.
    if (all.length > 0) setTimeout(() => this.#rejectValues(all, kind), 0)
    this.#schedule(now())
  }

  /** What the list knows of the server: undefined until an announce is accepted. */
  get accepted(): Accepted | undefined {
    return this.#accepted
  }

  /** The state that the next announce sends. */
  get state(): Readonly<FullState> {
    return this.#state
  }

  /** Changes the state. The list gets it at once, but no announce follows another within two seconds. Invalid values are ignored, with an event. */
  update(change: Partial<ServerState>): void {
    const { state, faults } = changeState(this.#state, change)
    const hasChanged = bodyOf(state) !== bodyOf(this.#state)
    this.#state = state
    this.#rejectValues([...faultsOfNames(change), ...faults], INVALID_VALUES)
    if (!hasChanged || this.#stopping !== undefined) return
    this.#hasChanged = true
    if (this.#inFlight === undefined) this.#scheduleChange()
  }

  /** Stops, and takes the server off the list. Never rejects, and takes at most five seconds. */
  stop(): Promise<void> {
    return this.#stopOnce('stop() was called.')
  }

  /**
   * The answer to the reachability check, for a game with an HTTP server of its own on the port. Resolves to undefined for other requests.
   * @param path of the GET request @param host the Host header
   */
  probeAnswer(path: string, host: string): Promise<string | undefined> {
    return probeAnswer(path, host, { publicId: this.#accepted?.publicId ?? '', credential: this.#call.credential }).catch(() => undefined)
  }

  /** The answer to a UDP probe, for a game with a UDP socket of its own on the port. Resolves to undefined for other datagrams. */
  answerProbe(datagram: Uint8Array): Promise<Uint8Array | undefined> {
    return udpAnswer(datagram, endpointOf(this.#state), this.#call.credential).catch(() => undefined)
  }

  protected override emit<Name extends keyof AnnounceEvents>(name: Name, event: AnnounceEvents[Name]): boolean {
    return super.emit(name, event) || this.#options.quiet === true || logEvent(name, event)
  }

  #stopOnce(cause: string): Promise<void> {
    if (this.#stopping === undefined) {
      this.#stopping = this.#stop()
      if (this.#wasSent) this.emit('stopped', { message: cause })
    }
    return this.#stopping
  }

  get #wasSent(): boolean {
    return this.#sentAt > -Infinity
  }

  #scheduleChange(): void {
    const isWaiting = this.#accepted === undefined || this.#failures > 0 || this.#rejection !== ''
    // After an outage or a rejection, the next attempt has the change too.
    if (isWaiting && this.#wasSent) return
    this.#schedule(Math.min(this.#dueAt, Math.max(now(), this.#sentAt + (this.#calls.count - this.#credit) * CREDIT_MS)))
  }

  /** @param at milliseconds of the clock of `now`. */
  #schedule(at: number): void {
    this.#dueAt = Math.max(at, this.#notBefore, this.#sentAt + MIN_GAP_MS)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), Math.max(0, this.#dueAt - now()))
    if (this.#options.keepAlive === false) unref(this.#timer)
  }

  #start(): void {
    if (this.#stopping !== undefined || this.#inFlight !== undefined || !isComplete(this.#state) || !this.#canCall) return
    const at = now()
    this.#credit = Math.min(MAX_CREDIT, this.#credit + (at - this.#sentAt) / CREDIT_MS) - this.#calls.count
    this.#sentAt = at
    this.#hasChanged = false
    const abort = new AbortController()
    const done = this.#calls.announce(bodyOf(this.#state), abort).then((reply) => this.#receive(reply))
    this.#inFlight = { done, abort }
  }

  #receive(reply: Reply): void {
    this.#inFlight = undefined
    if (this.#stopping !== undefined) return
    const wait = reply.result === 'accepted' ? reply.accepted.nextAnnounceSeconds * 1000 * between([0.95, 1.05]) : this.#retryMs(reply)
    this.#notBefore = reply.result === 'accepted' ? 0 : now() + wait
    this.#schedule(now() + wait)
    if (reply.result === 'accepted') this.#receiveAccepted(reply.accepted, reply.notices)
    else if (reply.result === 'rejected') {
      const isRepeat = this.#rejection === reply.rejection.code
      this.#failures = 0
      this.#rejection = reply.rejection.code
      this.emit('rejected', { ...reply.rejection, status: reply.status, isRepeat, retrySeconds: Math.round(wait / 1000) })
    } else if (this.#failures++ === 0)
      this.emit('offline', { message: reply.message, status: reply.status, retrySeconds: Math.round(wait / 1000) })
  }

  #receiveAccepted(accepted: Accepted, notices: readonly Notice[]): void {
    const previous = this.#accepted
    const knownNotices = this.#notices
    const hadTrouble = this.#failures > 0 || this.#rejection !== ''
    this.#failures = 0
    this.#rejection = ''
    this.#accepted = accepted
    this.#notices = notices
    if (this.#hasChanged) this.#scheduleChange()
    if (previous === undefined) this.#listenForProbes()
    if (hadTrouble) this.emit('recovered', accepted)
    this.emit('accepted', accepted)
    if (previous?.listed !== accepted.listed) this.emit(accepted.listed ? 'listed' : 'unlisted', accepted)
    for (const notice of notices)
      if (!knownNotices.some(({ code, message }) => code === notice.code && message === notice.message)) this.emit('notice', notice)
    for (const notice of knownNotices) if (!notices.some(({ code }) => code === notice.code)) this.emit('cleared', notice)
  }

  #retryMs(reply: Exclude<Reply, { result: 'accepted' }>): number {
    // Servers that were rejected together come back one after the other.
    if (reply.retryAfter !== undefined) return reply.retryAfter * 1000 * between([1, 1.1]) + 100
    if (reply.result === 'rejected') return REJECTED_SECONDS * 1000 * between([1, 1.1])
    return between(this.#failures === 0 ? FIRST_FAILED_MS : FAILED_MS)
  }

  #listenForProbes(): void {
    const { port, probe } = this.#state
    const { probes = probe !== 'udp' } = this.#options
    if (!probes || probe === 'none') return
    const listen = () => {
      if (this.#stopping !== undefined) return
      this.#probes =
        probe === 'udp'
          ? listenForDatagrams(port, (datagram) => this.answerProbe(datagram))
          : listenForProbes(port, (path, host) => this.probeAnswer(path, host))
      void this.#probes.then((listener) => {
        if (listener === undefined) this.emit('notice', probesUnanswered(port, probe === 'udp' ? 'UDP' : 'TCP'))
      })
    }
    unref(setTimeout(listen, PROBE_LISTEN_MS))
  }

  #rejectValues(faults: readonly string[], { code, remedy }: { readonly code: string; readonly remedy: string }): void {
    if (faults.length === 0 || this.#stopping !== undefined) return
    const message = faults.join(' ')
    const isRepeat = this.#fault === message
    this.#fault = message
    this.emit('rejected', { code, message, remedy, status: 0, isRepeat, retrySeconds: 0 })
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer)
    const { done, abort } = this.#inFlight ?? {}
    if (done !== undefined) {
      await Promise.race([done, sleep(MAX_LAST_ANNOUNCE_MS)])
      abort?.abort()
    }
    void this.#probes?.then((listener) => listener?.close())
    if (this.#wasSent) {
      const goodbye = new AbortController()
      await Promise.race([this.#calls.sayGoodbye(this.#state.port, goodbye.signal), sleep(MAX_GOODBYE_MS)])
      goodbye.abort()
    }
    this.#forgetExit()
  }
}

function faultsOfCall({ url, credential }: CallOptions): string[] {
  const faults: string[] = []
  if (!/^https?:/i.test(url) || !URL.canParse(url)) faults.push('url must start with http:// or https://.')
  // The error of a wrong header would show the credential.
  if (!/^[\x21-\x7e]+$/.test(credential)) faults.push('credential must be what the panel showed, from mst_ to the last character.')
  return faults
}

function probesUnanswered(port: number, protocol: 'TCP' | 'UDP'): Notice {
  return {
    code: 'PROBES_UNANSWERED',
    message: `The reachability check is not answered: ${protocol} port ${port} cannot be opened.`,
    remedy: `If your game ${protocol === 'UDP' ? 'uses it, answer with answerProbe()' : 'serves HTTP there, answer with probeAnswer()'}. Otherwise set probes to false.`,
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    unref(setTimeout(resolve, ms))
  })
}

/** Timers are numbers in browsers. */
function unref(timer: unknown): void {
  ;(timer as { unref?(): void }).unref?.()
}

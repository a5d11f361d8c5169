/**
 * One event stream for all tabs of a user, because a browser opens at most six HTTP/1.1 connections to a host. The tab that holds a
 * lock opens the stream and broadcasts its messages to the others. When it closes, another tab gets the lock.
 * Without Web Locks (https://www.w3.org/TR/web-locks/), as on an origin without TLS, each tab opens its own stream.
 */
export type StreamState = 'connecting' | 'open' | { readonly retryAt: number }

export type StreamMessage =
  | { readonly type: 'state'; readonly state: StreamState }
  | { readonly type: 'event'; readonly name: string; readonly data: string }

/** From a tab that wants to know the current state, and the reply of the leader. */
type Greeting = { readonly type: 'hello' } | { readonly type: 'welcome'; readonly state: StreamState }

/** A leader that does not reply for this long is suspended. Another tab takes its lock. */
const REPLY_TIMEOUT_MS = 2000
/** How often a visible tab checks that the leader replies. The leader may be hidden: its timers are throttled, but not its replies. */
const HEARTBEAT_MS = 10_000

/** Exponential backoff with jitter: a random 50 to 100 % of 1, 2, 4 … 30 seconds. */
function backoffMs(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

interface StreamOptions {
  readonly url: string
  readonly events: readonly string[]
  /** Tabs with the same name share a stream. */
  readonly name: string
  /** @param isBroadcast whether all other tabs receive the message at the same time. */
  readonly receive: (message: StreamMessage, isBroadcast: boolean) => void
}

export class SharedStream {
  readonly #options: StreamOptions
  readonly #closing = new AbortController()
  #channel: BroadcastChannel | undefined
  #isLeader = false
  #state: StreamState | undefined
  #source: EventSource | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #replyTimer: ReturnType<typeof setTimeout> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #attempt = 0

  constructor(options: StreamOptions) {
    this.#options = options
    // The DOM types miss that it is undefined without TLS.
    if ((navigator.locks as LockManager | undefined) === undefined) this.#lead()
    else this.#share()
  }

  #share(): void {
    this.#channel = new BroadcastChannel(this.#options.name)
    this.#channel.addEventListener('message', this.#onMessage)
    this.#requestLock()
    this.#greet()
    this.#heartbeat = setInterval(this.#greet, HEARTBEAT_MS)
    document.addEventListener('visibilitychange', this.#greet, { signal: this.#closing.signal })
  }

  close(): void {
    this.#closing.abort()
    this.#stopLeading()
    this.#channel?.close()
    clearTimeout(this.#replyTimer)
    clearInterval(this.#heartbeat)
  }

  /** Reconnects at once if the stream is lost. */
  readonly retryNow = (): void => {
    this.#attempt = 0
    if (this.#isLeader && this.#state !== 'open') this.#open()
  }

  /** The network is gone. */
  disconnect(): void {
    if (this.#isLeader) this.#onError()
  }

  /** @param steal takes the lock from its holder, which then waits for it like any other tab */
  #requestLock(steal = false): void {
    const { signal } = this.#closing
    const options = steal ? { steal } : { signal }
    const held = navigator.locks.request(this.#options.name, options, async () => {
      if (signal.aborted) return
      this.#lead()
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
    })
    held.catch(() => {
      // Another tab took the lock, or this one closes.
      if (signal.aborted) return
      this.#stopLeading()
      this.#requestLock()
    })
  }

  #lead(): void {
    clearTimeout(this.#replyTimer)
    this.#isLeader = true
    this.#open()
  }

  #stopLeading(): void {
    this.#isLeader = false
    clearTimeout(this.#retryTimer)
    this.#source?.close()
  }

  readonly #greet = () => {
    if (this.#isLeader || document.visibilityState !== 'visible') return
    this.#post({ type: 'hello' })
    clearTimeout(this.#replyTimer)
    this.#replyTimer = setTimeout(() => this.#requestLock(true), REPLY_TIMEOUT_MS)
  }

  readonly #onMessage = ({ data: message }: MessageEvent<StreamMessage | Greeting>) => {
    if (message.type === 'hello') {
      if (this.#isLeader) this.#post({ type: 'welcome', state: this.#state ?? 'connecting' })
      return
    }
    clearTimeout(this.#replyTimer)
    if (message.type !== 'welcome') this.#receive(message, true)
    else if (this.#state === undefined) this.#receive({ type: 'state', state: message.state })
  }

  #post(message: StreamMessage | Greeting): void {
    this.#channel?.postMessage(message)
  }

  #receive(message: StreamMessage, isBroadcast = false): void {
    if (message.type === 'state') this.#state = message.state
    this.#options.receive(message, isBroadcast)
  }

  #publish(message: StreamMessage): void {
    this.#post(message)
    this.#receive(message)
  }

  readonly #open = () => {
    clearTimeout(this.#retryTimer)
    this.#source?.close()
    const source = new EventSource(this.#options.url)
    this.#source = source
    source.addEventListener('open', () => {
      this.#attempt = 0
      this.#publish({ type: 'state', state: 'open' })
    })
    source.addEventListener('error', this.#onError)
    for (const name of this.#options.events)
      source.addEventListener(name, ({ data }: MessageEvent<string>) => this.#publish({ type: 'event', name, data }))
  }

  readonly #onError = () => {
    this.#source?.close()
    clearTimeout(this.#retryTimer)
    const wait = backoffMs(this.#attempt++)
    this.#retryTimer = setTimeout(this.#open, wait)
    this.#publish({ type: 'state', state: { retryAt: Date.now() + wait } })
  }
}

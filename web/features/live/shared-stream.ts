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
const backoffMs = (attempt: number) => Math.min(30_000, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2)

interface StreamOptions {
  readonly url: string
  readonly events: readonly string[]
  /** Tabs with the same name share a stream. */
  readonly name: string
  /** @param isBroadcast whether all other tabs receive the message at the same time. */
  readonly receive: (message: StreamMessage, isBroadcast: boolean) => void
}

type Timer = ReturnType<typeof setTimeout>

/** Opens and reopens the stream. */
function openStream({ url, events }: StreamOptions, publish: (message: StreamMessage) => void) {
  let source: EventSource | undefined
  let attempt = 0
  let retryTimer: Timer | undefined
  const close = () => {
    clearTimeout(retryTimer)
    source?.close()
  }
  /** After an error, or when the network is gone. */
  const reopenLater = () => {
    close()
    const wait = backoffMs(attempt++)
    retryTimer = setTimeout(open, wait)
    publish({ type: 'state', state: { retryAt: Date.now() + wait } })
  }
  const open = () => {
    close()
    source = new EventSource(url)
    source.addEventListener('open', () => {
      attempt = 0
      publish({ type: 'state', state: 'open' })
    })
    source.addEventListener('error', reopenLater)
    for (const name of events) source.addEventListener(name, ({ data }: MessageEvent<string>) => publish({ type: 'event', name, data }))
  }
  open()
  return {
    close,
    reopenLater,
    reopenNow: () => {
      attempt = 0
      open()
    },
  }
}

export function shareStream(options: StreamOptions) {
  const { name, receive } = options
  // The DOM types miss that it is undefined without TLS.
  const locks = navigator.locks as LockManager | undefined
  const channel = locks && new BroadcastChannel(name)
  const closing = new AbortController()
  const { signal } = closing
  /** Set while this tab leads. */
  let stream: ReturnType<typeof openStream> | undefined
  let state: StreamState | undefined
  let replyTimer: Timer | undefined

  const post = (message: StreamMessage | Greeting) => channel?.postMessage(message)
  const onMessage = (message: StreamMessage, isBroadcast = false) => {
    if (message.type === 'state') state = message.state
    receive(message, isBroadcast)
  }
  const lead = () => {
    clearTimeout(replyTimer)
    stream = openStream(options, (message) => {
      post(message)
      onMessage(message)
    })
  }
  const stopLeading = () => {
    stream?.close()
    stream = undefined
  }
  /** @param steal takes the lock from its holder, which then waits for it like any other tab */
  const requestLock = (steal = false) => {
    const held = locks?.request(name, steal ? { steal } : { signal }, async () => {
      if (signal.aborted) return
      lead()
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
    })
    held?.catch(() => {
      // Another tab took the lock, or this one closes.
      if (signal.aborted) return
      stopLeading()
      requestLock()
    })
  }
  const greet = () => {
    if (stream || document.visibilityState !== 'visible') return
    post({ type: 'hello' })
    clearTimeout(replyTimer)
    replyTimer = setTimeout(() => requestLock(true), REPLY_TIMEOUT_MS)
  }

  channel?.addEventListener('message', ({ data: message }: MessageEvent<StreamMessage | Greeting>) => {
    if (message.type === 'hello') {
      if (stream) post({ type: 'welcome', state: state ?? 'connecting' })
      return
    }
    clearTimeout(replyTimer)
    if (message.type !== 'welcome') onMessage(message, true)
    else if (state === undefined) onMessage({ type: 'state', state: message.state })
  })
  let heartbeat: Timer | undefined
  if (locks) {
    requestLock()
    greet()
    heartbeat = setInterval(greet, HEARTBEAT_MS)
    document.addEventListener('visibilitychange', greet, { signal })
  } else lead()

  return {
    close: () => {
      closing.abort()
      stopLeading()
      channel?.close()
      clearTimeout(replyTimer)
      clearInterval(heartbeat)
    },
    /** Reconnects at once if the stream is lost. */
    retryNow: () => {
      if (state !== 'open') stream?.reopenNow()
    },
    /** The network is gone. */
    disconnect: () => stream?.reopenLater(),
  }
}

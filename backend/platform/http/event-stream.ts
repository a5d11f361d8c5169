/** Server-sent events: open replies with heartbeats, which end for readers that fall behind. */
import type { FastifyReply } from 'fastify'

/** Below the 30 s after which common proxies cut a silent connection. */
const HEARTBEAT_MS = 15_000
/** A reader this far behind is gone or asleep; it loads everything again when it comes back. */
const MAX_UNREAD_BYTES = 256 * 1024

/** Randomly spread, so that not all readers come back at once; sooner where the program stops, as another one runs already or soon. */
const RETRY_MS = { from: 1000, spread: 2000 }
const LAST_RETRY_MS = { from: 300, spread: 2500 }
const retryMs = ({ from, spread }: typeof RETRY_MS) => from + Math.floor(Math.random() * spread)

export interface EventStream {
  /** Sends the head, from which on the reader misses nothing. The first event, and the end, do so, too. */
  begin(): void
  send(event: string, data: unknown): void
  /** @param retryMs when its reader should come back, unless at the usual time. */
  close(retryMs?: number): void
  /** Runs once, however the stream ends; at once where it has ended already. */
  onClose(callback: () => void): void
}

export class EventStreams {
  readonly #open = new Map<EventStream, string>()
  #isClosing = false

  /** Takes the reply over. @param stillAllowed is called with each heartbeat: false ends the stream, a failure does not. */
  open(reply: FastifyReply, sessionKey: string, stillAllowed: () => Promise<boolean>): EventStream {
    const headers = {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    }
    reply.hijack()
    const raw = reply.raw
    const begin = () => {
      if (raw.headersSent || raw.destroyed) return
      raw.writeHead(200, headers as Record<string, string>)
      raw.write(`retry: ${retryMs(RETRY_MS)}\n\n`)
    }
    const callbacks: (() => void)[] = []
    let hasEnded = false
    const beat = setInterval(() => {
      begin()
      raw.write(': still here\n\n')
      stillAllowed().then(
        (isAllowed) => {
          if (!isAllowed) end()
        },
        () => undefined,
      )
    }, HEARTBEAT_MS)
    const end = (retry?: number) => {
      if (hasEnded) return
      hasEnded = true
      clearInterval(beat)
      this.#open.delete(stream)
      begin()
      raw.end(retry === undefined ? undefined : `retry: ${retry}\n\n`)
      for (const callback of callbacks) callback()
    }
    const stream: EventStream = {
      begin,
      send(event, data) {
        if (hasEnded) return
        begin()
        raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
      },
      close: end,
      onClose(callback) {
        if (hasEnded) callback()
        else callbacks.push(callback)
      },
    }
    this.#open.set(stream, sessionKey)
    raw.once('close', () => end())
    raw.on('error', () => raw.destroy())
    // A client that left before this emits no `close` any more.
    if (raw.destroyed || this.#isClosing) end()
    return stream
  }

  /** Ends every stream, now and later, so that a stopping program does not wait for them. Browsers reconnect by themselves. */
  close(): void {
    this.#isClosing = true
    for (const stream of this.#open.keys()) stream.close(retryMs(LAST_RETRY_MS))
  }

  closeSession(sessionKey: string): void {
    for (const [stream, key] of this.#open) if (key === sessionKey) stream.close()
  }
}

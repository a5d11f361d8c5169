/** Server-sent events: open replies with heartbeats, closed if the reader falls behind. */
import type { FastifyReply } from 'fastify'

/** Below the 30 s after which common proxies close a silent connection. */
const HEARTBEAT_MS = 15_000
/** A reader this far behind is gone or suspended. It reloads everything when it reconnects. */
const MAX_UNREAD_BYTES = 256 * 1024

/** Random, so that readers don't all reconnect at once. Sooner on shutdown, because another node runs or starts soon. */
const RETRY_MS = { from: 1000, spread: 2000 }
const SHUTDOWN_RETRY_MS = { from: 300, spread: 2500 }
const retryMs = ({ from, spread }: typeof RETRY_MS) => from + Math.floor(Math.random() * spread)

export interface EventStream {
  /** Sends the response head; from then on the reader misses nothing. The first event and the end send it, too. */
  begin(): void
  send(event: string, data: unknown): void
  /** @param retryMs when the reader should reconnect, instead of the usual time. */
  close(retryMs?: number): void
  /** Calls back once, however the stream ends; at once if it has ended already. */
  onClose(callback: () => void): void
}

export class EventStreams {
  readonly #open = new Map<EventStream, string>()
  #isClosing = false

  /** Takes over the reply. @param stillAllowed called with each heartbeat: false ends the stream, an error does not. */
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
    const heartbeat = setInterval(() => {
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
      clearInterval(heartbeat)
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
    // A client that has already left emits no `close`.
    if (raw.destroyed || this.#isClosing) end()
    return stream
  }

  /** Ends every stream, also those opened later, for shutdown. Browsers reconnect automatically. */
  close(): void {
    this.#isClosing = true
    for (const stream of this.#open.keys()) stream.close(retryMs(SHUTDOWN_RETRY_MS))
  }

  closeSession(sessionKey: string): void {
    for (const [stream, key] of this.#open) if (key === sessionKey) stream.close()
  }
}

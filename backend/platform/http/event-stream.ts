/** Server-sent events: one open reply, a comment now and then so that proxies keep it, and an end for readers that do not read. */
import type { FastifyReply } from 'fastify'

/** Below the 30 s after which common proxies cut a silent connection. */
const HEARTBEAT_MS = 15_000
/** A reader this far behind is gone or asleep; it gets everything anew when it comes back. */
const MOST_UNREAD_BYTES = 256 * 1024

/** The streams of a program that stops: another one is there already, or soon. */
const LAST_RETRY_MS = { from: 300, spread: 2500 }

export interface EventStream {
  /** Says to the reader that it is open: from now on he misses nothing. The first event, and the end, say so, too. */
  begin(): void
  send(event: string, data: unknown): void
  /** @param retryMs when its reader is to come back, where that is not the usual while. */
  close(retryMs?: number): void
  /** Runs once, however the stream ends; at once where it has ended already. */
  onClose(callback: () => void): void
}

/** The open streams of one listener. */
export class EventStreams {
  readonly #open = new Map<EventStream, string>()
  #isClosing = false

  /**
   * Takes the reply over. @param sessionKey whose stream it is. @param stillAllowed is asked at each heartbeat; a plain no ends the
   * stream, a question that could not be answered does not.
   */
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
      // The first words: how long to wait before a reconnect, a little different for each so that they don't come all at once.
      raw.write(`retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`)
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
    const end = (retryMs?: number) => {
      if (hasEnded) return
      hasEnded = true
      clearInterval(beat)
      this.#open.delete(stream)
      begin()
      raw.end(retryMs === undefined ? undefined : `retry: ${retryMs}\n\n`)
      for (const callback of callbacks) callback()
    }
    const stream: EventStream = {
      begin,
      send(event, data) {
        if (hasEnded) return
        begin()
        raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
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
    // Whoever left while it was asked who he is will not be heard leaving again.
    if (raw.destroyed || this.#isClosing) end()
    return stream
  }

  /**
   * Ends every stream and any that is still to come, so that a stopping program does not wait for them; browsers reconnect by themselves,
   * each after another while, so that the next program is not run over.
   */
  close(): void {
    this.#isClosing = true
    for (const stream of this.#open.keys()) stream.close(LAST_RETRY_MS.from + Math.floor(Math.random() * LAST_RETRY_MS.spread))
  }

  /** Ends the streams of one session, when it ends. */
  closeOf(sessionKey: string): void {
    for (const [stream, key] of this.#open) if (key === sessionKey) stream.close()
  }
}

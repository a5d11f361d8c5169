/** Server-sent events: one open reply, a comment now and then so that proxies keep it, and an end for readers that do not read. */
import type { FastifyReply } from 'fastify'

/** Below the 30 s after which common proxies cut a silent connection. */
const HEARTBEAT_MS = 15_000
/** A reader this far behind is gone or asleep; it gets everything anew when it comes back. */
const MOST_UNREAD_BYTES = 256 * 1024

export interface EventStream {
  send(event: string, data: unknown): void
  close(): void
  /** Runs once, however the stream ends. */
  onClose(callback: () => void): void
}

const open = new Map<EventStream, string>()

/** Ends every stream, so that a stopping program does not wait for them; browsers reconnect by themselves. */
export function closeEventStreams(): void {
  for (const stream of open.keys()) stream.close()
}

/** Ends the streams of one session, when it ends. */
export function closeEventStreamsOf(sessionKey: string): void {
  for (const [stream, key] of open) if (key === sessionKey) stream.close()
}

/**
 * Takes the reply over. @param sessionKey whose stream it is. `stillAllowed` is asked at each heartbeat; where it answers false the stream ends.
 */
export function openEventStream(reply: FastifyReply, sessionKey: string, stillAllowed: () => Promise<boolean>): EventStream {
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  reply.hijack()
  const raw = reply.raw
  raw.writeHead(200, headers as Record<string, string>)
  const callbacks: (() => void)[] = []
  const beat = setInterval(() => {
    raw.write(': still here\n\n')
    stillAllowed().then(
      (isAllowed) => {
        if (!isAllowed) stream.close()
      },
      () => stream.close(),
    )
  }, HEARTBEAT_MS)
  const stream: EventStream = {
    send(event, data) {
      if (raw.writableEnded || raw.destroyed) return
      raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy()
    },
    close: () => void raw.end(),
    onClose: (callback) => void callbacks.push(callback),
  }
  open.set(stream, sessionKey)
  raw.once('close', () => {
    clearInterval(beat)
    open.delete(stream)
    for (const callback of callbacks) callback()
  })
  raw.on('error', () => raw.destroy())
  // The first words: how long to wait before a reconnect, a little different for each so that they don't come all at once.
  raw.write(`retry: ${1000 + Math.floor(Math.random() * 2000)}\n\n`)
  return stream
}

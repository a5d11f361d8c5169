/** Sends bodies that are much larger than a socket's buffer, and drops readers that are too slow. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const SLICE_BYTES = 64 * 1024
/** Shutdown does not wait longer for slow readers. */
const SHUTDOWN_TIMEOUT_MS = 3000

/** The minimum speed of a reader. */
export interface Pace {
  readonly intervalMs: number
  readonly minBytes: number
}

/** Several buffers, or a stream of them, which `onEnd` must close. */
type Body = Iterable<Buffer> | AsyncIterable<Buffer>

/** Turns bodies into streams to reply with, for one listener; they end when it closes. @param pace slower readers are dropped. */
export function createPacedSender(app: FastifyInstance, pace: Pace) {
  const readers = new Set<FastifyRequest['raw']>()
  app.addHook('preClose', (done) => {
    setTimeout(() => readers.forEach(({ socket }) => socket.destroy()), SHUTDOWN_TIMEOUT_MS).unref()
    done()
  })
  return ({ raw }: FastifyRequest, reply: FastifyReply, body: Body, onEnd: () => void): Readable => {
    readers.add(raw)
    const end = () => {
      readers.delete(raw)
      onEnd()
    }
    return pacedStream(raw, reply.raw, body, end, pace)
  }
}

/** The body as one stream for this response, without a copy. `onEnd` is called once, after the last use of the body. */
export function pacedStream(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  body: Body,
  onEnd: () => void,
  pace: Pace,
): Readable {
  let bytesTaken = 0
  let hasEnded = false
  const stream = Readable.from(
    slicesOf(body, (bytes) => (bytesTaken += bytes)),
    { objectMode: false, highWaterMark: SLICE_BYTES },
  )
  const end = () => {
    clearInterval(watch)
    if (!hasEnded) onEnd()
    hasEnded = true
  }
  // A response that waits behind another one on its connection gets no event when the connection closes.
  const watch = setInterval(() => {
    const isFastEnough = bytesTaken >= pace.minBytes && !socket.destroyed
    bytesTaken = 0
    if (isFastEnough) return
    socket.destroy()
    stream.destroy()
    end()
  }, pace.intervalMs)
  watch.unref()
  finished(response, end)
  return stream
}

async function* slicesOf(body: Body, onTaken: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const part of body) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      const slice = part.subarray(at, at + SLICE_BYTES)
      onTaken(slice.length)
      yield slice
    }
  }
}

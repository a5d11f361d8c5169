/** Sends bodies that are many times larger than a socket takes at once, and cuts off readers that are too slow. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const SLICE_BYTES = 64 * 1024
/** The program stops within seconds, however slow its readers are. */
const STOP_WITHIN_MS = 3000

/** How much a reader takes in which time at least, until they have all. */
export interface Pace {
  readonly intervalMs: number
  readonly minBytes: number
}

/** Several buffers, or a stream of them, which `over` then has to end. */
type Body = Iterable<Buffer> | AsyncIterable<Buffer>

/** Makes bodies into streams to reply with, for one listener; they end when it closes. @param pace a reader who does not keep it is cut off. */
export function createPacedSender(app: FastifyInstance, pace: Pace) {
  const readers = new Set<FastifyRequest['raw']>()
  app.addHook('preClose', (done) => {
    setTimeout(() => readers.forEach(({ socket }) => socket.destroy()), STOP_WITHIN_MS).unref()
    done()
  })
  return ({ raw }: FastifyRequest, reply: FastifyReply, body: Body, over: () => void): Readable => {
    readers.add(raw)
    const end = () => {
      readers.delete(raw)
      over()
    }
    return pacedStream(raw, reply.raw, body, end, pace)
  }
}

/** The body as one stream for this response, without a copy. `over` is called once, when nothing sends it any more. */
export function pacedStream(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
  body: Body,
  over: () => void,
  pace: Pace,
): Readable {
  let taken = 0
  let isOver = false
  const stream = Readable.from(
    slicesOf(body, (bytes) => (taken += bytes)),
    { objectMode: false, highWaterMark: SLICE_BYTES },
  )
  const end = () => {
    clearInterval(watch)
    if (!isOver) over()
    isOver = true
  }
  // A response that waits behind another one of its connection isn't told that the connection is gone.
  const watch = setInterval(() => {
    const isKept = taken >= pace.minBytes && !socket.destroyed
    taken = 0
    if (isKept) return
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

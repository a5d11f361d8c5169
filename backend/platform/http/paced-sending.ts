/** Large bodies on one listener: sent for as long as they are read, and ended when the listener closes. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Pace, pacedStream } from './paced-stream.ts'

/** The program stops within seconds, whoever reads. */
const STOP_WITHIN_MS = 3000

/** What a body is: several buffers, or a stream of them, which `over` then has to end. */
type Body = Iterable<Buffer> | AsyncIterable<Buffer>

/** Answers what makes a body into one to reply with. `over` is called once, when nobody sends it any more. */
export type SendPaced = (request: FastifyRequest, reply: FastifyReply, body: Body, over: () => void) => Readable

/** @param pace a reader who does not keep it is cut off. */
export function pacedSending(app: FastifyInstance, pace: Pace): SendPaced {
  const readers = new Set<FastifyRequest['raw']>()
  app.addHook('preClose', (done) => {
    setTimeout(() => readers.forEach(({ socket }) => socket.destroy()), STOP_WITHIN_MS).unref()
    done()
  })
  return ({ raw }, reply, body, over) => {
    readers.add(raw)
    const end = () => {
      readers.delete(raw)
      over()
    }
    return pacedStream(raw, reply.raw, body, end, pace)
  }
}

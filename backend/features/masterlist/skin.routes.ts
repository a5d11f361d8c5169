import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist.ts'
import { partsOf } from '#contract/endpoint.ts'
import type { Deps } from '#backend/deps.ts'
import type { Storage } from '#backend/features/images/storage.ts'
import { clientAddress, limitKey } from '#backend/http/client-address.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { refusalAnswer } from './answer.ts'
import { FULL_READS } from './list-call.ts'
import type { RunningMasterList } from './masterlist.ts'
import { refuse } from './masterlist.routes.ts'
import { isKnownTag } from './negotiation.ts'
import { pacedStream } from './skin-sending.ts'
import { Skins } from './skin.ts'

/** By then some of those that are sent have been read. */
const BUSY_SECONDS = 5
/** The program stops within seconds, whoever reads. */
const STOP_WITHIN_MS = 3000

/** Binds the skins on the list's listener. @param pictures where those that they carry lie. */
export function serveSkins(app: FastifyInstance, deps: Deps, { registry }: RunningMasterList, pictures: Pick<Storage, 'open'>): void {
  const skins = new Skins(deps, registry, pictures)
  const limit = deps.env.RATE_LIMITS ? new TokenBuckets({ ...FULL_READS, clock: deps.clock }) : undefined

  const readers = new Set<FastifyRequest['raw']>()
  app.addHook('preClose', (done) => {
    setTimeout(() => readers.forEach(({ socket }) => socket.destroy()), STOP_WITHIN_MS).unref()
    done()
  })
  const handler = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const wait = limit?.take(limitKey(clientAddress(request))) ?? 0
    if (wait > 0) return refuse(reply, refusalAnswer('TOO_MANY_REQUESTS', wait))
    const server = registry.find(request.params.id)
    if (server === undefined) return refuse(reply, refusalAnswer('NO_SUCH_SERVER'))
    const skin = await skins.of(server)
    if (skin === undefined) return refuse(reply, refusalAnswer('NO_SKIN'))
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'ETag')
    const kept = { etag: skin.etag, 'cache-control': 'public, max-age=60' }
    if (isKnownTag(request.headers['if-none-match'], skin.etag)) return reply.code(304).headers(kept).send()
    // Never compressed: nearly all of it are pictures, which are already.
    reply.header('content-type', 'application/json')
    if (request.method === 'HEAD') return reply.headers({ ...kept, 'content-length': String(skin.bytes) }).send()
    const body = await skin.body()
    if (body === undefined) return refuse(reply, refusalAnswer('SKINS_BUSY', BUSY_SECONDS))
    reply.headers(body.isWhole ? kept : { 'cache-control': 'no-store' }).header('content-length', String(body.bytes))
    readers.add(request.raw)
    const over = () => {
      readers.delete(request.raw)
      body.release()
    }
    return reply.send(pacedStream(request.raw, reply.raw, body.parts, over))
  }
  app.route({ method: ['GET', 'HEAD'], url: partsOf(contract.skin.route).path.replace('{id}', ':id'), handler })
}

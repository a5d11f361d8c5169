import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist.ts'
import { partsOf } from '#contract/endpoint.ts'
import type { Deps } from '#backend/deps.ts'
import type { Storage } from '#backend/features/images/storage.ts'
import { clientAddress, limitKey } from '#backend/http/client-address.ts'
import { AtOnce } from '#backend/http/at-once.ts'
import { pacedSending } from '#backend/http/paced-sending.ts'
import type { Pace } from '#backend/http/paced-stream.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { refusalAnswer } from './answer.ts'
import { FULL_READS } from './list-call.ts'
import type { RunningMasterList } from './masterlist.ts'
import { refuse } from './masterlist.routes.ts'
import { isKnownTag } from './negotiation.ts'
import { type SkinBody, Skins } from './skin.ts'

/** By then some of those that are sent have been read. */
const BUSY_SECONDS = 5
/** 52 KB a second: slower readers would keep everybody's room for minutes, and could hardly load the game either. */
const PACE: Pace = { everyMs: 10_000, leastBytes: 512 * 1024 }
/** At once to one address, so that nobody keeps the room of all to himself; a launcher asks for one. */
const MOST_EACH = 2

/** Binds the skins on the list's listener. @param pictures where those that they carry lie. */
export function serveSkins(app: FastifyInstance, deps: Deps, { registry }: RunningMasterList, pictures: Pick<Storage, 'open'>): void {
  const skins = new Skins(deps, registry, pictures)
  const limit = deps.env.RATE_LIMITS
    ? new TokenBuckets({ ...FULL_READS, clock: deps.clock, shared: { bus: deps.bus, name: 'skins' } })
    : undefined
  const sent = new AtOnce(deps.env.RATE_LIMITS ? MOST_EACH : Infinity)
  const send = pacedSending(app, PACE)
  const handler = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const address = limitKey(clientAddress(request))
    const wait = limit?.take(address) ?? 0
    if (wait > 0) return refuse(reply, refusalAnswer('TOO_MANY_REQUESTS', wait))
    const server = registry.find(request.params.id)
    if (server === undefined) return refuse(reply, refusalAnswer('NO_SUCH_SERVER'))
    const skin = await skins.of(server)
    if (skin === undefined) return refuse(reply, refusalAnswer('NO_SKIN'))
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag', 'x-content-type-options': 'nosniff' })
    const kept = { etag: skin.etag, 'cache-control': 'public, max-age=60' }
    if (isKnownTag(request.headers['if-none-match'], skin.etag)) return reply.code(304).headers(kept).send()
    // Never compressed: nearly all of it are pictures, which are already.
    reply.header('content-type', 'application/json')
    if (request.method === 'HEAD') return reply.headers({ ...kept, 'content-length': String(skin.bytes) }).send()
    const end = sent.begin(address)
    if (end === undefined) return refuse(reply, refusalAnswer('TOO_MANY_REQUESTS', BUSY_SECONDS))
    let body: SkinBody | undefined
    try {
      body = await skin.body()
    } finally {
      if (body === undefined) end()
    }
    if (body === undefined) return refuse(reply, refusalAnswer('SKINS_BUSY', BUSY_SECONDS))
    reply.headers(body.isWhole ? kept : { 'cache-control': 'no-store' }).header('content-length', String(body.bytes))
    const over = () => {
      end()
      body.release()
    }
    return reply.send(send(request, reply, body.parts, over))
  }
  app.route({ method: ['GET', 'HEAD'], url: partsOf(contract.skin.route).path.replace('{id}', ':id'), handler })
}

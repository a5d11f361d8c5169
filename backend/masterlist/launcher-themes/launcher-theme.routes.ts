/** `GET /servers/{id}/skin`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONCURRENCY } from '#contract/api/limits.ts'
import * as contract from '#contract/masterlist/masterlist.ts'
import { parseRoute } from '#contract/api/endpoint.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { ImageStorage } from '#backend/core/images/storage.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import { type Age, REVALIDATED } from '#backend/masterlist/wire/list-heads.ts'
import { type Encoding, encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import { type Pace, createPacedSender } from '#backend/platform/http/paced-stream.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { LauncherThemes, type OpenTheme } from './launcher-theme.ts'
import { closeImages, themeBody } from './theme-body.ts'

const BUSY_SECONDS = 5
/** Themes sent at once, to all addresses: each has open files and half a megabyte of buffers. */
const MAX_SENT = 100
/** Slower readers would occupy these for minutes. */
const PACE: Pace = { intervalMs: 10_000, minBytes: 512 * 1024 }
const CACHE_CONTROL = 'public, max-age=60'

interface Sources extends Pick<RunningMasterList, 'registry'> {
  readonly images: Pick<ImageStorage, 'open'>
  readonly age: Age
}

export function serveLauncherThemes(app: FastifyInstance, deps: Deps, { registry, images, age }: Sources): void {
  const themes = new LauncherThemes(deps, registry, images)
  const limit = deps.env.RATE_LIMITS ? new TokenBuckets(deps, 'launcher-themes') : undefined
  const sent = new KeyedConcurrencyLimit(deps.env.RATE_LIMITS ? CONCURRENCY['launcher-themes'].max : Infinity)
  const allSent = new KeyedConcurrencyLimit(MAX_SENT)
  const send = createPacedSender(app, PACE)
  const handler = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const address = limitKey(clientAddress(request))
    const wait = limit?.take(address) ?? 0
    if (wait > 0) return sendReply(reply, rejectionReply('TOO_MANY_REQUESTS', wait))
    const server = registry.find(request.params.id)
    if (server === undefined) return sendReply(reply, rejectionReply('NO_SUCH_SERVER'))
    const theme = await themes.themeOf(server)
    if (theme === undefined) return sendReply(reply, rejectionReply('NO_SKIN'))
    const encoding = encodingFor(request.headers['accept-encoding'])
    const ageSeconds = theme.age ?? age()
    if (matchesEtag(request.headers['if-none-match'], theme.etag))
      return head(reply, theme.etag, CACHE_CONTROL, ageSeconds).code(304).send()
    if (request.method === 'HEAD')
      return head(reply, theme.etag, CACHE_CONTROL, ageSeconds).headers(contentOf(encoding, theme.bytes)).send()
    const release = sent.acquire(address)
    if (release === undefined) return sendReply(reply, rejectionReply('TOO_MANY_UNREAD', BUSY_SECONDS))
    const releaseAll = allSent.acquire('')
    if (releaseAll === undefined) {
      release()
      return sendReply(reply, rejectionReply('SKINS_BUSY', BUSY_SECONDS))
    }
    let opened: OpenTheme | undefined
    const onSent = () => {
      closeImages(opened?.images ?? [])
      release()
      releaseAll()
    }
    try {
      opened = await theme.open()
    } catch (error) {
      onSent()
      throw error
    }
    const { json, images: openImages, bytes, etag, isComplete } = opened
    // A missing image may exist the next time.
    head(reply, etag, isComplete ? CACHE_CONTROL : REVALIDATED, ageSeconds)
    if (!isComplete && matchesEtag(request.headers['if-none-match'], etag)) {
      onSent()
      return reply.code(304).send()
    }
    reply.headers(contentOf(encoding, bytes))
    return reply.send(send(request, reply, themeBody(json, openImages, encoding), onSent))
  }
  app.route({ method: ['GET', 'HEAD'], url: parseRoute(contract.skin.route).path.replace('{id}', ':id'), handler })
}

function head(reply: FastifyReply, etag: string, cacheControl: string, age: number | undefined): FastifyReply {
  if (age !== undefined) reply.header('age', String(age))
  return reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Age, X-Request-Id',
    'cache-control': cacheControl,
    etag,
    vary: 'Accept-Encoding',
  })
}

/** @param bytes of the identity body. The length of a compressed body is unknown in advance. */
function contentOf(encoding: Encoding, bytes: number): Record<string, string> {
  const type = { 'content-type': 'application/json' }
  if (encoding !== 'identity') return { ...type, 'content-encoding': encoding }
  return { ...type, 'content-length': String(bytes) }
}

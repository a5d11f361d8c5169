/** `POST /announce` and `DELETE /announce`. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist.ts'
import { parseRoute } from '#contract/endpoint.ts'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import { sendReply } from '#backend/masterlist/wire/reply.ts'
import { clientAddress } from '#backend/platform/http/client-address.ts'
import type { AnnouncePipeline } from './announce-pipeline.ts'

const MAX_BODY_BYTES = 8192
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
const EMPTY = Buffer.alloc(0)

/** Fastify's errors about bodies, as the owner of the server sees them. */
const UNREADABLE: Readonly<Record<string, RejectionCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'BODY_WRONG_TYPE',
}

export function serveAnnounces(app: FastifyInstance, pipeline: AnnouncePipeline): void {
  let isDraining = false
  app.addHook('preClose', (done) => {
    isDraining = true
    done()
  })
  const argumentsOf = (request: FastifyRequest) => [request.headers.authorization, clientAddress(request)] as const

  const serve = (request: FastifyRequest) => {
    const body = (request.body ?? EMPTY) as Buffer
    // Without a body, the content type of a goodbye does not matter: some HTTP libraries always send one.
    const needsJson = request.method === 'POST' || body.length > 0
    if (needsJson && !isJson(request)) return pipeline.reject(...argumentsOf(request), 'BODY_WRONG_TYPE')
    return request.method === 'POST' ? pipeline.announce(...argumentsOf(request), body) : pipeline.leave(...argumentsOf(request), body)
  }
  /** Calls that began before the shutdown close their connection, too. */
  const send = async (reply: FastifyReply, result: ReturnType<typeof serve>) =>
    sendReply(reply, await result, isDraining ? { Connection: 'close' } : {})

  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, parsed) => parsed(null, body))
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const code = UNREADABLE[error.code]
      if (code === undefined) throw error
      return send(reply, pipeline.reject(...argumentsOf(request), code))
    })
    for (const endpoint of [contract.announce, contract.leave]) {
      const { method, path } = parseRoute(endpoint.route)
      scope.route({
        method,
        url: path,
        config: { hasOwnLimit: true },
        handler: (request, reply) => send(reply, serve(request)),
      })
    }
    done()
  })
}

/** A missing content type counts as JSON, because small HTTP libraries often send none. */
function isJson({ headers }: FastifyRequest): boolean {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  return (type === undefined || JSON_TYPE.test(type)) && (encoding === undefined || encoding === 'identity')
}

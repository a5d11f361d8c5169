/** `POST /announce` and `DELETE /announce` on node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { Reply } from '#backend/masterlist/wire/reply.ts'
import { BodyRequest } from '#backend/platform/node-internals/body-request.ts'
import { writeReply, writeWhenSettled } from '#backend/masterlist/wire/write-reply.ts'
import type { SourceAddress } from '#backend/platform/http/client-address.ts'
import type { AnnouncePipeline } from './announce-pipeline.ts'

/** Contract section 11. */
const MAX_BODY_BYTES = 8192
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export class AnnounceHandler {
  readonly #pipeline: AnnouncePipeline
  readonly #addressOf: SourceAddress
  #isDraining = false

  constructor(pipeline: AnnouncePipeline, addressOf: SourceAddress) {
    this.#pipeline = pipeline
    this.#addressOf = addressOf
  }

  announce(request: IncomingMessage, response: ServerResponse): void {
    const rejection = rejectionOfHeaders(request)
    if (rejection !== undefined) return this.#reject(request, response, rejection)
    BodyRequest.read(request, MAX_BODY_BYTES, (body) => {
      if (body === undefined) return this.#reject(request, response, 'BODY_TOO_LARGE')
      this.#write(response, this.#pipeline.announce(request.headers.authorization, this.#addressOf(request), body))
    })
  }

  /** From now on, each reply closes its connection, also for calls in progress. */
  drain(): void {
    this.#isDraining = true
  }

  /** Without a body, the content type does not matter: some HTTP libraries always send one. */
  leave(request: IncomingMessage, response: ServerResponse): void {
    BodyRequest.read(request, MAX_BODY_BYTES, (body) => {
      if (body === undefined) return this.#reject(request, response, 'BODY_TOO_LARGE')
      const rejection = body.length > 0 ? rejectionOfHeaders(request) : undefined
      if (rejection !== undefined) return this.#reject(request, response, rejection)
      this.#write(response, this.#pipeline.leave(request.headers.authorization, this.#addressOf(request), body))
    })
  }

  #reject(request: IncomingMessage, response: ServerResponse, code: RejectionCode): void {
    this.#write(response, this.#pipeline.reject(request.headers.authorization, this.#addressOf(request), code))
  }

  #write(response: ServerResponse, result: Reply | Promise<Reply>): void {
    if (result instanceof Promise)
      return writeWhenSettled(
        response,
        result.finally(() => this.#closeAfter(response)),
      )
    this.#closeAfter(response)
    writeReply(response, result)
  }

  #closeAfter(response: ServerResponse): void {
    if (this.#isDraining) response.shouldKeepAlive = false
  }
}

/** A missing content type counts as JSON, because small HTTP libraries often send none. */
function rejectionOfHeaders({ headers }: IncomingMessage): RejectionCode | undefined {
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) return 'BODY_WRONG_TYPE'
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return 'BODY_WRONG_TYPE'
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? 'BODY_TOO_LARGE' : undefined
}

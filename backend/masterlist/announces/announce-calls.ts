/** `POST /announce` and `DELETE /announce`: from a request to a reply. */
import type { IncomingMessage } from 'node:http'
import type { Reply } from '#backend/masterlist/wire/reply.ts'
import type { SourceAddress } from '#backend/platform/http/client-address.ts'
import type { AnnouncePipeline } from './announce-pipeline.ts'

const MAX_BODY_BYTES = 8192
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export class AnnounceCalls {
  readonly #pipeline: AnnouncePipeline
  readonly #addressOf: SourceAddress

  constructor(pipeline: AnnouncePipeline, addressOf: SourceAddress) {
    this.#pipeline = pipeline
    this.#addressOf = addressOf
  }

  async announce(request: IncomingMessage): Promise<Reply> {
    const { authorization } = request.headers
    if (!isJson(request)) return this.#pipeline.reject(authorization, this.#addressOf(request), 'BODY_WRONG_TYPE')
    const body = await readBody(request)
    if (body === undefined) return this.#pipeline.reject(authorization, this.#addressOf(request), 'BODY_TOO_LARGE')
    return await this.#pipeline.announce(authorization, this.#addressOf(request), body)
  }

  /** Without a body, the content type does not matter: some HTTP libraries always send one. */
  async leave(request: IncomingMessage): Promise<Reply> {
    const { authorization } = request.headers
    const body = await readBody(request)
    if (body === undefined) return this.#pipeline.reject(authorization, this.#addressOf(request), 'BODY_TOO_LARGE')
    if (body.length > 0 && !isJson(request)) return this.#pipeline.reject(authorization, this.#addressOf(request), 'BODY_WRONG_TYPE')
    return this.#pipeline.leave(authorization, this.#addressOf(request), body)
  }
}

/** A missing content type counts as JSON, because small HTTP libraries often send none. */
function isJson({ headers }: IncomingMessage): boolean {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  return (type === undefined || JSON_TYPE.test(type)) && (encoding === undefined || encoding === 'identity')
}

/** Returns undefined for a body that is too large. Never resolves if the client leaves before the end. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) resolve(undefined)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  })
}

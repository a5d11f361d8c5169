/** `POST /announce` and `DELETE /announce` on node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Announcing } from './announcing.ts'
import { writeWhenSettled } from './raw-answer.ts'
import type { RefusalCode } from './reasons.ts'

export type SourceAddress = (request: IncomingMessage) => string

/** Contract section 11. */
const MOST_BODY_BYTES = 8192
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export class AnnounceCall {
  readonly #announcing: Announcing
  readonly #addressOf: SourceAddress

  constructor(announcing: Announcing, addressOf: SourceAddress) {
    this.#announcing = announcing
    this.#addressOf = addressOf
  }

  announce(request: IncomingMessage, response: ServerResponse): void {
    const unfit = unfitHeaders(request)
    if (unfit !== undefined) return this.#refuse(request, response, unfit)
    // Nearly every body comes in one piece; only then a list is made of them.
    let first: Buffer | undefined
    let all: Buffer[] | undefined
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_BODY_BYTES) {
        if (bytes - chunk.length <= MOST_BODY_BYTES) this.#refuse(request, response, 'BODY_TOO_LARGE')
      } else if (first === undefined) first = chunk
      else (all ??= [first]).push(chunk)
    })
    request.on('end', () => {
      if (bytes > MOST_BODY_BYTES) return
      const body = (all === undefined ? first : Buffer.concat(all))?.toString() ?? ''
      writeWhenSettled(response, this.#announcing.announce(request.headers.authorization, this.#addressOf(request), body))
    })
  }

  leave(request: IncomingMessage, response: ServerResponse): void {
    writeWhenSettled(response, this.#announcing.leave(request.headers.authorization, this.#addressOf(request)))
  }

  #refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    writeWhenSettled(response, this.#announcing.refuse(request.headers.authorization, this.#addressOf(request), code))
  }
}

/** A missing content type passes for JSON: small HTTP libraries in game servers often send none. */
function unfitHeaders({ headers }: IncomingMessage): RefusalCode | undefined {
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) return 'BODY_WRONG_TYPE'
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return 'BODY_WRONG_TYPE'
  return Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES ? 'BODY_TOO_LARGE' : undefined
}

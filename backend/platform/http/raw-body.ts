/** Bodies that stay raw bytes until their signature, which covers exactly these bytes, is verified. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '#backend/platform/errors.ts'
import { decodeUtf8 } from './utf8.ts'

export function acceptRawBodies(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}

export const rawBodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

export function parseJson(body: Buffer): unknown {
  const text = decodeUtf8(body)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalid('BODY_NOT_JSON')
  }
}

import type { FastifyInstance } from 'fastify'
import { decodeUtf8 } from './utf8.ts'

/** Accepts JSON in UTF-8 only. An empty body counts as none, because many clients always send the content type. */
export function acceptJson(app: FastifyInstance, options: { readonly bodyLimit?: number } = {}): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { ...options, parseAs: 'buffer' }, (request, body, done) => {
    const text = typeof body === 'string' ? body : decodeUtf8(body)
    if (text === '') done(null, undefined)
    else void parseJson(request, text, done)
  })
}

/** The identity provider's redirect target for players. A client that listens on loopback (RFC 8252 section 7.3) puts its port into `state`. */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { m } from '#api-messages'
import { escapeHtml } from '#backend/platform/http/escape-html.ts'
import { currentLanguage } from '#backend/platform/messages/language.ts'

/** `p<port>.<random>` */
const LOOPBACK_STATE = /^p([1-9]\d{3,4})\.[\w-]{16,256}$/
const FIRST_PORT = 1024
const LAST_PORT = 65_535
const MAX_CHARACTERS = 512

const STYLE = `:root{color-scheme:dark light}body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:#0f1115;color:#e8eaed}
main{width:min(420px,100vw - 48px)}h1{font-size:20px;margin:0 0 4px}p{margin:0;color:#a8b0bb}
@media(prefers-color-scheme:light){body{background:#f6f7f9;color:#1a1d21}p{color:#525a66}}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** @param brand the operator's name for this installation. */
export function sendCallback(brand: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = (title: string, text: string) => pageOf(brand, title, text)
  const { code, state, error } = queryTexts(request.query)
  reply
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Language')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`)
  const result = code !== undefined && error === undefined ? { code } : error === undefined ? undefined : { error }
  const port = result === undefined ? undefined : portOf(state)
  if (result !== undefined && port !== undefined && state !== undefined) {
    return reply.redirect(`http://127.0.0.1:${port}/?${new URLSearchParams({ ...result, state }).toString()}`, 302)
  }
  reply.type('text/html; charset=utf-8')
  if (result === undefined) return reply.code(400).send(page(m.sign_in_page(), m.sign_in_page_text()))
  if ('code' in result) return reply.send(page(m.sign_in_page_done(), m.sign_in_page_done_text()))
  return reply.send(
    error === 'access_denied'
      ? page(m.sign_in_page_not_signed_in(), m.sign_in_page_declined())
      : page(m.sign_in_page_not_signed_in(), m.sign_in_page_failed()),
  )
}

function portOf(state: string | undefined): number | undefined {
  const port = Number(LOOPBACK_STATE.exec(state ?? '')?.[1])
  return port >= FIRST_PORT && port <= LAST_PORT ? port : undefined
}

/** Ignores repeated, empty and overlong parameters. */
function queryTexts(query: unknown): { code?: string; state?: string; error?: string } {
  const texts = Object.entries(query as Record<string, unknown>).filter(
    ([, value]) => typeof value === 'string' && value !== '' && value.length <= MAX_CHARACTERS,
  )
  return Object.fromEntries(texts) as Record<string, string>
}

const pageOf = (brand: string, title: string, text: string) =>
  `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · ${escapeHtml(brand)}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`

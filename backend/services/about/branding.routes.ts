/** The files of the operator's brand, on the panel's listener. They are public, as every visitor's browser loads them. */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_BRAND } from '#contract/public-site/brand.ts'
import { accentStyles } from '#backend/platform/branding/accent.ts'
import { LOGO_PATH, MANIFEST_PATH, STYLES_PATH, brandOf } from '#backend/platform/branding/brand.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'
import { NOT_A_PAGE } from '#backend/platform/http/pages.ts'
import type { LogoLoader } from './logo-loader.ts'

const HOUR = 'public, max-age=3600'
const YEAR = 'public, max-age=31536000, immutable'

export function serveBranding(panel: FastifyInstance, { env }: Pick<Deps, 'env'>, logoLoader: Pick<LogoLoader, 'logo'>): void {
  const { name, logoUrl, manifestUrl } = brandOf(env)
  const { BRAND_ACCENT: accent } = env

  if (accent !== undefined) {
    const file = { type: 'text/css; charset=utf-8', body: accentStyles(accent), cacheControl: YEAR }
    panel.get(STYLES_PATH, (request, reply) => sendFile(request, reply, file))
  }

  if (manifestUrl === MANIFEST_PATH) {
    const icons = logoUrl === undefined ? PRODUCT_ICONS : [{ src: logoUrl, sizes: 'any' }]
    const body = JSON.stringify({ id: '/', name, start_url: '/', display: 'minimal-ui', ...COLOURS, icons })
    const file = { type: 'application/manifest+json; charset=utf-8', body, cacheControl: HOUR }
    panel.get(MANIFEST_PATH, (request, reply) => sendFile(request, reply, file))
  }

  if (logoUrl !== undefined) {
    panel.get(LOGO_PATH, (request, reply) => {
      const { logo } = logoLoader
      if (logo === undefined) return reply.header('cache-control', 'no-store').redirect(DEFAULT_BRAND.iconUrl, 302)
      return sendFile(request, reply, { type: logo.type, body: logo.bytes, cacheControl: HOUR })
    })
  }
}

/** As in web/public/manifest.webmanifest. */
const COLOURS = { background_color: '#0b0c0f', theme_color: '#0b0c0f' }
const PRODUCT_ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: '/icon-512-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

interface BrandFile {
  readonly type: string
  readonly body: string | Buffer
  readonly cacheControl: string
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, body, cacheControl }: BrandFile): FastifyReply {
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  reply.headers({
    'cache-control': cacheControl,
    // An SVG that is opened as a page runs nothing.
    'content-security-policy': type.startsWith('image/') ? `${NOT_A_PAGE}; style-src 'unsafe-inline'; sandbox` : NOT_A_PAGE,
    etag,
  })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}

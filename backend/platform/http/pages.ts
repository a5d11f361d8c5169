/** Serves the built panel: two HTML entries and immutable assets, compressed at build time. */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export const WEB_FOLDER = join(import.meta.dirname, '../../../dist/web')

export type Pages = ReturnType<typeof openPages>

/** Throws a readable error if the pages are not built. */
export function openPages(folder = WEB_FOLDER) {
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('The panel is not built yet. Run `npm run build` first (`npm start` does that automatically).')
  const panel = readPage(join(folder, 'index.html'))
  const login = readPage(join(folder, 'login.html'))
  return {
    /** CSP sources of the pages' inline scripts, which set the theme before the first paint. */
    scriptHashes: [...new Set([panel, login].flatMap((page) => hashesOf(page.html)))],
    async serve(app: FastifyInstance) {
      await app.register(fastifyStatic, {
        root: join(folder, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        index: false,
        decorateReply: false,
        // The page's policy governs what it loads. Its 700 bytes would weigh as much as a small script.
        setHeaders: (reply) => void reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'"),
      })
    },
    pageFor: (request: FastifyRequest) => (/^\/login(\/|\?|$)/.test(request.url) ? login : panel),
  }
}

function readPage(path: string) {
  const html = readFileSync(path, 'utf8')
  return { html, etag: `"${hash('sha256', html, 'base64url').slice(0, 22)}"` }
}

function hashesOf(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`,
  )
}

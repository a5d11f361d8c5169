/**
 * Serves the built panel: two HTML entries in each language, and immutable assets that are compressed at build time. Also serves the
 * package `@muster/announce`, in the version that fits this list.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import type { Env } from '#backend/platform/env.ts'
import { languageOf } from './accept-language.ts'

export const WEB_FOLDER = join(import.meta.dirname, '../../../dist/web')
/** The panel's code that renders pages in the backend, for each language. */
export const RENDER_FOLDER = join(import.meta.dirname, '../../../dist/render')

/** The policy of API replies and assets. The 700 bytes of the pages' policy would weigh as much as a small script. */
export const NOT_A_PAGE = "default-src 'none'; frame-ancestors 'none'"

/** Where the page is drawn. */
const APP = '<div id="app"'

/** Links to the public pages. */
const PUBLIC_LINKS = /<a href="\/browse"[^>]*>[^<]*<\/a>/g

/** Files that browsers and phones request by their name. */
const WELL_KNOWN_FILES = ['favicon.ico', 'apple-touch-icon.png', 'manifest.webmanifest']

export type Pages = ReturnType<typeof openPages>
export type Page = ReturnType<typeof readPage>

/**
 * Throws a readable error if the pages are not built. The login page names no provider with the local one. Without the public site,
 * no page links to it.
 */
export function openPages({ usesLocalIdentity, PUBLIC_SITE }: Pick<Env, 'usesLocalIdentity' | 'PUBLIC_SITE'>, folder = WEB_FOLDER) {
  if (!existsSync(join(folder, DEFAULT_LANGUAGE, 'index.html')) || !existsSync(RENDER_FOLDER))
    throw new Error('The panel is not built yet. Run `npm run build` first (`npm start` does that automatically).')
  const withLinks = (html: string) => (PUBLIC_SITE ? html : html.replaceAll(PUBLIC_LINKS, ''))
  const read = (name: string, change = (html: string) => html) =>
    new Map(
      PANEL_LANGUAGES.map((language) => [language, readPage(join(folder, language, name), language, (html) => change(withLinks(html)))]),
    )
  const panel = read('index.html')
  // Built once: it has no text of its own.
  const publicSite = readFileSync(join(folder, 'public-site.html'), 'utf8')
  const login = read('login.html', (html) => (usesLocalIdentity ? html.replace(APP, `${APP} data-local-sign-in`) : html))
  return {
    /** CSP sources of the pages' inline scripts, which set the theme before the first paint. */
    scriptHashes: [...new Set([...[...panel.values(), ...login.values()].map(({ html }) => html), publicSite].flatMap(hashesOf))],
    async serve(app: FastifyInstance) {
      const setHeaders = (reply: FastifyReply) => void reply.header('content-security-policy', NOT_A_PAGE)
      await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, index: false, setHeaders })
      app.get('/announce.tgz', (_request, reply) => reply.sendFile('announce.tgz'))
      for (const name of WELL_KNOWN_FILES) app.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge: '1d' }))
      // The plugin's own route would read the whole folder for each request, to compare the file name's case.
      const assets = new Set(readdirSync(join(folder, 'assets')))
      app.get<{ Params: { name: string } }>('/assets/:name', ({ params: { name } }, reply) => {
        return assets.has(name) ? reply.sendFile(`assets/${name}`, { immutable: true, maxAge: '365d' }) : reply.callNotFound()
      })
    },
    /** @param path decoded, without the first slash. */
    pageFor(path: string, request: FastifyRequest) {
      const pages = /^login(\/|$)/.test(path) ? login : panel
      return pages.get(pageLanguageOf(request))
    },
  }
}

/** The language that the visitor has chosen in the panel, or the browser's. */
export function pageLanguageOf({ cookies, headers }: FastifyRequest): Language {
  return PANEL_LANGUAGES.find((language) => language === cookies['muster_language']) ?? languageOf(headers['accept-language'])
}

function readPage(path: string, language: Language, change: (html: string) => string) {
  const html = change(readFileSync(path, 'utf8'))
  return { html, language, etag: `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"` }
}

function hashesOf(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`,
  )
}

/** Serves the built panel: one HTML page for all its paths, and files. Their names in `assets/` have a hash, so they never change. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { languageOf } from './accept-language.ts'

export const WEB_FOLDER = join(import.meta.dirname, '../../../dist/web')

/** The policy of API replies and files. The 700 bytes of the page's policy would weigh as much as a small script. */
export const NOT_A_PAGE = "default-src 'none'; frame-ancestors 'none'"

const LOGIN_CALLS = ['/api/about']
const MEMBER_CALLS = ['/api/auth/me', '/api/users/tokens', '/api/about']

/** A file in Vite's manifest. */
interface BuiltFile {
  readonly file: string
  readonly name?: string
  /** The names of the files that it needs. */
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

export type Pages = ReturnType<typeof openPages>

/** Throws a readable error if the panel is not built. */
export function openPages(folder = WEB_FOLDER) {
  const path = join(folder, 'index.html')
  if (!existsSync(path)) {
    throw new Error('The panel is not built yet. Run `npm run build` first (`npm start` does that automatically).')
  }
  const html = readFileSync(path, 'utf8')
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, BuiltFile>
  const filesOf = (name: string): string[] => [...(manifest[name]?.imports ?? []).flatMap(filesOf), manifest[name]?.file ?? '']
  const panel = Object.keys(manifest).find((name) => manifest[name]?.name === 'panel') ?? ''
  return {
    html,
    /**
     * The `Link` header of the page: what its first view needs, so that all of it loads at once. The spinner needs the theme and styles, so
     * they are first, and the code is the most bytes. The page itself decides which language it has.
     */
    linksOf(path: string, language: Language): string {
      const isLogin = /^login(\/|$)/.test(path)
      const names = [panel, ...(isLogin ? [] : ['pages/member-pages.ts']), `../.cache/texts/${language}.js`]
      const files = new Set(names.flatMap(filesOf))
      return [
        '</theme.js>; rel=preload; as=script',
        ...(manifest[panel]?.css ?? []).map((file) => `</${file}>; rel=preload; as=style; crossorigin`),
        ...[...files].map((file) => `</${file}>; rel=modulepreload`),
        ...(isLogin ? LOGIN_CALLS : MEMBER_CALLS).map((call) => `<${call}>; rel=preload; as=fetch; crossorigin`),
      ].join(', ')
    },
    async serve(app: FastifyInstance) {
      await app.register(fastifyStatic, {
        root: folder,
        preCompressed: true,
        index: false,
        // Routes for the files that are there now. Other paths are pages.
        wildcard: false,
        cacheControl: false,
        setHeaders: (reply, path) => {
          const maxAge = path.includes('/assets/') ? '31536000, immutable' : path.endsWith('.tgz') ? '0' : '86400'
          reply.headers({ 'content-security-policy': NOT_A_PAGE, 'cache-control': `public, max-age=${maxAge}` })
        },
      })
    },
  }
}

/** The language of a public page: what the visitor has chosen, or the browser's. The panel chooses in the browser (web/lib/language.ts). */
export function pageLanguageOf({ cookies, headers }: FastifyRequest): Language {
  return PANEL_LANGUAGES.find((language) => language === cookies['muster_language']) ?? languageOf(headers['accept-language'])
}

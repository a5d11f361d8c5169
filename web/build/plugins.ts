import { readFileSync } from 'node:fs'
import { minifySync, type Plugin } from 'vite'
import type { Language } from '#contract/text/panel-languages.ts'
import { PANEL, textsOf } from './messages.ts'

/** Inlines `<!-- inline: path -->` scripts, which run before the first paint. The backend allows each by its hash. */
export function inlineScripts(root: string): Plugin {
  return {
    name: 'muster:inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replaceAll(/<!-- inline: (\S+) -->/g, (_, path: string) => inlineScript(root + path)),
    },
  }
}

/** An inline script from this file, minified. */
export function inlineScript(path: string): string {
  return `<script>${minifySync(path, readFileSync(path, 'utf8')).code.trim()}</script>`
}

/** Sets the language of the HTML pages, and their texts: `%m.key%` is a message without inputs. */
export function pageTexts(language: Language): Plugin {
  const texts = textsOf(PANEL, language)
  return {
    name: 'muster:page-texts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replaceAll('%language%', language).replaceAll(/%m\.(\w+)%/g, (_, key: string) => {
          const text = texts[key]
          if (typeof text !== 'string') throw new Error(`no message ${key}`)
          return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
        }),
    },
  }
}

/** Serves the login page at `/login` and below it in development, as the backend does in production. */
export function loginRoute(): Plugin {
  return {
    name: 'muster:login-route',
    configureServer(server) {
      server.middlewares.use((request, _reply, next) => {
        if (/^\/login(?:[/?]|$)/.test(request.url ?? '')) request.url = '/login.html'
        next()
      })
    },
  }
}

/** Preloads the text font. The browser would find it only in the style sheet, one round trip later. */
export function fontPreload(): Plugin {
  return {
    name: 'muster:font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (filename.endsWith('login.html')) return []
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-(?!ext).*\.woff2$/.test(name))
        if (font === undefined) return []
        return [
          { tag: 'link', attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true }, injectTo: 'head' },
        ]
      },
    },
  }
}

/** Replaces Vite's preload helper with `lib/http/vite-preload.ts`. Both together are too large for the first page. */
export function fetchBeforeImport(root: string): Plugin {
  return {
    name: 'muster:fetch-before-import',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes('__vitePreload')) this.error('unexpected preload helper: Vite may have changed it')
        return { code: `export { fetchThenImport as __vitePreload } from '${root}lib/http/vite-preload.ts'`, map: null }
      },
    },
  }
}

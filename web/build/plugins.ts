import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Inlines `<!-- inline: path -->` scripts, which run before the first paint. The backend allows each by its hash. */
export function inlineScripts(root: string): Plugin {
  return {
    name: 'muster:inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replaceAll(/<!-- inline: (\S+) -->/g, (_, path: string) => `<script>${squeeze(readFileSync(root + path, 'utf8'))}</script>`),
    },
  }
}

function squeeze(script: string): string {
  return script
    .replaceAll(/^\s*(\/\/.*|\/?\*.*)$/gm, '')
    .replaceAll(/\n\s*/g, '\n')
    .trim()
}

/** In development, too, `/login` and what lies under it are the login page. */
export function loginAddress(): Plugin {
  return {
    name: 'muster:login-address',
    configureServer(server) {
      server.middlewares.use((request, _reply, next) => {
        if (/^\/login(?:[/?]|$)/.test(request.url ?? '')) request.url = '/login.html'
        next()
      })
    },
  }
}

/** Asks for the text face early: it is named only inside the style sheet, which is one round trip later. */
export function fontPreload(): Plugin {
  return {
    name: 'muster:font-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, filename }) {
        if (filename.endsWith('login.html')) return []
        const face = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (face === undefined) return []
        return [
          { tag: 'link', attrs: { rel: 'preload', href: `/${face}`, as: 'font', type: 'font/woff2', crossorigin: true }, injectTo: 'head' },
        ]
      },
    },
  }
}

/** Puts `lib/vite-preload.ts` in place of Vite's own preload helper: both together are too heavy for the first page. */
export function fetchBeforeImport(root: string): Plugin {
  return {
    name: 'muster:fetch-before-import',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes('__vitePreload')) this.error('the preload helper is not what this transform expects')
        return { code: `export { fetchThenImport as __vitePreload } from '${root}lib/vite-preload.ts'`, map: null }
      },
    },
  }
}

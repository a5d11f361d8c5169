/** The few things that Vite does not do by itself for this product. */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/**
 * Puts `<!-- inline: path -->` scripts into the page. They run before the first paint, so they can't be files; the
 * backend finds them in the built page and allows each by its hash.
 */
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

/** Takes comments and indentation out of a short script. */
function squeeze(script: string): string {
  return script
    .replaceAll(/^\s*(\/\/.*|\/?\*.*)$/gm, '')
    .replaceAll(/\n\s*/g, '\n')
    .trim()
}

/** In development `/login` and what lies under it are the login page, as the backend has it in production. */
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

/**
 * Keeps sonner from writing a style element, which the content security policy forbids: its style sheet comes with the build.
 * It has neither an entry without styles nor a nonce, and a hash would have to be taken from the same line of its code.
 */
export function withoutInjectedStyles(): Plugin {
  return {
    name: 'muster:without-injected-styles',
    transform: {
      filter: { id: /sonner[\\/]dist[\\/]index\.mjs/ },
      handler(code) {
        const without = code.replace(/^__insertCSS\(.*\);?$/m, '')
        if (without === code) this.error('sonner no longer injects its styles the way this transform expects')
        return { code: without, map: null }
      },
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

/**
 * Fetches the files of a part before they are imported, so that what fails can be asked for again.
 * Chromium remembers a failed import for as long as the page lives; it goes once that follows https://github.com/whatwg/html/pull/10327.
 */
export function fetchBeforeImport(): Plugin {
  return {
    name: 'muster:fetch-before-import',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        const own = code.replace('export const __vitePreload', 'const vitePreload')
        if (own === code) this.error('the preload helper is not what this transform expects')
        return { code: own + FETCH_FIRST, map: null }
      },
    },
  }
}

/** What was imported before has a link in the page, set by Vite's own helper. */
const FETCH_FIRST = `
async function fetchFile(file) {
  if (document.querySelector('link[href="/' + file + '"], script[src="/' + file + '"]')) return
  const reply = await fetch('/' + file)
  if (!reply.ok) throw new TypeError('Failed to fetch ' + file)
  await reply.arrayBuffer()
}
export async function __vitePreload(load, files = [], importer) {
  try {
    await Promise.all(files.map(fetchFile))
  } catch (error) {
    return await vitePreload(() => Promise.reject(error), [], importer)
  }
  return await vitePreload(load, files, importer)
}
`

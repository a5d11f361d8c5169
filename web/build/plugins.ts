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
 * Vite's preload helper, but each file of a part is fetched before it is imported: what fails can be asked for again.
 * Chromium remembers a failed import for as long as the page lives. This goes once it follows https://github.com/whatwg/html/pull/10327.
 * It stands in place of Vite's own helper because both together are too heavy for the first page.
 */
export function fetchBeforeImport(): Plugin {
  return {
    name: 'muster:fetch-before-import',
    apply: 'build',
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes('__vitePreload')) this.error('the preload helper is not what this transform expects')
        return { code: FETCH_FIRST, map: null }
      },
    },
  }
}

const FETCH_FIRST = `
const files = new Map()
async function fetchFile(url) {
  if (document.querySelector('link[href="' + url + '"], script[src="' + url + '"]')) return
  const reply = await fetch(url)
  if (!reply.ok) throw new TypeError('Failed to fetch ' + url)
  await reply.arrayBuffer()
  if (!url.endsWith('.css')) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })
  document.head.append(link)
  await new Promise((resolve) => { link.onload = link.onerror = resolve })
}
function fetchOnce(file) {
  if (!files.has(file)) files.set(file, fetchFile('/' + file).catch((error) => { files.delete(file); throw error }))
  return files.get(file)
}
export async function __vitePreload(load, needed = []) {
  try {
    await Promise.all(needed.map(fetchOnce))
    return await load()
  } catch (payload) {
    const event = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload })
    dispatchEvent(event)
    if (!event.defaultPrevented) throw payload
  }
}
`

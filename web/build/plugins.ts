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
 * Sonner writes its styles into a style element when it is imported, which the content security policy forbids.
 * The same styles come from its own file through the build instead.
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
 * A browser that could not fetch a module once says so for as long as the page lives (Chromium does), also when the backend is back.
 * So the files of a part are fetched before they are imported: what fails then can be asked for again. They come from the browser's
 * own cache the second time. Otherwise this is what Vite has there: the same event, the same error.
 */
export function fetchedBeforeImported(): Plugin {
  let replaced = false
  return {
    name: 'muster:fetched-before-imported',
    apply: 'build',
    buildStart() {
      replaced = false
    },
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler(code) {
        if (!code.includes('__vitePreload')) this.error('the preload helper is not what this transform expects')
        replaced = true
        return { code: PRELOAD, map: null }
      },
    },
    // Under another name the helper would pass the filter by, and nobody would hear of it.
    generateBundle(_options, bundle) {
      const hasParts = Object.values(bundle).some((file) => file.type === 'chunk' && file.dynamicImports.length > 0)
      if (hasParts && !replaced) this.error('the preload helper has not come by: it is not where this transform expects it')
    },
  }
}

const PRELOAD = `
const begun = new Map()
async function fetched(url) {
  const reply = await fetch(url)
  if (!reply.ok) throw new TypeError('Failed to fetch ' + url)
  await reply.arrayBuffer()
}
function styled(url) {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = url
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('Unable to preload CSS for ' + url))
    }
    document.head.append(link)
  })
}
function ready(file) {
  const url = '/' + file
  if (!begun.has(url)) {
    const there = document.querySelector('link[href="' + url + '"], script[src="' + url + '"]')
    const done = there ? Promise.resolve() : url.endsWith('.css') ? styled(url) : fetched(url)
    begun.set(url, done)
    done.catch(() => begun.delete(url))
  }
  return begun.get(url)
}
export async function __vitePreload(load, files = []) {
  try {
    await Promise.all(files.map(ready))
    return await load()
  } catch (error) {
    const event = new Event('vite:preloadError', { cancelable: true })
    event.payload = error
    dispatchEvent(event)
    if (!event.defaultPrevented) throw error
  }
}
`

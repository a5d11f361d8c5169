/** The servers page of signed-in users, rendered here so that it shows before its scripts have loaded. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#contract/text/panel-languages.ts'
import { type Page, RENDER_FOLDER } from './pages.ts'

/** If it takes longer, the browser renders the page, and shows that it waits. */
const MAX_WAIT_MS = 2000

/** See web/panel-render.tsx. */
interface Renderer {
  renderPanel: (
    request: Pick<FastifyRequest, 'url' | 'cookies'>,
    get: (path: string) => Promise<string | undefined>,
  ) => Promise<RenderedPage | undefined>
}

interface RenderedPage {
  readonly html: string
  readonly replies: Readonly<Record<string, string>>
}

/** Node caches the module. */
const rendererOf = async (language: Language) => (await import(pathToFileURL(join(RENDER_FOLDER, language, 'panel.mjs')).href)) as Renderer

/**
 * Renders a page with the replies of the API that it shows. The browser takes them from the HTML instead of requesting them. The cookies
 * of these replies become the page's own.
 * @returns undefined if the browser must render the page: signed out, not the servers page, or a call that fails or takes too long
 */
export async function renderFirstPage(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<string | undefined> {
  const { method, socket } = request
  // A closed connection has no address.
  const { remoteAddress } = socket
  if (method !== 'GET' || request.headers.cookie === undefined || remoteAddress === undefined) return undefined
  const { renderPanel } = await rendererOf(page.language)
  let timedOut = false
  const limit = sleep(MAX_WAIT_MS, undefined, { ref: false }).then(() => {
    timedOut = true
  })
  const { 'accept-encoding': _, ...headers } = request.headers
  const get = async (url: string) => {
    const received = await app.inject({ url, headers: { ...headers, 'accept-language': page.language }, remoteAddress })
    if (timedOut || socket.destroyed || received.statusCode !== 200) return undefined
    const cookies = received.headers['set-cookie']
    // Each renews the same session.
    if (cookies !== undefined && !reply.hasHeader('set-cookie')) reply.header('set-cookie', cookies)
    return received.body
  }
  const rendered = await Promise.race([renderPanel(request, get), limit])
  return rendered ? withContent(page.html, rendered) : undefined
}

function withContent(page: string, { html, replies }: RenderedPage): string {
  const data = Object.entries(replies).map(([path, body]) => `${JSON.stringify(path)}:${body}`)
  const json = escapeScript(`{${data.join(',')}}`)
  const script = `<script type="application/json" id="replies" data-date="${new Date().toUTCString()}">${json}</script>`
  return (
    page
      .replace('<script>', () => `${script}<script>`)
      // load-scripts.js enables them after the first paint.
      .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" media="not all"')
      // It does not react yet, so it takes no focus and no clicks.
      .replace(/(<div id="app">).*(<\/div>\s*<\/body>)/s, (_, start: string, end: string) => `${start}<div inert>${html}</div>${end}`)
  )
}

/** So that no text ends the script. */
const escapeScript = (json: string) => json.replaceAll('<', String.raw`\u003c`)

/** The first page of signed-in users, rendered here so that it shows before its scripts have loaded. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Language } from '#contract/panel-languages.ts'
import type { Page } from './pages.ts'

/** The panel's code for Node, a module for each language. */
const FOLDER = join(import.meta.dirname, '../../../dist/render')
/** If it takes longer, the browser renders the page, and shows that it waits. */
const MAX_WAIT_MS = 1000

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

const rendererOf = async (language: Language) =>
  // Node keeps the module.
  (await import(pathToFileURL(join(FOLDER, language, 'panel.mjs')).href)) as Renderer

/**
 * Renders a page with the replies of the API that it shows. The page takes them from its HTML instead of requesting them.
 * @returns undefined if the browser must render it: signed out, not the first page, or a call that fails or takes too long
 */
export async function renderFirstPage(app: FastifyInstance, request: FastifyRequest, page: Page): Promise<string | undefined> {
  if (request.headers.cookie === undefined || !isNavigation(request)) return undefined
  const { renderPanel } = await rendererOf(page.language)
  const rendering = renderPanel(request, (path) => getAs(request, app, path, page.language))
  const rendered = await Promise.race([rendering, sleep(MAX_WAIT_MS, undefined, { ref: false })])
  return rendered && withContent(page.html, rendered)
}

/** Not the panel's own check for a new version. */
const isNavigation = ({ headers: { 'sec-fetch-dest': destination = 'document' } }: FastifyRequest) => destination === 'document'

/** The body of a successful reply. */
async function getAs(request: FastifyRequest, app: FastifyInstance, url: string, language: Language): Promise<string | undefined> {
  const { 'accept-encoding': _, ...headers } = request.headers
  const remoteAddress = request.socket.remoteAddress ?? ''
  const reply = await app.inject({ url, headers: { ...headers, 'accept-language': language }, remoteAddress })
  return reply.statusCode === 200 ? reply.body : undefined
}

function withContent(page: string, { html, replies }: RenderedPage): string {
  const data = Object.entries(replies).map(([path, reply]) => `${JSON.stringify(path)}:${reply}`)
  const script = `<script type="application/json" id="replies">${escapeScript(`{${data.join(',')}}`)}</script>`
  return (
    page
      .replace('<script>', () => `${script}<script>`)
      // It does not react yet, so it takes no focus and no clicks.
      .replace(/(<div id="app">).*(<\/div>\s*<\/body>)/s, (_, start: string, end: string) => `${start}<div inert>${html}</div>${end}`)
  )
}

/** So that no text ends the script. */
const escapeScript = (json: string) => json.replaceAll('<', String.raw`\u003c`)

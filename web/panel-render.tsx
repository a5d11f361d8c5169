/** Renders the servers page outside of a browser, so that it shows before its scripts have loaded. */
import { type QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { DENSITY_COOKIE } from '#web/features/servers/list/list-state.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/http/query-client.ts'
import { createPanelRouter } from './routes.tsx'

/** The part of a request that the page depends on. */
interface PageRequest {
  /** Path and query. */
  readonly url: string
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** Larger pages take so long to render and to send that little is gained. */
const MAX_SERVERS = 30

export interface RenderedPage {
  readonly html: string
  /** The replies that it shows, by their path. */
  readonly replies: Readonly<Record<string, string>>
}

/**
 * @param get the reply of a call by the same user; undefined if it fails
 * @returns undefined if the browser must render the page: another page or address, a failed call, or many servers
 */
export async function renderPanel(
  { url, cookies }: PageRequest,
  get: (path: string) => Promise<string | undefined>,
): Promise<RenderedPage | undefined> {
  if (!/^\/(servers)?(\?|$)/.test(url)) return undefined
  const client = createQueryClient(() => {})
  const replies: Record<string, string> = {}
  const load = async <K extends QueryKey>({ queryKey }: { readonly queryKey: K }, path: string): Promise<boolean> => {
    const reply = await get(path)
    if (reply === undefined) return false
    replies[path] = reply
    client.setQueryData<unknown>(queryKey, (JSON.parse(reply) as { data: unknown }).data)
    return true
  }
  await load(meOptions, '/api/auth/me')
  const me = client.getQueryData(meOptions.queryKey)
  if (me === undefined) return undefined
  const loads = [
    load(aboutOptions, '/api/about'),
    load(serverListOptions, '/api/users/tokens'),
    load(issuesOfUserOptions(me.id), `/api/users/${me.id}/protection-issues`),
  ]
  const areLoaded = (await Promise.all(loads)).every(Boolean)
  const { owned = [], management = [] } = client.getQueryData(serverListOptions.queryKey) ?? {}
  if (!areLoaded || owned.length + management.length > MAX_SERVERS) return undefined
  const html = await renderPage(client, withDensity(url, cookies[DENSITY_COOKIE]))
  return html === undefined ? undefined : { html, replies }
}

/** In the browser, the cookie counts too. */
function withDensity(url: string, density: string | undefined): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  if (density === 'compact' && !searchParams.has('view')) searchParams.set('view', density)
  return `${pathname}?${searchParams.toString()}`
}

async function renderPage(client: QueryClient, url: string): Promise<string | undefined> {
  const router = createPanelRouter(client, createMemoryHistory({ initialEntries: [url] }))
  await router.load()
  // The router would redirect to the canonical address.
  if (router.state.matches.length === 0) return undefined
  const html = renderToString(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  // React's mark of a part that threw an error.
  if (html.includes('<!--$!-->')) throw new Error('a part of the servers page was not rendered')
  return html
}

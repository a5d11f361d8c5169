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
import { createQueryClient } from '#web/lib/query-client.ts'
import { createPanelRouter } from './routes.tsx'

/** The part of a request that the page depends on. */
interface PageRequest {
  /** Path and query. */
  readonly url: string
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** Above this, the list measures the window. */
const MAX_SERVERS = 100

export interface RenderedPage {
  readonly html: string
  /** The replies that it shows, by their path. */
  readonly replies: Readonly<Record<string, string>>
}

/**
 * @param get the reply of a call by the same user; undefined if it fails
 * @returns undefined if the browser must render the page: not the servers page, a failed call, or very many servers
 */
export async function renderPanel(
  { url, cookies }: PageRequest,
  get: (path: string) => Promise<string | undefined>,
): Promise<RenderedPage | undefined> {
  if (!/^\/(servers)?(\?|$)/.test(url)) return undefined
  const client = createQueryClient(() => {})
  const replies: Record<string, string> = {}
  const load = async <K extends QueryKey>({ queryKey }: { readonly queryKey: K }, path: string) => {
    const reply = await get(path)
    if (reply === undefined) return
    replies[path] = reply
    client.setQueryData<unknown>(queryKey, (JSON.parse(reply) as { data: unknown }).data)
  }
  await Promise.all([load(meOptions, '/api/auth/me'), load(aboutOptions, '/api/about'), load(serverListOptions, '/api/users/tokens')])
  const me = client.getQueryData(meOptions.queryKey)
  const list = client.getQueryData(serverListOptions.queryKey)
  if (!me || !list || list.owned.length + list.management.length > MAX_SERVERS) return undefined
  const issues = issuesOfUserOptions(me.id)
  await load(issues, `/api/users/${me.id}/protection-issues`)
  if (!client.getQueryData(issues.queryKey)) return undefined
  return { html: await renderPage(client, withDensity(url, cookies[DENSITY_COOKIE])), replies }
}

/** In the browser, the cookie counts too. */
function withDensity(url: string, density: string | undefined): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  if (density === 'compact' && !searchParams.has('view')) searchParams.set('view', density)
  return `${pathname}?${searchParams.toString()}`
}

async function renderPage(client: QueryClient, url: string): Promise<string> {
  const router = createPanelRouter(client, createMemoryHistory({ initialEntries: [url] }))
  await router.load()
  return renderToString(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

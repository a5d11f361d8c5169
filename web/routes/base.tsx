/** The root route, the guard for signed-in users, and helpers for the other routes. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Me } from '#contract/users/users.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { requireMember } from '#web/features/session/session.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { NotFoundPage, WholePageError, RootLayout } from '#web/shell/error-page.tsx'

/** The frame of all pages for signed-in users. The backend's `Link` header makes the browser load it early. */
export const memberPages = () => import('#web/pages/member-pages.ts')

export interface RouterContext {
  queryClient: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  errorComponent: WholePageError,
  notFoundComponent: NotFoundPage,
})

/** Requires a signed-in user. `MemberLayout` shows restricted accounts their own page instead of a child route. */
export const memberRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  component: lazyRouteComponent(memberPages, 'MemberLayout'),
  beforeLoad: async ({ context }) => {
    // Its data does not wait for the account.
    void loadRail(context.queryClient)
    const account = await requireMember(context.queryClient)
    // Arriving after the page of a restricted account, the address for appeals would move the text. Without it, the page still works.
    if (account.restricted) await context.queryClient.ensureQueryData(aboutOptions).catch(() => {})
    return account
  },
  loader: unlessRestricted(({ context }) => loadRail(context.queryClient)),
  shouldReload: false,
  errorComponent: WholePageError,
})

/** Arriving after the page, these would move the rail's entries. Without them, the page still works. */
async function loadRail(client: QueryClient): Promise<void> {
  await Promise.allSettled([client.ensureQueryData(serverListOptions), client.ensureQueryData(aboutOptions)])
}

export interface LoaderArgs<P> {
  context: RouterContext & { me: Me; restricted: boolean }
  params: P
}

/** Skips the loader for an account that is banned or pending deletion, because the backend rejects its calls. */
export function unlessRestricted<P>(load: (args: LoaderArgs<P>) => Promise<unknown> | undefined) {
  return (args: LoaderArgs<P>) => (args.context.restricted ? undefined : load(args))
}

/** Does not delay the navigation. The component shows the loading state or the error. */
export function inBackground(data: Promise<unknown>): undefined {
  data.catch(() => {})
}

export const loadServerList = unlessRestricted(({ context }) => context.queryClient.ensureQueryData(serverListOptions))

export const nonEmptyText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Always includes the key. Without it, the router would keep an invalid value from the URL. */
export function searchParam<K extends string, V>(key: K, value: V | undefined): { [N in K]?: V | undefined } {
  return { [key]: value } as { [N in K]?: V | undefined }
}

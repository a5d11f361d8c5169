import type { QueryClient } from '@tanstack/react-query'
import { createRouter, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/url/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PageSkeleton } from '#web/shell/page-skeletons.tsx'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { LoginPage } from '#web/pages/login/login-page.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { memberRoute, rootRoute } from './routes/base.tsx'
import { userRoutes } from './routes/user.tsx'

const pages = () => import('#web/pages/login/login-callback-page.tsx')

/** Without the reply, the page still works. */
const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  loader: ({ context }) => context.queryClient.ensureQueryData(aboutOptions).catch(() => {}),
  component: LoginPage,
})

/** The identity provider returns to it. The spinner of index.html shows while it signs in. */
const loginCallback = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/discord/callback',
  loader: async () => (await pages()).completeSignIn(),
  component: lazyRouteComponent(pages, 'LoginCallbackPage'),
})

const routeTree = rootRoute.addChildren([login, loginCallback, memberRoute.addChildren([...userRoutes, adminRoutes])])

export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    // A skeleton that shows only briefly would flicker.
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    scrollRestoration: true,
    // The part of the frame that scrolls.
    scrollToTopSelectors: ['#main'],
    defaultPreload: 'intent',
    // The query cache decides what is stale.
    defaultPreloadStaleTime: 0,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}

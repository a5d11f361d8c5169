import type { QueryClient } from '@tanstack/react-query'
import { createRouter, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/url/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PageSkeleton } from '#web/shell/page-skeletons.tsx'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { providersOptions } from '#web/features/session/providers.api.ts'
import { LoginPage } from '#web/pages/login/login-page.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { memberRoute, rootRoute } from './routes/base.tsx'
import { userRoutes } from './routes/user.tsx'

const pages = () => import('#web/pages/login/login-callback-page.tsx')

/** Without the replies, the page still works. */
const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  loader: ({ context: { queryClient } }) =>
    Promise.allSettled([queryClient.ensureQueryData(aboutOptions), queryClient.ensureQueryData(providersOptions)]),
  component: LoginPage,
})

/** The identity provider returns to it. The spinner of index.html shows while it signs in. */
const loginCallback = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/$provider/callback',
  loader: async ({ params }) => (await pages()).completeSignIn(params.provider),
  component: lazyRouteComponent(pages, 'LoginCallbackPage'),
})

/** An administrator has made the link for a locked-out user. */
const recovery = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/recovery',
  component: lazyRouteComponent(() => import('#web/pages/login/recovery-page.tsx'), 'RecoveryPage'),
})

const routeTree = rootRoute.addChildren([login, loginCallback, recovery, memberRoute.addChildren([...userRoutes, adminRoutes])])

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

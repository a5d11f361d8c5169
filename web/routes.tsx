import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/url/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PageSkeleton } from '#web/shell/page-skeletons.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { memberRoute, rootRoute } from './routes/base.tsx'
import { loginRoutes } from './routes/login.tsx'
import { userRoutes } from './routes/user.tsx'

const routeTree = rootRoute.addChildren([...loginRoutes, memberRoute.addChildren([...userRoutes, adminRoutes])])

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

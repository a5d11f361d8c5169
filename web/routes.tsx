import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/url/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PageSkeleton } from '#web/shell/page-skeletons.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { memberRoute, rootRoute } from './routes/base.tsx'
import { userRoutes } from './routes/user.tsx'

const routeTree = rootRoute.addChildren([memberRoute.addChildren([...userRoutes, adminRoutes])])

/** @param history outside of a browser */
export function createPanelRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    // A skeleton that shows only briefly would flicker.
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
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

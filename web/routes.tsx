import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PageSkeleton } from '#web/shell/page-skeletons.tsx'
import { adminRoutes } from './routes/admin.tsx'
import { memberRoute, rootRoute } from './routes/base.tsx'
import { userRoutes } from './routes/user.tsx'

const routeTree = rootRoute.addChildren([memberRoute.addChildren([...userRoutes, adminRoutes])])

export function createPanelRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    // The first page is invisible until it is ready, so its frame renders while the data loads.
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPreload: 'intent',
    // The query cache decides what is stale.
    defaultPreloadStaleTime: 0,
  })
  const stop = router.subscribe('onResolved', () => {
    stop()
    // A skeleton that shows only briefly would flicker.
    router.update({ ...router.options, defaultPendingMs: 150, defaultPendingMinMs: 200 })
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}

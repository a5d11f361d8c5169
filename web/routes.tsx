import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from '#web/lib/search-params.ts'
import { ErrorPage, NotFoundPage } from '#web/shell/error-page.tsx'
import { PagePending } from '#web/shell/page-pending.tsx'
import { adminPages } from './routes/admin.tsx'
import { member, root } from './routes/base.tsx'
import { ownPages } from './routes/own.tsx'

const routeTree = root.addChildren([member.addChildren([...ownPages, adminPages])])

export function createPanelRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    defaultPreload: 'intent',
    // The query cache knows what is fresh.
    defaultPreloadStaleTime: 0,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}

/** The panel: router and query cache. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { handleForbidden } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/http/query-client.ts'
import { createPanelRouter } from './routes.tsx'

/** Shows the first page once its router is ready. */
export async function showPanel(): Promise<void> {
  const queryClient = createQueryClient((key) => handleForbidden(queryClient, key))
  const router = createPanelRouter(queryClient)
  // Repeats failed calls also in a tab that was hidden when it loaded.
  queryClient.mount()
  await router.load()
  const app = document.getElementById('app')
  if (app === null) throw new Error('index.html has no element for the panel')
  createRoot(app).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

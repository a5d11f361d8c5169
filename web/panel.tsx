import './panel.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { handleForbidden } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/http/query-client.ts'
import { reloadForNewVersion } from '#web/lib/http/new-version.ts'
import { createPanelRouter } from './routes.tsx'

reloadForNewVersion()

const queryClient = createQueryClient((key) => handleForbidden(queryClient, key))

/** Shows the panel once the page is complete. Until then, index.html shows that it loads, or the page as the backend rendered it. */
async function show(app: HTMLElement): Promise<void> {
  const router = createPanelRouter(queryClient)
  // Repeats failed calls also in a tab that was hidden when it loaded.
  queryClient.mount()
  await router.load()
  const root = createRoot(app)
  // A transition renders in small steps, so that it does not delay input.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

const app = document.getElementById('app')
if (app) void show(app)

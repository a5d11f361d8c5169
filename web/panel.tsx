import './panel.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { handleForbidden } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { reloadForNewVersion } from '#web/lib/new-version.ts'
import { createPanelRouter } from './routes.tsx'

reloadForNewVersion()

const queryClient = createQueryClient((key) => handleForbidden(queryClient, key))

const app = document.getElementById('app')
if (app) {
  createRoot(app).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createPanelRouter(queryClient)} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

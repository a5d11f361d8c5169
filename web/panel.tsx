/** The panel: everything but signing in. */
import './panel.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { goToLogin, meOptions } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { reloadForNewVersion } from '#web/lib/new-version.ts'
import { createPanelRouter } from '#web/routes.tsx'

reloadForNewVersion()

// A session may end while the panel is open: any 403 asks who is there, and when that is refused too, it has ended.
const queryClient = createQueryClient((key) => {
  if (key?.[0] === meOptions.queryKey[0]) return goToLogin()
  if (queryClient.getQueryData(meOptions.queryKey)) void queryClient.invalidateQueries({ queryKey: meOptions.queryKey })
})

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

/** The panel. Until its router is ready, index.html shows a spinner. */
import './panel.css'
// Follows the system's theme on every page.
import '#web/lib/theme.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { m } from '#messages'
import { handleForbidden } from '#web/features/session/session.api.ts'
import { createQueryClient } from '#web/lib/http/query-client.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { createPanelRouter } from './routes.tsx'

/** Later than this, a text would have moved: the font is for the next page (`font-display: optional` in ui/fonts.css). */
const FONT_WAIT_MS = 100

async function show(app: HTMLElement): Promise<void> {
  const queryClient = createQueryClient((key) => handleForbidden(queryClient, key))
  // Repeats failed calls also in a tab that was hidden when it loaded.
  queryClient.mount()
  const router = createPanelRouter(queryClient)
  // Browsers can be set to load no fonts.
  const font = document.fonts.load('16px Inter', m.login_intro()).catch(() => [])
  await Promise.all([router.load(), Promise.race([font, new Promise((resolve) => setTimeout(resolve, FONT_WAIT_MS))])])
  createRoot(app).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

document.documentElement.lang = pageLanguage
const app = document.getElementById('app')
// Not awaited: the pages that it loads import this module.
if (app) void show(app)

/** The login page. It shares little code with the panel, so it loads fast. */
import './login.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { call } from '#web/lib/http/call.ts'
import { withRetry } from '#web/lib/http/retry.ts'
import { storeNextPath, safePath, takeSignOutReason } from '#web/lib/url/next-path.ts'
import type { ShownList } from '#web/pages/login-list.tsx'
import { LoginPage } from '#web/pages/login-page.tsx'

async function signIn(): Promise<void> {
  storeNextPath(safePath(new URLSearchParams(location.search).get('next')))
  location.assign(await withRetry(() => call('GET /api/auth/discord')))
}

async function redirectIfSignedIn(): Promise<void> {
  const reply = await fetch('/api/auth/me')
  if (reply.ok) location.replace(safePath(new URLSearchParams(location.search).get('next')))
}

/** The backend removes the link without a public site. Development has none. */
const hasPublicSite = document.querySelector('a[href="/browse"]') !== null

function showList(show: (list: ShownList) => void): void {
  const summary = call('GET /api/public/list')
  summary.catch(() => {})
  import('#web/pages/login-list.tsx').then(({ watchList }) => watchList(summary, hasPublicSite, show)).catch(() => {})
}

/** Hydrates the prerendered page and repeats an earlier press of its button. */
function hydrate(app: HTMLElement, page: ReactNode): void {
  app.querySelector('button')?.removeAttribute('aria-disabled')
  hydrateRoot(app, page)
  delete app.dataset['prerendered']
  if (app.dataset['pressed'] === undefined) return
  app.querySelector('button')?.click()
  delete app.dataset['pressed']
}

/** Removes the prerendered page, which is hidden until then (shell/hide-incomplete.js). */
function clear(app: HTMLElement): void {
  app.replaceChildren()
  delete app.dataset['prerendered']
}

// Fonts must not delay the first paint. The fallback font has the same metrics.
import('#web/ui/fonts.css').catch(() => {})

const app = document.getElementById('app')
if (app && location.pathname.startsWith('/login/')) {
  clear(app)
  import('./login-callback.tsx').then(
    ({ showCallback }) => showCallback(app),
    () => location.replace('/login'),
  )
} else if (app) {
  void redirectIfSignedIn().catch(() => {})
  // In development, Vite serves the page without this attribute.
  if (import.meta.env.DEV) {
    void call('GET /api/about').then(({ local_identity: isLocal }) => {
      if (isLocal) app.dataset['localSignIn'] = ''
    })
  }
  const signOutReason = takeSignOutReason()
  const page = (
    <StrictMode>
      <LoginPage hasPublicSite={hasPublicSite} onShowList={showList} signOutReason={signOutReason} onSignIn={signIn} />
    </StrictMode>
  )
  if (app.dataset['prerendered'] !== undefined && signOutReason === undefined) hydrate(app, page)
  else {
    clear(app)
    createRoot(app).render(page)
  }
}

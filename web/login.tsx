/** The login page. It shares little code with the panel, so it loads fast. */
import './login.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { call } from '#web/lib/call.ts'
import { withRetry } from '#web/lib/retry.ts'
import { storeNextPath, safePath, takeSignOutReason } from '#web/lib/next-path.ts'
import { LoginPage } from '#web/pages/login-page.tsx'

async function signIn(): Promise<void> {
  storeNextPath(safePath(new URLSearchParams(location.search).get('next')))
  location.assign(await withRetry(() => call('GET /api/auth/discord')))
}

async function redirectIfSignedIn(): Promise<void> {
  const reply = await fetch('/api/auth/me')
  if (reply.ok) location.replace(safePath(new URLSearchParams(location.search).get('next')))
}

async function loadList(): Promise<ReactNode> {
  const [list, { LoginListPanel }] = await Promise.all([call('GET /api/public/list'), import('#web/pages/login-list-panel.tsx')])
  return <LoginListPanel list={list} />
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
  const about = call('GET /api/about').catch(() => undefined)
  // In development, Vite serves the page without this attribute.
  void about.then((loaded) => {
    if (loaded?.local_identity) app.dataset['localSignIn'] = ''
  })
  const list = matchMedia('(min-width: 1100px)').matches ? loadList().catch(() => undefined) : undefined
  const signOutReason = takeSignOutReason()
  const page = (
    <StrictMode>
      <LoginPage about={about} list={list} signOutReason={signOutReason} onSignIn={signIn} />
    </StrictMode>
  )
  if (app.dataset['prerendered'] !== undefined && signOutReason === undefined) hydrate(app, page)
  else {
    clear(app)
    createRoot(app).render(page)
  }
}

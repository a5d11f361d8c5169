/** The login page and the OAuth callback. It shares little code with the panel, so it loads fast. */
import { m } from '#messages'
import './login.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { call } from '#web/lib/call.ts'
import { HttpError } from '#web/lib/http-error.ts'
import { withRetry } from '#web/lib/retry.ts'
import { storeTheme } from '#web/lib/stored-theme.ts'
import { storeNextPath, safePath, takeSignOutReason, takeNextPath } from '#web/lib/next-path.ts'
import { LoginCallbackPage, LoginPage } from '#web/pages/login-page.tsx'

async function signIn(): Promise<void> {
  storeNextPath(safePath(new URLSearchParams(location.search).get('next')))
  location.assign(await withRetry(() => call('GET /api/auth/discord')))
}

let signInCompletion: Promise<void> | undefined

/** Runs once, because the code works only once. */
function completeSignIn(): Promise<void> {
  signInCompletion ??= exchangeCode(new URLSearchParams(location.search))
  return signInCompletion
}

async function exchangeCode(query: URLSearchParams): Promise<void> {
  // Keeps the code out of the browser history.
  history.replaceState(null, '', location.pathname)
  const code = query.get('code')
  const state = query.get('state')
  if (query.get('error') === 'access_denied') throw new Error(m.login_callback_cancelled())
  if (!code || !state) throw new Error(m.login_callback_direct())
  try {
    await withRetry(() => call('POST /api/auth/discord', { body: { code, state } }))
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new Error(m.login_callback_unreachable(), { cause: error })
  }
  // The panel then has the account's theme from its first paint.
  await call('GET /api/users/preferences').then(
    ({ theme }) => storeTheme(theme),
    () => {},
  )
  location.replace(takeNextPath())
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

// Fonts must not delay the first paint. The fallback font has the same metrics.
import('#web/ui/fonts.css').catch(() => {})

const app = document.getElementById('app')
if (app && location.pathname.startsWith('/login/')) {
  app.replaceChildren()
  delete app.dataset['prerendered']
  createRoot(app).render(
    <StrictMode>
      <LoginCallbackPage completeSignIn={completeSignIn} />
    </StrictMode>,
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
  if (app.dataset['prerendered'] === undefined) createRoot(app).render(page)
  else hydrate(app, page)
}

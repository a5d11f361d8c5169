/** The login page and the OAuth callback. It shares little code with the panel, so it loads fast. */
import { m } from '#messages'
import './login.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { call } from '#web/lib/call.ts'
import { HttpError } from '#web/lib/http-error.ts'
import { withRetry } from '#web/lib/retry.ts'
import { storeNextPath, safePath, takeSignOutReason, takeNextPath } from '#web/lib/next-path.ts'
import { LoginCallbackPage, LoginPage } from '#web/pages/login-page.tsx'

async function signIn(): Promise<void> {
  storeNextPath(safePath(new URLSearchParams(location.search).get('next')))
  location.assign(await withRetry(() => call('GET /api/auth/discord')))
}

let finished: Promise<void> | undefined

/** The code works once. It is removed from the address first. */
function finish(): Promise<void> {
  finished ??= trade(new URLSearchParams(location.search))
  return finished
}

async function trade(query: URLSearchParams): Promise<void> {
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
  location.replace(takeNextPath())
}

async function leaveWhenSignedIn(): Promise<void> {
  const reply = await fetch('/api/auth/me')
  if (reply.ok) location.replace(safePath(new URLSearchParams(location.search).get('next')))
}

/** Hydrates the prerendered page and repeats a press made before that. */
function takeOver(drawn: HTMLElement, page: React.ReactNode): void {
  drawn.querySelector('button')?.removeAttribute('aria-disabled')
  hydrateRoot(drawn, page)
  delete drawn.dataset['drawn']
  if (drawn.dataset['pressed'] === undefined) return
  drawn.querySelector('button')?.click()
  delete drawn.dataset['pressed']
}

// Must not delay the first paint. The fallback font has the same metrics.
import('#web/ui/faces.css').catch(() => {})

const app = document.getElementById('app')
if (app && location.pathname.startsWith('/login/')) {
  app.replaceChildren()
  delete app.dataset['drawn']
  createRoot(app).render(
    <StrictMode>
      <LoginCallbackPage finish={finish} />
    </StrictMode>,
  )
} else if (app) {
  void leaveWhenSignedIn().catch(() => {})
  const about = call('GET /api/about').catch(() => undefined)
  const signOutReason = takeSignOutReason()
  const page = (
    <StrictMode>
      <LoginPage about={about} signOutReason={signOutReason} onSignIn={signIn} />
    </StrictMode>
  )
  if (app.dataset['drawn'] === undefined) createRoot(app).render(page)
  else takeOver(app, page)
}

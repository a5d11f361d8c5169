/** The page to which the identity provider returns. Its own chunk, so that the login page loads fast. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { HttpError } from '#web/lib/http/http-error.ts'
import { takeNextPath } from '#web/lib/url/next-path.ts'
import { withRetry } from '#web/lib/http/retry.ts'
import { storeTheme } from '#web/lib/stored-theme.ts'
import { LoginCallbackPage } from '#web/pages/login-callback-page.tsx'

export function showCallback(app: HTMLElement): void {
  createRoot(app).render(
    <StrictMode>
      <LoginCallbackPage completeSignIn={completeSignIn} />
    </StrictMode>,
  )
}

let signInCompletion: Promise<void> | undefined

/** Runs once, because the code works only once. */
function completeSignIn(): Promise<void> {
  signInCompletion ??= exchangeCode(new URLSearchParams(location.search)).catch(leaveIfSignedIn)
  return signInCompletion
}

/** The page was reloaded, or reached with the back button. */
async function leaveIfSignedIn(error: unknown): Promise<void> {
  await call('GET /api/auth/me').catch(() => {
    throw error
  })
  location.replace('/')
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

/** The page to which the identity provider returns. */
import { useLoaderData } from '@tanstack/react-router'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { call, isConnectionError, messageOf } from '#web/lib/http/call.ts'
import { withRetry } from '#web/lib/http/retry.ts'
import { storeTheme } from '#web/lib/stored-theme.ts'
import { takeNextPath } from '#web/lib/url/next-path.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { LoginFrame } from './login-page.tsx'

/** Signs in and leaves the page. Returns only if that fails: a sentence for the visitor. */
export async function completeSignIn(): Promise<string> {
  try {
    await exchangeCode(new URLSearchParams(location.search)).catch(leaveIfSignedIn)
  } catch (error) {
    return messageOf(error)
  }
  // Nothing of this page may show while the browser leaves it.
  return await new Promise<never>(() => {})
}

/** The page was reloaded, or reached with the back button: a code works only once. */
async function leaveIfSignedIn(error: unknown): Promise<void> {
  await call('GET /api/auth/me').catch(() => {
    throw error
  })
  location.replace('/')
}

async function exchangeCode(query: URLSearchParams): Promise<void> {
  // Keeps the code out of the browser history.
  history.replaceState(history.state, '', location.pathname)
  const code = query.get('code')
  const state = query.get('state')
  if (query.get('error') === 'access_denied') throw new Error(m.login_callback_cancelled({ brand: brand.name }))
  if (!code || !state) throw new Error(m.login_callback_direct())
  try {
    await withRetry(() => call('POST /api/auth/discord', { body: { code, state } }))
  } catch (error) {
    throw isConnectionError(error) ? new Error(m.login_callback_unreachable({ brand: brand.name }), { cause: error }) : error
  }
  // The panel then has the account's theme from its first paint.
  await call('GET /api/users/preferences').then(
    ({ theme }) => storeTheme(theme),
    () => {},
  )
  location.replace(takeNextPath())
}

export function LoginCallbackPage() {
  const failure = useLoaderData({ from: '/login/discord/callback' })
  useTitle(m.login_title())
  return (
    <LoginFrame>
      <div role="alert">
        <h1 className="mt-6 text-20 font-semibold">{m.login_callback_heading()}</h1>
        <p className="mt-2 break-words text-ink-2">{failure}</p>
        <a
          href="/login"
          className="mt-6 inline-flex min-h-11 w-full items-center justify-center rounded-6 bg-accent px-4 text-16 font-medium text-on-accent hover:bg-accent-hover"
        >
          {m.common_try_again()}
        </a>
      </div>
    </LoginFrame>
  )
}

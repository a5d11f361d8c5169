/** The page to which the identity provider returns. */
import { useLoaderData } from '@tanstack/react-router'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { call, isConnectionError, messageOf } from '#web/lib/http/call.ts'
import { withRetry } from '#web/lib/http/retry.ts'
import { storeTheme } from '#web/lib/stored-theme.ts'
import { takeLinking, takeNextPath } from '#web/lib/url/next-path.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { DISCORD } from '#web/features/session/providers.api.ts'
import { LoginFrame, loginButtonClass } from './login-frame.tsx'

/** Codes of OAuth are short. */
const MAX_ERROR_LENGTH = 64

export interface Failure {
  /** For the visitor. */
  readonly sentence: string
  /** Where they started to link. Undefined if they were signing in. */
  readonly linkedFrom: string | undefined
}

/** Signs in, or links, and leaves the page. Returns only if that fails. */
export async function completeSignIn(provider: string): Promise<Failure> {
  const linkedFrom = takeLinking()
  try {
    const exchange = exchangeCode(provider, new URLSearchParams(location.search))
    await (linkedFrom === undefined ? exchange.catch(leaveIfSignedIn) : exchange)
  } catch (error) {
    return { sentence: messageOf(error), linkedFrom }
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

async function exchangeCode(provider: string, query: URLSearchParams): Promise<void> {
  // Keeps the code out of the browser history.
  history.replaceState(history.state, '', location.pathname)
  const code = query.get('code')
  const state = query.get('state')
  const failure = query.get('error')
  if (failure === 'access_denied') throw new Error(m.login_callback_cancelled({ brand: brand.name }))
  if (failure) throw new Error(m.login_callback_failed({ error: failure.slice(0, MAX_ERROR_LENGTH) }))
  if (!code || !state) throw new Error(provider === DISCORD ? m.login_callback_direct() : m.login_callback_direct_other())
  try {
    await withRetry(() => postCode(provider, { code, state }, query.get('iss')))
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

function postCode(id: string, body: { code: string; state: string }, iss: string | null): Promise<unknown> {
  if (id === DISCORD) return call('POST /api/auth/discord', { body })
  return call('POST /api/auth/oidc/{id}', { params: { id }, body: { ...body, ...(iss !== null && { iss }) } })
}

export function LoginCallbackPage() {
  const { sentence, linkedFrom } = useLoaderData({ from: '/login/$provider/callback' })
  const isLinking = linkedFrom !== undefined
  useTitle(m.login_title())
  return (
    <LoginFrame>
      <div role="alert">
        <h1 className="mt-6 text-20 font-semibold">{isLinking ? m.sign_in_ways_not_linked() : m.login_callback_heading()}</h1>
        <p className="mt-2 break-words text-ink-2">{sentence}</p>
        <a href={linkedFrom ?? '/login'} className={loginButtonClass('mt-6')}>
          {isLinking ? m.login_callback_to_profile() : m.common_try_again()}
        </a>
      </div>
    </LoginFrame>
  )
}

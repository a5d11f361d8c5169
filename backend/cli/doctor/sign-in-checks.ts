/** Checks of `doctor`: whether people can sign in, by Discord and by each provider of OpenID Connect. */
import type { Env } from '#backend/platform/env.ts'
import type { OidcProvider } from '#backend/platform/env-oidc.ts'
import { failureOf } from '#backend/cli/request-failure.ts'
import { DISCORD } from '#backend/core/auth/cookies.ts'
import { discover } from '#backend/core/auth/oidc.ts'
import { callbackOf } from '#backend/core/auth/sign-in-providers.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { fetchJson } from './fetch-json.ts'

const TIMEOUT_MS = 5000

export function createSignInChecks(env: Env): readonly Check[] {
  return [
    { id: 'sign-in', title: 'Sign-in', run: () => checkSignIn(env) },
    { id: 'redirect-uri', title: 'Redirect URI', run: () => checkRedirectUri(env) },
    ...env.OIDC_PROVIDERS.map((provider) => ({
      id: `sign-in-${provider.id}`,
      title: `Sign-in: ${provider.label}`,
      run: () => checkProvider(env, provider),
    })),
  ]
}

/** Undefined if it depends on the visitor's address. */
const callbackUrl = ({ PUBLIC_URL }: Env, providerId: string) =>
  PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}${callbackOf(providerId)}`

/** A code that Discord never issued: with the right client it answers 400, else 401 (RFC 6749 section 5.2). */
async function checkSignIn(env: Env): Promise<Finding> {
  if (env.usesLocalIdentity) return skipped('The local identity provider is in use: anyone can sign in with any name.')
  const { DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret, DISCORD_API_URL: apiUrl } = env
  if (id === undefined || secret === undefined) {
    if (env.OIDC_PROVIDERS.length > 0) return skipped('Discord is not configured. People sign in with OpenID Connect.')
    return failed('No identity provider is configured, so nobody can sign in.', 'Set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET.')
  }
  const form = {
    grant_type: 'authorization_code',
    code: 'muster-doctor',
    client_id: id,
    client_secret: secret,
    redirect_uri: callbackUrl(env, DISCORD) ?? `http://localhost${callbackOf(DISCORD)}`,
  }
  try {
    const { status } = await fetch(`${apiUrl}/oauth2/token`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (status === 400) return ok('Discord accepts the client ID and its secret.')
    if (status === 401)
      return failed('Discord rejects the client ID or its secret.', 'Copy both again from the application at discord.com/developers.')
    return warning(`Discord answers with status ${status}.`, 'Try again later. Its status page is discordstatus.com.')
  } catch (error) {
    return failed(`${apiUrl} could not be reached, because ${failureOf(error)}.`, 'Allow outbound HTTPS and DNS.')
  }
}

/** Every callback is the same page of the panel, so one answers for all. */
async function checkRedirectUri(env: Env): Promise<Finding> {
  if (env.usesLocalIdentity) return skipped('The local identity provider needs none.')
  const [first = DISCORD] = env.DISCORD_CLIENT_ID === undefined ? env.OIDC_PROVIDERS.map(({ id }) => id) : [DISCORD]
  const callback = callbackUrl(env, first)
  if (callback === undefined)
    return warning('Without PUBLIC_URL, the redirect depends on the address that a visitor uses.', 'Set PUBLIC_URL.')
  const reply = await fetchJson(callback)
  if ('failure' in reply) return failed(`${callback} could not be reached, because ${reply.failure}.`, 'See the address of the panel.')
  const isPage = reply.status === 200 && reply.headers.get('content-type')?.startsWith('text/html') === true
  if (!isPage)
    return failed(
      `${callback} answers with status ${reply.status}, not with the panel's page.`,
      'Make the proxy forward every path to PORT.',
    )
  if (first !== DISCORD) return ok(`${callback} shows the panel.`)
  const cloudAuth = env.MASTERLIST_PUBLIC_URL === undefined ? '' : `, and ${env.MASTERLIST_PUBLIC_URL}/cloud-auth/callback for cloud auth`
  return ok(`${callback} shows the panel. Discord must list it as a redirect${cloudAuth}.`)
}

/** Whether discovery answers with this issuer. Only a sign-in can show that the client and its secret are right. */
async function checkProvider(env: Env, provider: OidcProvider): Promise<Finding> {
  const { id, issuer } = provider
  const variable = `OIDC_${id.toUpperCase()}_ISSUER`
  try {
    await discover(provider)
  } catch (error) {
    const remedy = `Set ${variable} to the “issuer” that the provider's /.well-known/openid-configuration shows, and allow outbound HTTPS.`
    return failed(`${issuer} does not answer as an issuer: ${failureOf(error)}.`, remedy)
  }
  const callback = callbackUrl(env, id) ?? callbackOf(id)
  return ok(`${issuer} answers. It must list ${callback} as a redirect URI.`)
}

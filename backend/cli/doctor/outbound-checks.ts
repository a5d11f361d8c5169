/** Checks of `doctor`: what the program calls: Discord, and the receivers of webhooks. */
import type { Env } from '#backend/platform/env.ts'
import { CALLBACK, signInCallback } from '#backend/core/auth/auth.routes.ts'
import { createPostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { failureOf } from '#backend/cli/request-failure.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { fetchJson } from './fetch-json.ts'

const TIMEOUT_MS = 5000

export function createOutboundChecks(env: Env): readonly Check[] {
  return [
    { id: 'sign-in', title: 'Sign-in', run: () => checkSignIn(env) },
    { id: 'redirect-uri', title: 'Redirect URI', run: () => checkRedirectUri(env) },
    { id: 'egress', title: 'Webhook egress', run: () => checkEgress(env) },
  ]
}

/** A code that Discord never issued: with the right client it answers 400, else 401 (RFC 6749 section 5.2). */
async function checkSignIn(env: Env): Promise<Finding> {
  if (env.usesLocalIdentity) return skipped('The local identity provider is in use: anyone can sign in with any name.')
  const { DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret, DISCORD_API_URL: apiUrl } = env
  if (id === undefined || secret === undefined)
    return failed('No identity provider is configured, so nobody can sign in.', 'Set DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET.')
  const form = {
    grant_type: 'authorization_code',
    code: 'muster-doctor',
    client_id: id,
    client_secret: secret,
    redirect_uri: signInCallback(env) ?? `http://localhost${CALLBACK}`,
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

async function checkRedirectUri(env: Env): Promise<Finding> {
  if (env.usesLocalIdentity) return skipped('The local identity provider needs none.')
  const callback = signInCallback(env)
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
  const cloudAuth = env.MASTERLIST_PUBLIC_URL === undefined ? '' : `, and ${env.MASTERLIST_PUBLIC_URL}/cloud-auth/callback for cloud auth`
  return ok(`${callback} shows the panel. Discord must list it as a redirect${cloudAuth}.`)
}

/** The same client, name servers and rules as a delivery. Any reply will do; this path has none that counts against a limit. */
async function checkEgress({ DISCORD_API_URL: apiUrl, WEBHOOKS_PRIVATE, usesLocalIdentity }: Env): Promise<Finding> {
  const url = `${apiUrl}/gateway`
  try {
    const { status } = await createPostPublic({}, WEBHOOKS_PRIVATE)(url, { headers: {}, body: '', timeoutMs: TIMEOUT_MS })
    return ok(`${new URL(url).host} answers deliveries from here, with status ${status}.`)
  } catch (error) {
    // The sentence after the first is for people who entered the URL.
    const why = (error instanceof Error ? error.message : String(error)).replace(/\. .*$/s, '.')
    const problem = usesLocalIdentity ? warning : failed
    return problem(
      `A delivery to ${new URL(url).host} fails: ${why}`,
      'Allow outbound HTTPS (port 443) and DNS, or webhooks and Discord alerts fail.',
    )
  }
}

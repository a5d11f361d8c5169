/**
 * The OAuth2 authorization code flow with Discord: state, PKCE S256, form-encoded token call, then `/users/@me`. Source: Discord's
 * developer documentation, topics/oauth2 and resources/user. The access token is used once and never stored.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { badGateway } from '#backend/platform/errors.ts'
import type { DiscordIdentity } from '#backend/core/users/users.ts'

export interface IdentityProvider {
  readonly authorizeUrl: string
  /** Base URL of API calls, without a trailing slash. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Must be identical in both calls (OAuth). */
  readonly redirectUri: string
}

/** Discord usually answers within a second; the sign-in page must not hang. */
const TIMEOUT_MS = 5000

const TokenReply = z.object({ access_token: z.string().min(1), token_type: z.string() })
const User = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  username: z.string().min(1).max(64),
  avatar: z
    .string()
    .regex(/^\w{1,64}$/)
    .nullish(),
})

export const challengeOf = (verifier: string) => hash('sha256', verifier, 'base64url')

export function authorizeUrl(provider: IdentityProvider, signIn: { state: string; verifier: string }): string {
  const url = new URL(provider.authorizeUrl)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: provider.clientId,
    scope: 'identify',
    redirect_uri: provider.redirectUri,
    state: signIn.state,
    code_challenge: challengeOf(signIn.verifier),
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}

/** The code is wrong, used or expired: the caller's mistake, not Discord's. */
export class CodeRejected extends Error {
  override readonly name = 'CodeRejected'
}

/** Status of a wrong code (RFC 6749 section 5.2). Other failures are Discord's or ours. */
const BAD_REQUEST = 400

/** A rejection that counts towards Discord's ban of our address (10,000 in ten minutes). A wrong code does not count. */
export class CountedRejection extends Error {
  override readonly name = 'CountedRejection'
}

/** Discord's developer documentation, topics/rate-limits, "Invalid Request Limit". */
const COUNTED_STATUSES = new Set([401, 403, 429])

/**
 * Exchanges the code for the user's identity. Throws `bad-gateway` if Discord is down, rejects the call, or answers unexpectedly. The
 * cause is a CodeRejected if the code is wrong, and a CountedRejection if Discord counts the rejection.
 */
export async function identityOf(provider: IdentityProvider, code: string, verifier: string): Promise<DiscordIdentity> {
  const token = await call(TokenReply, `${provider.apiUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: provider.redirectUri,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      code_verifier: verifier,
    }),
  })
  const user = await call(User, `${provider.apiUrl}/users/@me`, { headers: { authorization: `Bearer ${token.access_token}` } })
  return { discordId: user.id, username: user.username, avatar: user.avatar ?? null }
}

async function call<T>(schema: z.ZodType<T>, url: string, init: RequestInit): Promise<T> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) {
      await response.body?.cancel()
      const message = `${new URL(url).pathname} answered ${response.status}`
      if (COUNTED_STATUSES.has(response.status)) throw new CountedRejection(message)
      throw response.status === BAD_REQUEST && init.method === 'POST' ? new CodeRejected(message) : new Error(message)
    }
    return schema.parse(await response.json())
  } catch (error) {
    throw badGateway('SIGN_IN_NOT_CONFIRMED', error)
  }
}

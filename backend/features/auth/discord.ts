/**
 * The OAuth2 code flow with Discord by the book: state, PKCE S256, form-encoded token call, then `/users/@me`. Facts and their
 * sources: Discord's developer documentation, topics/oauth2 and resources/user. The access token is used once and forgotten.
 */
import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { badGateway } from '#backend/platform/errors.ts'

export interface IdentityProvider {
  readonly authorizeUrl: string
  /** Where the calls go, without a slash at the end. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the visitor comes back to; the same text in both calls, as OAuth demands. */
  readonly redirectUri: string
}

export interface Identity {
  readonly discordId: string
  readonly username: string
  readonly avatar: string | null
}

/** Discord answers within a second or not at all; a sign-in page must not hang on it. */
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

/** Fresh secrets for one sign-in: 256 bits of state, a verifier of 43 characters (RFC 7636 section 4.1). */
export function newSignIn(): { state: string; verifier: string } {
  return { state: randomBytes(32).toString('base64url'), verifier: randomBytes(32).toString('base64url') }
}

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

/** The code is wrong, used or too old: the caller's mistake, not Discord's. */
export class CodeRejected extends Error {
  override readonly name = 'CodeRefused'
}

/** RFC 6749 section 5.2. All other failures are Discord's trouble or ours. */
const BAD_REQUEST = 400

/** A refusal that Discord holds against our address: after 10,000 in ten minutes it bans it. A wrong code is none of them. */
export class CountedRejection extends Error {
  override readonly name = 'CountedRefusal'
}

/** Discord's developer documentation, topics/rate-limits, "Invalid Request Limit". */
const COUNTED_STATUSES = new Set([401, 403, 429])

/**
 * Trades the code for the person behind it. Throws `bad-gateway` where Discord is down, refuses, or answers what it never should; its
 * cause is a CodeRefused where the code is to blame, and a CountedRefusal where Discord counts it.
 */
export async function identityOf(provider: IdentityProvider, code: string, verifier: string): Promise<Identity> {
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
    throw badGateway('Discord did not confirm the sign-in. Try again in a moment.', error)
  }
}

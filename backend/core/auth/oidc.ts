/**
 * Sign-in by OpenID Connect: the authorization code flow with state, nonce and PKCE S256. `openid-client` checks the ID token: issuer,
 * audience, expiry, nonce and signature. The access token is used once, for `/userinfo`, and never stored.
 */
import { LRUCache } from 'lru-cache'
import * as openid from 'openid-client'
import { type OidcProvider, canonicalIssuer } from '#backend/platform/env-oidc.ts'
import { AppError, invalid } from '#backend/platform/errors.ts'
import { message } from '#backend/platform/messages/message.ts'
import type { PendingSignIn } from './cookies.ts'
import { challengeOf } from './discord.ts'
import { type OidcIdentity, readIdentity } from './oidc-claims.ts'

/** Of each call. The sign-in page must not hang. */
const TIMEOUT_MS = 5000
const DISCOVERY_MS = 3_600_000

/** OpenID Connect Core section 2 allows 255 characters. */
const SUBJECT = /^[^\0]{1,255}$/

/** What the provider's redirect says. */
export interface OidcAnswer {
  readonly code: string
  readonly state: string
  /** RFC 9207: which provider answers. */
  readonly iss?: string | undefined
}

const fetchInTime: openid.CustomFetch = (url, { signal: _signal, ...options }) =>
  fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) } as RequestInit)

/** The provider's addresses. Throws if it does not answer, or answers as another issuer. */
export async function discover({ issuer, clientId }: OidcProvider): Promise<openid.ServerMetadata> {
  const execute = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
  const found = await openid.discovery(new URL(issuer), clientId, undefined, undefined, { [openid.customFetch]: fetchInTime, execute })
  const metadata = found.serverMetadata()
  // The library accepts other issuers from some providers. Accounts are known by it.
  if (canonicalIssuer(metadata.issuer) !== issuer) throw new Error(`the issuer of ${issuer} is ${metadata.issuer}`)
  return metadata
}

export class OidcClient {
  readonly provider: OidcProvider
  /** A failure is not kept: the next sign-in tries again. */
  readonly #metadata = new LRUCache<'metadata', openid.ServerMetadata>({
    max: 1,
    ttl: DISCOVERY_MS,
    fetchMethod: () => discover(this.provider),
  })

  constructor(provider: OidcProvider) {
    this.provider = provider
  }

  /** Throws `bad-gateway` if the provider is down. */
  async authorizeUrl({ state, nonce, verifier }: PendingSignIn, redirectUri: string): Promise<string> {
    const config = await this.#configuration().catch((error: unknown) => {
      throw this.#failed('PROVIDER_UNREACHABLE', error)
    })
    return openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: this.#scopeOf(config.serverMetadata()),
      state,
      nonce,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    }).href
  }

  /**
   * Exchanges the code for the user's identity. Throws `invalid` if another provider answers or the code is wrong, and `bad-gateway` if the
   * provider is down or its ID token is not valid.
   */
  async identify({ code, state, iss }: OidcAnswer, pending: PendingSignIn, redirectUri: string): Promise<OidcIdentity> {
    try {
      const config = await this.#configuration()
      const { issuer, userinfo_endpoint: userInfo, authorization_response_iss_parameter_supported: hasIss } = config.serverMetadata()
      if (iss === undefined ? hasIss === true : iss !== issuer) throw invalid('SIGN_IN_OF_ANOTHER_PROVIDER')
      const answer = new URL(redirectUri)
      answer.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
      const checks = {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      }
      const tokens = await openid.authorizationCodeGrant(config, answer, checks)
      const claims = tokens.claims()
      if (claims === undefined || !SUBJECT.test(claims.sub)) throw new Error('the provider sent no valid ID token')
      // Many providers tell names and groups only there.
      const more = userInfo === undefined ? {} : await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
      return readIdentity(this.provider, { ...claims, ...more })
    } catch (error) {
      if (error instanceof AppError) throw error
      if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') throw invalid('SIGN_IN_CODE_REJECTED', this.#named)
      throw this.#failed('PROVIDER_DID_NOT_CONFIRM', error)
    }
  }

  /** A new one for each sign-in, so that it reads the provider's keys: they can change at any time. */
  async #configuration(): Promise<openid.Configuration> {
    const metadata = await this.#metadata.fetch('metadata')
    if (metadata === undefined) throw new Error('discovery returned nothing')
    const { clientId, clientSecret, issuer } = this.provider
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata
    const authentication = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost
    const config = new openid.Configuration(metadata, clientId, undefined, authentication(clientSecret))
    config[openid.customFetch] = fetchInTime
    // Otherwise the library trusts TLS and does not check the signature of ID tokens.
    openid.enableNonRepudiationChecks(config)
    if (issuer.startsWith('http:')) openid.allowInsecureRequests(config)
    return config
  }

  /** Some providers tell groups only with a scope of that name. */
  #scopeOf({ scopes_supported: known = [] }: openid.ServerMetadata): string {
    const { groupsClaim } = this.provider
    return ['openid', 'profile', ...known.filter((scope) => scope === groupsClaim)].join(' ')
  }

  get #named() {
    return { provider: this.provider.label }
  }

  #failed(code: 'PROVIDER_UNREACHABLE' | 'PROVIDER_DID_NOT_CONFIRM', cause: unknown): AppError {
    return new AppError('bad-gateway', [message(code, this.#named)], { cause: new Error(reasonOf(cause)) })
  }
}

/** For the log: what the library says, without the claims and tokens that its errors carry. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = error instanceof openid.ResponseBodyError ? ` (${error.error})` : ''
  return `${error.message}${code}${error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''}`
}

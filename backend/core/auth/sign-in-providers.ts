/** Every way to sign in: Discord or the local provider, and the providers of OpenID Connect, as the routes use them. */
import type { FastifyRequest } from 'fastify'
import type { SignInProvider } from '#contract/users/auth.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError, notFound, unavailable } from '#backend/platform/errors.ts'
import { originOf } from '#backend/platform/http/public-addresses.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import type { DiscordIdentity } from '#backend/core/users/users.ts'
import { DISCORD, type PendingSignIn } from './cookies.ts'
import { CodeRejected, type IdentityProvider, authorizeUrl, identityOf } from './discord.ts'
import { DISCORD_LABEL, hasDiscord } from './identities.ts'
import { type OidcAnswer, OidcClient } from './oidc.ts'
import type { OidcIdentity } from './oidc-claims.ts'
import { identityProvider } from './provider.ts'

/** Where a provider sends a visitor back to. Each has its own, so that no provider can pass for another. */
export const callbackOf = (providerId: string) => `/login/${providerId}/callback`

/** Who signed in, by which provider. */
export type Identified =
  | { readonly by: 'discord'; readonly identity: DiscordIdentity }
  | { readonly by: 'oidc'; readonly identity: OidcIdentity; readonly label: string }

export interface SignInWay {
  readonly id: string
  /** Throws `bad-gateway` if the provider is down. */
  authorizeUrl(pending: PendingSignIn): Promise<string>
  /** Throws `bad-gateway` if the provider does not confirm. */
  identify(answer: OidcAnswer, pending: PendingSignIn): Promise<Identified>
}

export interface SignInProviders {
  /** Discord first, then the others by label. */
  readonly all: readonly SignInProvider[]
  /** Throws `not-found` for an unknown ID, and `unavailable` without Discord. */
  of(id: string, request: FastifyRequest): SignInWay
}

export function createSignInProviders(deps: Deps): SignInProviders {
  const { env, log } = deps
  const clients = env.OIDC_PROVIDERS.map((provider) => new OidcClient(provider))
  const { watched, identified } = watchOutages(log)
  const discordWay = (request: FastifyRequest): SignInWay => {
    const provider = discordFor(deps, request)
    return {
      id: DISCORD,
      authorizeUrl: (pending) => Promise.resolve(authorizeUrl(provider, pending)),
      identify: async ({ code }, { verifier }) => ({
        by: 'discord',
        identity: await identified(DISCORD, identityOf(provider, code, verifier)),
      }),
    }
  }
  const oidcWay = (client: OidcClient, request: FastifyRequest): SignInWay => {
    const { id, label } = client.provider
    const redirectUri = `${originOf(env, request)}${callbackOf(id)}`
    return {
      id,
      authorizeUrl: (pending) => watched(id, client.authorizeUrl(pending, redirectUri)),
      identify: async (answer, pending) => ({
        by: 'oidc',
        label,
        identity: await identified(id, client.identify(answer, pending, redirectUri)),
      }),
    }
  }

  return {
    all: [
      ...(hasDiscord(env) ? [{ id: DISCORD, label: DISCORD_LABEL }] : []),
      ...env.OIDC_PROVIDERS.map(({ id, label }) => ({ id, label })),
    ],
    of(id, request) {
      if (id === DISCORD) return discordWay(request)
      const client = clients.find(({ provider }) => provider.id === id)
      if (client === undefined) throw notFound('PROVIDER_NOT_FOUND')
      return oidcWay(client, request)
    },
  }
}

/** Logs the outages of each provider, and no mistakes of visitors. Only a confirmed sign-in ends one. */
function watchOutages(log: Deps['log']) {
  const outages = new Map<string, OutageLog>()
  const outageOf = (provider: string) => {
    const [begin, end] = ['identity provider failed to confirm a sign-in', 'identity provider confirms sign-ins again']
    const outage = outages.get(provider) ?? new OutageLog({ log, begin, end, fields: { provider } })
    outages.set(provider, outage)
    return outage
  }
  const watched = async <T>(provider: string, act: Promise<T>): Promise<T> => {
    try {
      return await act
    } catch (error) {
      if (error instanceof AppError && error.kind === 'bad-gateway' && !(error.cause instanceof CodeRejected))
        outageOf(provider).failed({ err: error.cause })
      throw error
    }
  }
  const identified = async <T>(provider: string, act: Promise<T>): Promise<T> => {
    const identity = await watched(provider, act)
    outageOf(provider).succeeded()
    return identity
  }
  return { watched, identified }
}

function discordFor({ env }: Deps, request: FastifyRequest): IdentityProvider {
  // Without a configured public URL, only the one this visitor used is sure to work.
  const origin = originOf(env, request)
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket
  // The listener as this request reached it: the public URL may lead through a proxy.
  const panel = { origin, address: localAddress, port: localPort }
  const provider = identityProvider(env, `${origin}${callbackOf(DISCORD)}`, panel)
  if (provider === undefined) throw unavailable('SIGN_IN_NOT_SET_UP', 60)
  return provider
}

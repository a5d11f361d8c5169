/** Identifies a player by a code of the identity provider that the panel uses too. */
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError } from '#backend/platform/errors.ts'
import { CodeRejected, CountedRejection, type IdentityProvider, identityOf } from '#backend/core/auth/discord.ts'
import { identityProvider } from '#backend/core/auth/provider.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

export const CALLBACK = '/cloud-auth/callback'

const WAIT_SECONDS = 10

/** The list's base URL without a trailing slash. If none is configured (never in production), the one this caller used. */
export function listUrl({ env }: Pick<Deps, 'env'>, request: FastifyRequest): string {
  return env.MASTERLIST_PUBLIC_URL ?? `${request.protocol}://${request.host || `localhost:${request.socket.localPort}`}`
}

/** Undefined if there is no provider, or while the panel that serves the local one is not listening yet. */
export function playerIdentityProvider(
  { env }: Pick<Deps, 'env'>,
  request: FastifyRequest,
  panel: AddressInfo | undefined,
): IdentityProvider | undefined {
  if (env.usesLocalIdentity && panel === undefined) return undefined
  const { address, port = 0 } = panel ?? {}
  const origin = env.PUBLIC_URL ?? `${request.protocol}://${request.hostname || 'localhost'}:${port}`
  return identityProvider(env, `${listUrl({ env }, request)}${CALLBACK}`, { origin, address: reachableAddress(address), port })
}

/** A listener on all addresses is reachable by loopback. */
function reachableAddress(address = '127.0.0.1'): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}

/** The identity, a rejected code, or the time to wait while the provider is unavailable. */
type SignInResult = { readonly discordId: string } | 'rejected' | { readonly waitSeconds: number }

export function createSignIn(deps: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>) {
  // Taken before each call, so that concurrent calls stay within the limit, and returned if the call did not count.
  const counted = deps.env.RATE_LIMITS ? new TokenBuckets(deps, 'failed-player-sign-ins') : undefined
  const [begin, end] = ['identity provider failed to identify a player', 'identity provider identifies players again']
  const outage = new OutageLog({ log: deps.log, begin, end })
  return async (provider: IdentityProvider, code: string, verifier: string): Promise<SignInResult> => {
    const wait = counted?.take('all') ?? 0
    if (wait > 0) return { waitSeconds: wait }
    try {
      const { discordId } = await identityOf(provider, code, verifier)
      counted?.refund('all')
      outage.succeeded()
      return { discordId }
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof CountedRejection)) counted?.refund('all')
      if (!(error instanceof AppError)) throw error
      if (error.cause instanceof CodeRejected) return 'rejected'
      outage.failed({ err: error.cause })
      return { waitSeconds: WAIT_SECONDS }
    }
  }
}

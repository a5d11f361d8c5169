/** Who a player is, by a code of the identity provider; the same provider that signs people in to the panel. */
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError } from '#backend/platform/errors.ts'
import { CodeRejected, CountedRejection, type IdentityProvider, identityOf } from '#backend/features/auth/discord.ts'
import { identityProvider } from '#backend/features/auth/provider.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'

export const CALLBACK = '/cloud-auth/callback'
/** Discord bans an address after 10,000 replies of 401, 403 or 429 in ten minutes: we stop at half of that. Wrong codes (400) don't count. */
const COUNTED_REJECTIONS = { burst: 500, perSecond: 5 }

const WAIT_SECONDS = 10
/** One log line a minute while the provider is down. */
const LOG_LINES = { burst: 1, perSecond: 1 / 60 }

/** The list's own address without a slash at the end; where none is configured (never in production), the one this caller used. */
export function listUrl({ env }: Pick<Deps, 'env'>, request: FastifyRequest): string {
  return env.MASTERLIST_PUBLIC_URL ?? `${request.protocol}://${request.host || `localhost:${request.socket.localPort}`}`
}

/** Undefined where there is no provider, or, for the local one, while the panel that serves it does not listen yet. */
export function playerIdentityProvider(
  { env }: Pick<Deps, 'env'>,
  request: FastifyRequest,
  panel: AddressInfo | undefined,
): IdentityProvider | undefined {
  if (env.usesLocalIdentity && panel === undefined) return undefined
  const { address, port = 0 } = panel ?? {}
  const origin = env.PUBLIC_URL ?? `${request.protocol}://${request.hostname || 'localhost'}:${port}`
  return identityProvider(env, `${listUrl({ env }, request)}${CALLBACK}`, { origin, address: reachable(address), port })
}

/** A listener on every address is reached on the loopback one. */
function reachable(address = '127.0.0.1'): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}

/** Who it is, that the code is worth nothing, or that nobody could be asked and when to try again. */
type SignInResult = { readonly discordId: string } | 'rejected' | { readonly waitSeconds: number }

export function createSignIn({ env, clock, log, bus }: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>) {
  // Taken from before each call, so that parallel calls stay within it, and given back where the call did not count.
  const counted = env.RATE_LIMITS
    ? new TokenBuckets({ ...COUNTED_REJECTIONS, clock, shared: { bus, name: 'failed-player-sign-ins' } })
    : undefined
  const logLines = new TokenBuckets({ ...LOG_LINES, clock })
  return async (provider: IdentityProvider, code: string, verifier: string): Promise<SignInResult> => {
    const wait = counted?.take('all') ?? 0
    if (wait > 0) return { waitSeconds: wait }
    try {
      const { discordId } = await identityOf(provider, code, verifier)
      counted?.refund('all')
      return { discordId }
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof CountedRejection)) counted?.refund('all')
      if (!(error instanceof AppError)) throw error
      if (error.cause instanceof CodeRejected) return 'rejected'
      if (logLines.take('all') === 0) log.warn({ err: error.cause }, 'The identity provider did not say who a player is.')
      return { waitSeconds: WAIT_SECONDS }
    }
  }
}

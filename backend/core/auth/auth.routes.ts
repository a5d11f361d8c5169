import type { FastifyRequest } from 'fastify'
import * as auth from '#contract/users/auth.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AppError, unavailable } from '#backend/platform/errors.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { originOf } from '#backend/platform/http/public-addresses.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { endSession, signIn } from './auth.ts'
import { clientDetailsOf } from './client-details.ts'
import { clearSession, clearSignIn, readSession, readSignIn, writeSession, writeSignIn } from './cookies.ts'
import { CodeRejected, type IdentityProvider, authorizeUrl, newSignIn } from './discord.ts'
import { identityProvider } from './provider.ts'

export const CALLBACK = '/login/discord/callback'

/** Where Discord sends a visitor back to; undefined if it depends on the visitor's address. */
export function signInCallback({ PUBLIC_URL }: Pick<Deps['env'], 'PUBLIC_URL'>): string | undefined {
  return PUBLIC_URL === undefined ? undefined : `${PUBLIC_URL}${CALLBACK}`
}

/** @param endStreamsOf closes the session's event streams on all nodes. */
export function bindAuth(bind: Bind, deps: Deps, endStreamsOf: (sessionKey: string) => void): void {
  const { env, clock } = deps
  const exchanges = createRateLimit(deps, 'sign-ins')
  const [begin, end] = ['identity provider failed to confirm a sign-in', 'identity provider confirms sign-ins again']
  const outage = new OutageLog({ log: deps.log, begin, end })

  bind(auth.authorizeUrl, ({ request, reply }) => {
    const provider = providerFor(deps, request)
    const pending = newSignIn()
    writeSignIn(env, request, reply, pending, clock.now())
    return authorizeUrl(provider, pending)
  })

  bind(auth.signIn, async ({ body, request, reply }) => {
    const provider = providerFor(deps, request)
    const pending = readSignIn(env, request, body.state, clock.now())
    if (pending !== undefined) exchanges.take(limitKey(clientAddress(request)))
    const sessionId = await signIn(deps, provider, pending, body, readSession(env, request), clientDetailsOf(request)).catch(
      (error: unknown) => {
        if (error instanceof AppError && error.kind === 'bad-gateway' && !(error.cause instanceof CodeRejected))
          outage.failed({ err: error.cause })
        throw error
      },
    )
    outage.succeeded()
    clearSignIn(env, reply, body.state)
    writeSession(env, reply, sessionId)
  })

  bind(auth.logOut, async ({ caller, request, reply }) => {
    const id = readSession(env, request)
    if (id !== undefined) await endSession(deps, id)
    endStreamsOf(caller.sessionKey)
    clearSession(env, reply)
  })
}

function providerFor({ env }: Deps, request: FastifyRequest): IdentityProvider {
  // Without a configured public URL, only the one this visitor used is sure to work.
  const origin = originOf(env, request)
  const { localAddress = '127.0.0.1', localPort = 0 } = request.socket
  // The listener as this request reached it: the public URL may lead through a proxy.
  const provider = identityProvider(env, `${origin}${CALLBACK}`, { origin, address: localAddress, port: localPort })
  if (provider === undefined) throw unavailable('SIGN_IN_NOT_SET_UP', 60)
  return provider
}

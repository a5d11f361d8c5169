import type { FastifyReply, FastifyRequest } from 'fastify'
import * as auth from '#contract/users/auth.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { endSession, identify, recover, signIn } from './auth.ts'
import { clientDetailsOf } from './client-details.ts'
import { DISCORD, clearSession, clearSignIn, newSignIn, readSession, readSignIn, writeSession, writeSignIn } from './cookies.ts'
import { bindIdentities, linkToSession } from './identities.routes.ts'
import type { OidcAnswer } from './oidc.ts'
import { createSignInProviders } from './sign-in-providers.ts'

/** @param endStreamsOf closes the session's event streams on all nodes. */
export function bindAuth(bind: Bind, deps: Deps, endStreamsOf: (sessionKey: string) => void): void {
  const { env, clock } = deps
  const providers = createSignInProviders(deps)
  const exchanges = createRateLimit(deps, 'sign-ins')
  const takeExchange = (request: FastifyRequest) => exchanges.take(limitKey(clientAddress(request)))
  const browserOf = (request: FastifyRequest) => ({ previousSessionId: readSession(env, request), client: clientDetailsOf(request) })

  bind(auth.providers, () => [...providers.all])

  const begin = async (id: string, request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const pending = newSignIn(id)
    const url = await providers.of(id, request).authorizeUrl(pending)
    writeSignIn(env, request, reply, pending, clock.now())
    return url
  }

  /** Signs in, or links the identity to the account that started. */
  const complete = async (id: string, answer: OidcAnswer, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const way = providers.of(id, request)
    const pending = readSignIn(env, request, answer.state, clock.now())
    if (pending !== undefined) takeExchange(request)
    const { identified, linksTo } = await identify(deps, way, { pending, answer })
    if (linksTo === undefined) writeSession(env, reply, await signIn(deps, identified, browserOf(request)))
    else await linkToSession(deps, request, linksTo, identified)
    clearSignIn(env, reply, answer.state)
  }

  bind(auth.authorizeUrl, ({ request, reply }) => begin(DISCORD, request, reply))
  bind(auth.oidcAuthorizeUrl, ({ params, request, reply }) => begin(oidcId(params.id), request, reply))
  bind(auth.signIn, ({ body, request, reply }) => complete(DISCORD, body, request, reply))
  bind(auth.oidcSignIn, ({ params, body, request, reply }) => complete(oidcId(params.id), body, request, reply))

  bind(auth.recover, async ({ body, request, reply }) => {
    takeExchange(request)
    writeSession(env, reply, await recover(deps, body.token, browserOf(request)))
  })

  bind(auth.logOut, async ({ caller, request, reply }) => {
    const id = readSession(env, request)
    if (id !== undefined) await endSession(deps, id)
    endStreamsOf(caller.sessionKey)
    clearSession(env, reply)
  })

  bindIdentities(bind, deps, providers)
}

/** Discord has its own calls. */
const oidcId = (id: string) => (id === DISCORD ? '' : id)

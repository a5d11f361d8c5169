import type { FastifyRequest } from 'fastify'
import * as identities from '#contract/users/identities.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { callerOfSession } from './auth.ts'
import { newSignIn, readSession, writeSignIn } from './cookies.ts'
import { listIdentities } from './identities.ts'
import { linkDiscord, linkOidc, unlink } from './linking.ts'
import type { Identified, SignInProviders } from './sign-in-providers.ts'

export function bindIdentities(bind: Bind, deps: Deps, providers: SignInProviders): void {
  const { db, env, clock } = deps

  bind(identities.list, ({ caller }) => listIdentities(db, env, caller.userId))

  bind(identities.link, async ({ caller, body, request, reply }) => {
    const pending = newSignIn(body.provider, caller.userId)
    const url = await providers.of(body.provider, request).authorizeUrl(pending)
    writeSignIn(env, request, reply, pending, clock.now())
    return url
  })

  bind(identities.unlink, ({ caller, params }) => unlink(deps, caller.userId, params.id))
}

/** Links to the account that started, if it is still the one of this browser's session. */
export async function linkToSession(deps: Deps, request: FastifyRequest, userId: string, identified: Identified): Promise<void> {
  const sessionId = readSession(deps.env, request)
  const session = sessionId === undefined ? undefined : await callerOfSession(deps, sessionId, undefined)
  if (session?.caller.userId !== userId) throw forbidden('LINKING_OF_ANOTHER_SESSION')
  if (identified.by === 'discord') await linkDiscord(deps.db, userId, identified.identity)
  else await linkOidc(deps.db, userId, identified.identity, identified.label)
}

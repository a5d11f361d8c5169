/** Signing in: who may come in is decided by the identity provider, what he is here by the users slice. */
import { timingSafeEqual } from 'node:crypto'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { invalid } from '#backend/platform/errors.ts'
import { ownTierOfSupporter } from '#backend/features/supporters/supporters.ts'
import { welcomeIn } from '#backend/features/users/users.ts'
import { insertUsedState } from './auth.queries.ts'
import type { SignInUnderWay } from './cookies.ts'
import { type IdentityProvider, identityOf } from './discord.ts'
import { beginSession, endSession, hashOf } from './sessions.ts'

/** Longer than a sign-in may take: until then a used state is remembered. */
const REMEMBER_STATE_MS = 3_600_000

/**
 * Ends a sign-in and answers the new session's id. Throws `invalid` where the state is not the one this browser was given or was
 * used before, `bad-gateway` where the provider does not confirm; then nobody is signed in and nobody is stored.
 */
export async function signIn(
  deps: Deps,
  provider: IdentityProvider,
  underWay: SignInUnderWay | undefined,
  answer: { code: string; state: string },
  formerSessionId: string | undefined,
): Promise<string> {
  if (underWay === undefined || !isSame(underWay.state, answer.state))
    throw invalid('This sign-in is not the one you began here, or it took too long. Start it again.')
  const isFirstUse = await insertUsedState(deps.db, hashOf(answer.state), new Date(deps.clock.now() + REMEMBER_STATE_MS))
  if (!isFirstUse) throw invalid('This sign-in was used already. Start it again.')
  const identity = await identityOf(provider, answer.code, underWay.verifier)
  // In one: an erasure comes before all of it, and then he is somebody new, or finds the session too.
  return transaction(deps.db, async (trx) => {
    const { id: userId, isNew } = await welcomeIn(trx, deps.env, identity)
    if (isNew) await ownTierOfSupporter(trx, userId, identity.discordId)
    if (formerSessionId !== undefined) await endSession({ db: trx }, formerSessionId)
    return beginSession({ db: trx, clock: deps.clock }, userId)
  })
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hashOf(a), hashOf(b))
}

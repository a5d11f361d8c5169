/** Check of `doctor`: the keys of the signed list. */
import { systemClock } from '#backend/platform/clock.ts'
import type { Env } from '#backend/platform/env.ts'
import { keyEndOf } from '#backend/masterlist/signed/ending-key.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

const RENEW = 'Run "npm run muster -- keys renew FOLDER", and set SIGNING_KEY and SIGNING_KEYS on every node.'

export const createSigningCheck = (env: Env): Check => ({
  id: 'signing-key',
  title: 'Signing key',
  run: () => findingOf(env),
})

function findingOf(env: Env): Finding {
  const end = keyEndOf(env, systemClock.now())
  if (end === undefined) return ok('The list is not signed: SIGNING_KEY is not set.')
  const at = end.endsAt.toISOString()
  if (end.hasEnded) return failed(`The online key expired at ${at}. The list is no longer signed.`, RENEW)
  if (end.endsSoon) return warning(`The online key expires at ${at}. Readers then reject the signed list.`, RENEW)
  return ok(`The online key is valid until ${at}.`)
}

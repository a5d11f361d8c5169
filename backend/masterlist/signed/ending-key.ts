/** When the online key ends. Readers reject what it signs after that. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { endOfKey } from '#backend/platform/signing/key-notes.ts'

/** Time enough to sign the next key, and to restart all nodes with it. */
const NOTICE_MS = 14 * 86_400_000

interface KeyEnd {
  readonly endsAt: Date
  readonly hasEnded: boolean
  readonly endsSoon: boolean
}

/** Undefined if the list is not signed. */
export function keyEndOf(
  { SIGNING_KEY: key, SIGNING_KEYS: keys }: Pick<Env, 'SIGNING_KEY' | 'SIGNING_KEYS'>,
  now: number,
): KeyEnd | undefined {
  const endsAt = key && keys && endOfKey(keys, key.publicKey)
  if (endsAt === undefined) return undefined
  return { endsAt, hasEnded: endsAt.getTime() < now, endsSoon: endsAt.getTime() < now + NOTICE_MS }
}

export function warnOfEndingKey({ env, clock, log }: Pick<Deps, 'env' | 'clock' | 'log'>): void {
  const end = keyEndOf(env, clock.now())
  if (end?.endsSoon !== true) return
  const fields = { ends_at: end.endsAt.toISOString() }
  if (end.hasEnded) log.error(fields, 'signing key has expired, the list is not signed')
  else log.warn(fields, 'signing key expires soon, run "muster keys renew"')
}

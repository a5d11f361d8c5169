import type { ApiKey } from '#contract/users/api-keys.ts'

const SOON_MS = 7 * 86_400_000

export type Expiry = 'later' | 'soon' | 'expired'

/** `soon` in the last seven days. @param now milliseconds since 1970. */
export function expiryOf({ expires_at }: Pick<ApiKey, 'expires_at'>, now: number): Expiry {
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'expired'
  return left < SOON_MS ? 'soon' : 'later'
}

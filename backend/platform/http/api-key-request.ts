/** API keys in requests: how one is sent, and what the limit of each key tells the client. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RATES } from '#contract/api/limits.ts'
import type { RateLimit } from './rate-limit.ts'

/** The text after `Bearer`, which may be no API key. Undefined without the header, and for another scheme, which a proxy may use. */
export function readApiKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const [scheme, key] = /^bearer(?:\s+(.*))?$/i.exec(headers.authorization ?? '') ?? []
  return scheme === undefined ? undefined : (key ?? '')
}

/**
 * Takes one call from the key's limit and tells the client what is left. Throws `tooManyRequests`.
 * `X-RateLimit-Reset` is the time in seconds since 1970 at which the whole burst is available again.
 */
export function takeForKey(limit: RateLimit, sessionKey: string, nowMs: number, reply: FastifyReply): void {
  try {
    limit.take(sessionKey)
  } finally {
    const state = limit.stateOf(sessionKey)
    if (state !== undefined)
      reply.headers({
        'x-ratelimit-limit': RATES['api-keys'].burst,
        'x-ratelimit-remaining': state.remaining,
        'x-ratelimit-reset': Math.ceil(nowMs / 1000 + state.secondsUntilFull),
      })
  }
}

/** Reissuing over HTTP, for an owner and for his managers alike: not too often, the list told, the credential shown once. */
import type { FastifyReply } from 'fastify'
import type { Deps } from '#backend/deps.ts'
import { tooMany } from '#backend/errors.ts'
import type { TellList } from '#backend/features/masterlist/telling.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import type { Acting } from './holding.ts'
import { reissueCredential } from './server-changes.ts'
import type { ServerRow } from './servers.queries.ts'

export interface Reissuing {
  reissue(acting: Acting, graceSeconds: number | undefined, reply: FastifyReply): Promise<{ row: ServerRow; credential: string }>
}

export function createReissuing({ db, env, clock }: Deps, tellList: TellList): Reissuing {
  const reissues = env.RATE_LIMITS ? new TokenBuckets({ burst: 30, perSecond: 1 / 10, clock }) : undefined
  return {
    async reissue(acting, graceSeconds, reply) {
      const wait = reissues?.take(acting.userId) ?? 0
      if (wait > 0) throw tooMany(wait)
      const { row, credential } = await reissueCredential(db, acting, graceSeconds)
      await tellList(row.public_id)
      reply.header('cache-control', 'no-store')
      return { row, credential: credential.reveal() }
    },
  }
}

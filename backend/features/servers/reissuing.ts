/** Reissuing over HTTP, for an owner and for his managers alike: not too often, the list told, the credential shown once. */
import type { FastifyReply } from 'fastify'
import type { Deps } from '#backend/platform/deps.ts'
import type { TellList } from '#backend/masterlist/telling.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import type { Acting } from './holding.ts'
import { reissueCredential } from './server-changes.ts'
import type { ServerRow } from './servers.queries.ts'

interface Reissued {
  readonly row: ServerRow
  readonly permissions: readonly string[]
  readonly credential: string
}

export interface Reissuing {
  reissue(acting: Acting, graceSeconds: number | undefined, reply: FastifyReply): Promise<Reissued>
}

export function createReissuing(deps: Deps, tellList: TellList): Reissuing {
  const limit = createLimit(deps, 'reissues', { burst: 30, perSecond: 1 / 10 })
  return {
    async reissue(acting, graceSeconds, reply) {
      limit.take(acting.userId)
      const { credential, ...changed } = await reissueCredential(deps.db, acting, graceSeconds)
      await tellList(changed.row.public_id)
      reply.header('cache-control', 'no-store')
      return { ...changed, credential: credential.reveal() }
    },
  }
}

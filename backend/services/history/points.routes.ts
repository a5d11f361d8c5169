import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist/masterlist.ts'
import * as legacy from '#contract/masterlist/legacy-list.ts'
import { type Endpoint, parseRoute } from '#contract/api/endpoint.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { sendBody } from '#backend/masterlist/masterlist.routes.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { Rejection, rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import type { Age } from '#backend/masterlist/wire/list-heads.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { type Aggregate, POINT_RANGES, PlayerPoints } from './points.ts'

/** Serves the history on the list's listener. Version 1 has only public servers. */
export function servePoints(app: FastifyInstance, deps: Deps, { registry }: Pick<RunningMasterList, 'registry'>, age: Age): void {
  const points = new PlayerPoints(deps)
  const serve = (endpoint: Endpoint, aggregate: Aggregate, isShown: (server: ServerRecord) => boolean = () => true) => {
    const handler = async (request: FastifyRequest<{ Params: { id: string; range: string } }>, reply: FastifyReply) => {
      const range = POINT_RANGES.find((each) => each === request.params.range)
      if (range === undefined) return sendReply(reply, rejectionReply('RANGE_INVALID'))
      const server = registry.find(request.params.id)
      if (server === undefined || !isShown(server)) return sendReply(reply, rejectionReply('NO_SUCH_SERVER'))
      try {
        const { body, etag, ageSeconds } = await points.of(server, range, aggregate, limitKey(clientAddress(request)))
        // Older ones come from an earlier minute: the database is too slow, or away.
        const isOld = age() !== undefined || ageSeconds >= 60
        return sendBody(request, reply, body, etag, isOld ? ageSeconds : undefined)
      } catch (error) {
        if (error instanceof Rejection) return sendReply(reply, error.reply)
        throw error
      }
    }
    app.get(parseRoute(endpoint.route).path.replace('{id}', ':id').replace('{range}', ':range'), handler)
  }
  serve(contract.averagePlayers, 'avg')
  serve(contract.highestPlayers, 'max')
  serve(legacy.averagePlayers, 'avg', ({ isPublic }) => isPublic)
  serve(legacy.highestPlayers, 'max', ({ isPublic }) => isPublic)
}

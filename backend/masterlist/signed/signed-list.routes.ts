/** `GET /signed/head`, `/signed/keys` and `/signed/chunks/{sha256}`. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseRoute } from '#contract/api/endpoint.ts'
import { CONCURRENCY } from '#contract/api/limits.ts'
import * as contract from '#contract/masterlist/signed-list.ts'
import { InFlightResponses } from '#backend/masterlist/lists/in-flight-responses.ts'
import { UNAVAILABLE_SECONDS, rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { type SignedFile, sendFile } from './signed-file.ts'
import { KeyEnded, type SignedList } from './signed-list.ts'

const IN_FLIGHT_SECONDS = 5

type Find = (list: SignedList, request: FastifyRequest) => Promise<SignedFile | undefined>

/** @param list undefined if the list is not signed. */
export function serveSignedList(app: FastifyInstance, { env }: Pick<Deps, 'env'>, list: SignedList | undefined): void {
  const inFlight = new InFlightResponses(env.RATE_LIMITS ? CONCURRENCY['list-responses'].max : Infinity)
  const serve = ({ route }: (typeof contract)[keyof typeof contract], find: Find) =>
    app.route({
      method: ['GET', 'HEAD'],
      url: parseRoute(route).path.replace('{sha256}', ':sha256'),
      handler: async (request, reply) => {
        if (list === undefined) return sendReply(reply, rejectionReply('NOT_SIGNED'))
        let file: SignedFile | undefined
        try {
          file = await find(list, request)
        } catch (error) {
          if (error instanceof KeyEnded) return sendReply(reply, rejectionReply('SIGNING_KEY_ENDED', UNAVAILABLE_SECONDS))
          throw error
        }
        if (file === undefined) return sendReply(reply, rejectionReply('NO_SUCH_CHUNK'))
        const isSent = await sendFile(request.raw, reply.raw, file, inFlight, limitKey(clientAddress(request)))
        return isSent ? reply.hijack() : sendReply(reply, rejectionReply('TOO_MANY_UNREAD', IN_FLIGHT_SECONDS))
      },
    })
  serve(contract.head, async (signed) => (await signed.head()).file)
  serve(contract.keys, (signed) => Promise.resolve(signed.keysFile))
  serve(contract.chunk, (signed, { params }) => Promise.resolve(signed.chunk((params as { sha256: string }).sha256)))
}

/**
 * The two calls that make up nearly all traffic, `POST /announce` and `GET /servers`, straight on node:http, because their cost is what
 * the list is measured by (npm run bench -- announce list). Everything else goes through Fastify.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/deps.ts'
import { AnnounceCall } from './announce-call.ts'
import { ListCall } from './list-call.ts'
import type { RunningMasterList } from './masterlist.ts'
import { sourceAddressBy } from './source-address.ts'

export class FastRoutes {
  readonly announces: AnnounceCall
  readonly lists: ListCall
  #isDraining = false

  constructor({ env, clock }: Pick<Deps, 'env' | 'clock'>, { announcing, publisher }: Pick<RunningMasterList, 'announcing' | 'publisher'>) {
    const addressOf = sourceAddressBy(env.TRUSTED_PROXIES)
    this.announces = new AnnounceCall(announcing, addressOf)
    this.lists = new ListCall(publisher, addressOf, clock, env.RATE_LIMITS)
  }

  /** Answers the request, or false where it is not one of the two. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isDraining) response.shouldKeepAlive = false
    const { method, url = '' } = request
    if (method === 'POST' && url === '/announce') this.announces.announce(request, response)
    else if ((method === 'GET' || method === 'HEAD') && (url === '/servers' || url.startsWith('/servers?')))
      this.lists.servers(request, response)
    else return false
    return true
  }

  /** From now on every answer closes its connection. */
  drain(): void {
    this.#isDraining = true
  }
}

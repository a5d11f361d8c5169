/** Serves nearly all traffic directly on node:http: `POST /announce`, `GET /servers` with its stream, and `GET /servers/list`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/platform/deps.ts'
import { AnnounceHandler } from '#backend/masterlist/announces/announce-handler.ts'
import { ListHandler } from '#backend/masterlist/lists/list-handler.ts'
import { ListStreams } from '#backend/masterlist/lists/list-stream.ts'
import { BodyRequest } from '#backend/platform/node-internals/body-request.ts'
import { RequestStats } from '#backend/masterlist/wire/request-stats.ts'
import type { Age } from '#backend/masterlist/wire/list-heads.ts'
import { sourceAddressBy } from '#backend/platform/http/client-address.ts'
import { keepHiddenClass } from '#backend/platform/node-internals/stable-hidden-classes.ts'
import type { RunningMasterList } from './masterlist.ts'

export class FastRoutes {
  readonly announces: AnnounceHandler
  readonly lists: ListHandler
  readonly streams: ListStreams
  readonly stats = new RequestStats()
  #isDraining = false

  constructor(
    deps: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>,
    list: Pick<RunningMasterList, 'pipeline' | 'snapshots' | 'changes' | 'registry'>,
    age: Age,
  ) {
    const addressOf = sourceAddressBy(deps.env.TRUSTED_PROXIES)
    this.announces = new AnnounceHandler(list.pipeline, addressOf)
    this.lists = new ListHandler(deps, list, addressOf, age)
    this.streams = new ListStreams(deps, list.changes, addressOf)
  }

  /** Returns false for all other requests. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isDraining) response.shouldKeepAlive = false
    const { method, url = '' } = request
    keepHiddenClass('response', response)
    if (method === 'POST' && url === '/announce') {
      this.stats.begin('announce', response)
      this.announces.announce(request, response)
    } else if (method !== 'GET' && method !== 'HEAD') return this.#passToFramework(response)
    else if (url === '/servers' || url.startsWith('/servers?')) {
      BodyRequest.discard(request)
      this.stats.begin('servers', response)
      this.lists.servers(request, response)
    } else if (url === '/servers/list' || url.startsWith('/servers/list?')) {
      BodyRequest.discard(request)
      this.stats.begin('servers', response)
      this.lists.legacyServers(request, response)
    } else if (url === '/servers/stream' || url.startsWith('/servers/stream?')) {
      this.stats.begin('stream', response)
      this.streams.stream(request, response)
    } else return this.#passToFramework(response)
    return true
  }

  #passToFramework(response: ServerResponse): false {
    this.stats.begin('other', response)
    return false
  }

  /** From now on each response closes its connection, and streams end. */
  drain(): void {
    this.#isDraining = true
    this.announces.drain()
    this.streams.drain()
  }
}

/** The calls that are nearly all of the traffic, directly on node:http: a framework would cost half as much again (docs/decisions/0008). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as contract from '#contract/masterlist/masterlist.ts'
import * as legacy from '#contract/masterlist/legacy-list.ts'
import { AnnounceCalls } from '#backend/masterlist/announces/announce-calls.ts'
import { ListHandler } from '#backend/masterlist/lists/list-handler.ts'
import { ListStreams } from '#backend/masterlist/lists/list-stream.ts'
import type { Age } from '#backend/masterlist/wire/list-heads.ts'
import { type Reply, UNAVAILABLE_SECONDS, rejectionReply, writeReply } from '#backend/masterlist/wire/reply.ts'
import type { RequestStats } from '#backend/masterlist/wire/request-stats.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { sourceAddressBy } from '#backend/platform/http/client-address.ts'
import { traceFields } from '#backend/platform/trace.ts'
import type { RunningMasterList } from './masterlist.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface Route {
  readonly name: string
  readonly handle: Handle
}

export class DirectRoutes {
  readonly streams: ListStreams
  readonly #log: Deps['log']
  readonly #stats: RequestStats
  /** By path, then by method. */
  readonly #routes: ReadonlyMap<string, ReadonlyMap<string, Route>>
  #isDraining = false

  constructor(deps: Deps, list: RunningMasterList, age: Age) {
    this.#log = deps.log
    this.#stats = list.requestStats
    const addressOf = sourceAddressBy(deps.env.TRUSTED_PROXIES)
    const announces = new AnnounceCalls(list.pipeline, addressOf)
    const lists = new ListHandler(deps, list, addressOf, age)
    this.streams = new ListStreams(deps, list.changes, addressOf)
    this.#routes = routesOf([
      [contract.announce.route, (request, response) => void this.#answer(request, response, announces.announce(request))],
      [contract.leave.route, (request, response) => void this.#answer(request, response, announces.leave(request))],
      [contract.servers.route, (request, response) => lists.servers(request, response)],
      [legacy.servers.route, (request, response) => lists.legacyServers(request, response)],
      [contract.stream.route, (request, response) => this.streams.stream(request, response)],
    ])
  }

  /** Returns false for all other requests. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = request
    const route = (this.#routes.get(url) ?? this.#routes.get(pathOf(url)))?.get(methodOf(request))
    if (route === undefined) return false
    this.#stats.measure(route.name, response)
    if (this.#isDraining) response.setHeader('Connection', 'close')
    route.handle(request, response)
    return true
  }

  /** From now on each response closes its connection, and streams end. */
  drain(): void {
    this.#isDraining = true
    this.streams.drain()
  }

  async #answer(request: IncomingMessage, response: ServerResponse, pending: Promise<Reply>): Promise<void> {
    let reply: Reply
    try {
      reply = await pending
    } catch (error) {
      this.#log.error({ err: error, ...traceFields(request) }, 'announce failed')
      reply = rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS)
    }
    if (this.#isDraining && !response.headersSent) response.setHeader('Connection', 'close')
    writeReply(response, reply)
  }
}

/** @param handles by method and path, such as `GET /servers`. */
function routesOf(handles: readonly (readonly [string, Handle])[]): ReadonlyMap<string, ReadonlyMap<string, Route>> {
  const routes = handles.map(([name, handle]) => ({ name, handle, words: name.split(' ') }))
  const byPath = Map.groupBy(routes, ({ words: [, path = ''] }) => path)
  return new Map([...byPath].map(([path, all]) => [path, new Map(all.map((route) => [route.words[0] ?? '', route]))]))
}

const methodOf = ({ method = '' }: IncomingMessage) => (method === 'HEAD' ? 'GET' : method)

/**
 * A base URL that ends with a slash is a common mistake: `//announce`. Clients of a proxy send the whole URL (RFC 9112, section 3.2.2), which
 * every server must accept.
 */
function pathOf(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)
  return path.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '')
}

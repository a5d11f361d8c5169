/** Game servers that announce over HTTP. Each announce has a distinct player count, which identifies it on a list. */
import { Agent, request } from 'node:http'
import { registerFleet } from '#backend/cli/simulate/register.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { readEnv } from '#backend/platform/env.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { portOf, validAnnounce } from '#tests/factories.ts'

const MAX_PLAYERS = 4000

export interface FleetServer {
  readonly publicId: string
  readonly credential: string
  /** Selects the list for the next announce. */
  turn: number
  /** The player count of its last accepted announce; undefined before the first. */
  acknowledged: number | undefined
}

export interface FailedAnnounce {
  readonly publicId: string
  /** The list that it was sent to. */
  readonly url: string
  /** 0: the connection failed. */
  readonly status: number
  readonly why: string
}

/** Registers this many servers of one owner. */
export async function registerServers(db: Db, count: number): Promise<FleetServer[]> {
  const registered = await registerFleet({ env: readEnv({}), db }, profilesFor(count, 1), () => undefined)
  return registered.map(({ publicId, credential }, index) => ({ publicId, credential, turn: index, acknowledged: undefined }))
}

class StaleConnectionError extends Error {}

export class Fleet {
  readonly servers: readonly FleetServer[]
  /** Announces that were not accepted. Tests may empty it. */
  readonly failures: FailedAnnounce[] = []
  accepted = 0
  readonly #agent: Agent
  #urls: readonly string[]
  #players = 0
  #timers: NodeJS.Timeout[] = []
  readonly #inFlight = new Set<Promise<unknown>>()

  /** @param urls lists that each server announces to in turn. @param maxSockets announces in flight to one list; others wait in this process */
  constructor(servers: readonly FleetServer[], urls: readonly string[], maxSockets = 16) {
    this.servers = servers
    this.#urls = urls
    this.#agent = new Agent({ keepAlive: true, maxSockets })
  }

  /** Sends later announces to these lists, as a load balancer does with ready nodes. */
  setUrls(urls: readonly string[]): void {
    this.#urls = urls
  }

  /** Sends one announce of one server. @param to a list; undefined takes the next in turn */
  async announce(
    server: FleetServer,
    to?: string,
    body: Readonly<Record<string, unknown>> = {},
  ): Promise<{ status: number; text: string }> {
    this.#players = (this.#players + 1) % MAX_PLAYERS
    const players = this.#players
    const url = to ?? this.#urls[(server.turn += 1) % this.#urls.length] ?? ''
    const json = JSON.stringify({
      ...validAnnounce,
      port: portOf(server.credential),
      maxPlayersCount: 4096,
      playersCount: players,
      ...body,
    })
    const response = await this.#deliver(url, server.credential, json)
    if (response.status === 200) {
      this.accepted += 1
      server.acknowledged = players
    } else this.failures.push({ publicId: server.publicId, url, status: response.status, why: response.text })
    return response
  }

  /** Announces every server once, eight at a time. */
  async announceAll(to?: string): Promise<void> {
    const remaining = [...this.servers]
    const work = async () => {
      for (let server = remaining.pop(); server !== undefined; server = remaining.pop()) await this.announce(server, to)
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }

  /** Announces every server at this interval, evenly spread, until `quiet`. */
  start(everyMs: number): void {
    this.servers.forEach((server, index) => {
      const first = setTimeout(
        () => {
          const announceNext = () => {
            const sent = this.announce(server)
            this.#inFlight.add(sent)
            void sent.finally(() => this.#inFlight.delete(sent))
          }
          announceNext()
          this.#timers.push(setInterval(announceNext, everyMs))
        },
        (everyMs * index) / this.servers.length,
      )
      this.#timers.push(first)
    })
  }

  /** Stops all announces; resolves once none is in flight. */
  async quiet(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#inFlight)
  }

  /** Retries once on a stale keep-alive connection, as HTTP clients do. */
  async #deliver(url: string, credential: string, body: string): Promise<{ status: number; text: string }> {
    const failed = (error: unknown) => ({ status: 0, text: String(error) })
    try {
      return await this.#send(url, credential, body)
    } catch (error) {
      return error instanceof StaleConnectionError ? await this.#send(url, credential, body).catch(failed) : failed(error)
    }
  }

  #send(url: string, credential: string, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${url}/announce`,
        {
          method: 'POST',
          agent: this.#agent,
          timeout: 10_000,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), authorization: `Bearer ${credential}` },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('error', reject)
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      sent.on('error', (error) => reject(sent.reusedSocket ? new StaleConnectionError(error.message) : error))
      sent.on('timeout', () => sent.destroy(new Error('No response within ten seconds.')))
      sent.end(body)
    })
  }
}

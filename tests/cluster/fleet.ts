/** A fleet of game servers that announce over HTTP, each with a number of players that says which of its announces it was. */
import { Agent, request } from 'node:http'
import { registerFleet } from '#backend/cli/simulate/register.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { readEnv } from '#backend/platform/env.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anAnnounce } from '#tests/factories.ts'

const MAX_PLAYERS = 4000

export interface FleetServer {
  readonly publicId: string
  readonly credential: string
  /** Whose turn it is to get its next announce. */
  turn: number
  /** What its last acknowledged announce contained; undefined before the first. */
  acknowledged: number | undefined
}

export interface FailedAnnounce {
  readonly publicId: string
  /** Of the list that it went to. */
  readonly url: string
  /** 0: the connection failed. */
  readonly status: number
  readonly why: string
}

/** Registers so many servers of one owner. */
export async function registerServers(db: Db, count: number): Promise<FleetServer[]> {
  const registered = await registerFleet({ env: readEnv({}), db }, profilesFor(count, 1), () => undefined)
  return registered.map(({ publicId, credential }, index) => ({ publicId, credential, turn: index, acknowledged: undefined }))
}

class UsedBefore extends Error {}

export class Fleet {
  readonly servers: readonly FleetServer[]
  /** Announces that were not accepted, since this was last emptied. */
  readonly failures: FailedAnnounce[] = []
  accepted = 0
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  #urls: readonly string[]
  #players = 0
  #timers: NodeJS.Timeout[] = []
  readonly #underWay = new Set<Promise<unknown>>()

  /** @param urls of lists; each server's announces go to them in turn. */
  constructor(servers: readonly FleetServer[], urls: readonly string[]) {
    this.servers = servers
    this.#urls = urls
  }

  /** From now on its announces go to these, as a balancer decides that looks who is ready. */
  reach(urls: readonly string[]): void {
    this.#urls = urls
  }

  /** One announce of one server. Answers the number of players it said. @param to undefined: whose turn it is. */
  async announce(
    server: FleetServer,
    to?: string,
    body: Readonly<Record<string, unknown>> = {},
  ): Promise<{ status: number; text: string }> {
    this.#players = (this.#players + 1) % MAX_PLAYERS
    const players = this.#players
    const url = to ?? this.#urls[(server.turn += 1) % this.#urls.length] ?? ''
    const said = JSON.stringify({ ...anAnnounce, maxPlayersCount: 4096, playersCount: players, ...body })
    const answer = await this.#deliver(url, server.credential, said)
    if (answer.status === 200) {
      this.accepted += 1
      server.acknowledged = players
    } else this.failures.push({ publicId: server.publicId, url, status: answer.status, why: answer.text })
    return answer
  }

  /** Each server announces once, a few at once. */
  async announceAll(to?: string): Promise<void> {
    const left = [...this.servers]
    const work = async () => {
      for (let server = left.pop(); server !== undefined; server = left.pop()) await this.announce(server, to)
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }

  /** From now on each announces so often, evenly spread, until `quiet`. */
  start(everyMs: number): void {
    this.servers.forEach((server, index) => {
      const first = setTimeout(
        () => {
          const again = () => {
            const sent = this.announce(server)
            this.#underWay.add(sent)
            void sent.finally(() => this.#underWay.delete(sent))
          }
          again()
          this.#timers.push(setInterval(again, everyMs))
        },
        (everyMs * index) / this.servers.length,
      )
      this.#timers.push(first)
    })
  }

  /** Stops all announces; resolves when every announce in flight is answered. */
  async quiet(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    await Promise.all(this.#underWay)
  }

  /** A connection that was kept may end in the moment in which it is used again; then another one is, as every client does it. */
  async #deliver(url: string, credential: string, body: string): Promise<{ status: number; text: string }> {
    const failed = (error: unknown) => ({ status: 0, text: String(error) })
    try {
      return await this.#send(url, credential, body)
    } catch (error) {
      return error instanceof UsedBefore ? await this.#send(url, credential, body).catch(failed) : failed(error)
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
      sent.on('error', (error) => reject(sent.reusedSocket ? new UsedBefore(error.message) : error))
      sent.on('timeout', () => sent.destroy(new Error('There was no answer within ten seconds.')))
      sent.end(body)
    })
  }
}

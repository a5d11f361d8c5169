/** A list that answers as its scenario says, and records what it received. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Family } from '../types.ts'
import type { Answer } from './answers.ts'
import { LOOPBACK } from './dual-stack.ts'

/** A request, in milliseconds since the start of the scenario. */
export interface Seen {
  readonly at: number
  readonly family: Family
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Changed once, before it is sent, if the request is wrong. */
  answer: Answer
  /** Whether an earlier announce over this family was still waiting for its reply. */
  readonly overlaps: boolean
  /** When the reply was complete, or the connection ended; undefined while it is pending. */
  answeredAt: number | undefined
}

/**
 * Below the ephemeral ports of every system, and none twice: nothing takes the port of a list while it is down. Above 10080, which
 * `fetch` blocks (https://fetch.spec.whatwg.org/#bad-port).
 */
const PORTS = { from: 11_000, count: 9000 }
/** As long as a master list keeps an idle connection. */
const KEEP_ALIVE_MS = 15_000
let nextPort = Math.floor(Math.random() * PORTS.count)

export class FakeList {
  readonly seen: Seen[] = []
  readonly #startedAt = performance.now()
  readonly #answerTo: (method: string, index: number, family: Family) => Answer
  readonly #verdictOn: (request: Seen) => Answer | undefined
  readonly #name: string
  readonly #families: readonly Family[]
  #servers: Server[] = []
  #port = 0
  #isClosed = false
  #wake: (() => void)[] = []

  /**
   * @param answerTo the answer to the request with this number of its method and family, from 0
   * @param verdictOn the rejection of a wrong request, instead of that answer
   * @param name of this machine, for these families
   */
  constructor(
    answerTo: (method: string, index: number, family: Family) => Answer,
    verdictOn: (request: Seen) => Answer | undefined = () => undefined,
    name: string = LOOPBACK[4],
    families: readonly Family[] = [4],
  ) {
    this.#answerTo = answerTo
    this.#verdictOn = verdictOn
    this.#name = name
    this.#families = families
  }

  get url(): string {
    return `http://${this.#name}:${this.#port}`
  }

  get now(): number {
    return performance.now() - this.#startedAt
  }

  get announces(): Seen[] {
    return this.seen.filter(({ method }) => method !== 'DELETE')
  }

  get goodbyes(): Seen[] {
    return this.seen.filter(({ method }) => method === 'DELETE')
  }

  /** Reserves the port. @param isDown whether it does not listen yet */
  async open(isDown = false): Promise<void> {
    while (this.#servers.length === 0) {
      nextPort += 1
      this.#port = PORTS.from + (nextPort % PORTS.count)
      await this.#listen().catch(async (error: NodeJS.ErrnoException) => {
        await this.#close()
        // Windows reserves some ports.
        if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
      })
    }
    if (isDown) await this.#close()
  }

  /** Refuses connections for this long. */
  async goDown(ms: number): Promise<void> {
    await this.#close()
    await sleep(ms, undefined, { ref: false })
    if (!this.#isClosed) await this.#listen()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#close()
  }

  /** Resolves at the next request, or after this many milliseconds. */
  async nextEvent(ms: number): Promise<void> {
    const stop = new AbortController()
    const event = new Promise<void>((resolve) => this.#wake.push(resolve))
    await Promise.race([event, sleep(Math.max(0, ms), undefined, { signal: stop.signal }).catch(() => undefined)])
    stop.abort()
  }

  async #listen(): Promise<void> {
    for (const family of this.#families) {
      const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
        request.on('error', () => undefined)
        response.on('error', () => undefined)
        void this.#receive(request, response, family)
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(this.#port, LOOPBACK[family], resolve)
      })
      this.#servers.push(server)
    }
  }

  async #close(): Promise<void> {
    const close = (server: Server) =>
      new Promise((resolve) => {
        server.close(resolve).closeAllConnections()
      })
    await Promise.all(this.#servers.splice(0).map(close))
  }

  async #receive(request: IncomingMessage, response: ServerResponse, family: Family): Promise<void> {
    const at = this.now
    const { method = '', url = '', headers } = request
    const earlier = (method === 'DELETE' ? this.goodbyes : this.announces).filter((other) => other.family === family)
    const overlaps = method !== 'DELETE' && earlier.some(({ answeredAt }) => answeredAt === undefined)
    const planned = this.#answerTo(method, earlier.length, family)
    const seen: Seen = { at, family, method, path: url, headers, body: '', answer: planned, overlaps, answeredAt: undefined }
    this.seen.push(seen)
    response.once('close', () => {
      seen.answeredAt ??= this.now
    })
    await readBody(request, seen)
    const answer = this.#verdictOn(seen) ?? planned
    seen.answer = answer
    this.wake()
    if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { ref: false })
    if (answer.breaks !== undefined) breakConnection(answer, response)
    else await reply(answer, response)
    if (answer.breaks !== 'never') seen.answeredAt ??= this.now
    if (answer.downMs !== undefined) void this.goDown(answer.downMs)
    this.wake()
  }

  /** Ends the waits for the next event. */
  wake(): void {
    for (const wake of this.#wake) wake()
    this.#wake = []
  }
}

async function readBody(request: IncomingMessage, seen: Seen): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    // The announcer gave up.
  }
  Object.assign(seen, { body: Buffer.concat(chunks).toString() })
}

async function reply({ status, headers = {}, body = '', trickleMs, closesAfterMs }: Answer, response: ServerResponse): Promise<void> {
  // An array of headers keeps their case. A reply in pieces is chunked.
  const length = trickleMs === undefined && status !== 204 ? ['Content-Length', String(Buffer.byteLength(body))] : []
  response.writeHead(status, [...Object.entries(headers).flat(), ...length])
  if (trickleMs !== undefined) {
    for (let sent = 0; sent < 4; sent += 1) {
      response.write(body.slice((body.length / 4) * sent, (body.length / 4) * (sent + 1)))
      await sleep(trickleMs / 4, undefined, { ref: false })
    }
  }
  const { socket } = response
  await new Promise<void>((resolve) => {
    response.once('close', resolve).end(trickleMs === undefined ? body : '')
  })
  if (closesAfterMs !== undefined) setTimeout(() => socket?.destroy(), closesAfterMs).unref()
}

function breakConnection({ breaks, headers = {}, body = '' }: Answer, response: ServerResponse): void {
  const { socket } = response
  if (breaks === 'before') socket?.resetAndDestroy()
  if (breaks === 'garbage') socket?.end('who are you\r\n\r\n')
  if (breaks !== 'during' && breaks !== 'truncated') return
  response.writeHead(200, { ...headers, 'content-length': body.length })
  response.write(body.slice(0, 20))
  if (breaks === 'during') setTimeout(() => socket?.resetAndDestroy(), 50)
  else socket?.end()
}

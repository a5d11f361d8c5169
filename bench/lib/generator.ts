/** The load generator, a child process. It writes prepared bytes and parses little HTTP, so that it is faster than the server. */
import { handleMessages } from './message-handler.ts'
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'

export interface LoadOrder {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Whole HTTP requests as text, sent in turn; or a file with them as a JSON array, read once. */
  readonly requests: readonly string[] | string
  /** The index of the first request. */
  readonly from: number
  /** Requests per second over all connections; 0 sends the next request after each response. */
  readonly rate: number
  /** Sends each request exactly once; `milliseconds` is then the timeout of one response. */
  readonly isOnce?: boolean
  /**
   * Waits in a busy loop, because waking a sleeping process would cost the server 1 to 3 µs per response.
   * Only for a single closed loop without background load.
   */
  readonly busyWaits?: boolean
  /** Each connection sends the ETag of its last response as If-None-Match. */
  readonly isConditional?: boolean
}

/** The interval in an announce response, and the second (of performance.now()) at which the next announce is due. */
export interface NextAnnounce {
  readonly seconds: number
  readonly dueSecond: number
}

export interface LoadResult {
  readonly requests: number
  readonly milliseconds: number
  /** The index of the next request. */
  readonly next: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Filled if requests are sent exactly once. */
  readonly nextAnnounces: readonly NextAnnounce[]
}

const files = new Map<string, readonly Buffer[]>()
const buffersOf = (texts: readonly string[]) => texts.map((text) => Buffer.from(text))

function requestsOf({ requests }: LoadOrder): readonly Buffer[] {
  if (typeof requests !== 'string') return buffersOf(requests)
  const buffers = files.get(requests) ?? buffersOf(JSON.parse(readFileSync(requests, 'utf8')) as string[])
  files.set(requests, buffers)
  return buffers
}

/** The default timeout of one response. */
const RESPONSE_TIMEOUT_MS = 60_000
const MAX_GAP_MS = 3000
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = '\r\n'.length

/** Parses the responses of one connection. */
class Reader {
  readonly #keepsBody: boolean
  readonly #keepsTag: boolean
  #head: Buffer = Buffer.alloc(0)
  #left = -1
  status = ''
  /** The last ETag, if it is kept. */
  etag = ''
  /** The last body, if it is kept. */
  body = ''

  constructor({ isOnce = false, isConditional = false }: LoadOrder) {
    this.#keepsBody = isOnce
    this.#keepsTag = isConditional
  }

  /** Returns true when the response is complete. */
  read(chunk: Buffer): boolean {
    if (this.#left === -1) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const at = this.#head.indexOf(HEAD_END)
      if (at === -1) return false
      const text = this.#head.toString('latin1', 0, at)
      this.status = text.slice(9, 12)
      if (this.#keepsTag) this.etag = /^etag: (.+)$/im.exec(text)?.[1] ?? this.etag
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      this.#left = (length === undefined ? 0 : Number(length)) - (this.#head.length - at - HEAD_END.length)
      if (this.#keepsBody) this.body = this.#head.toString('latin1', at + HEAD_END.length)
    } else {
      this.#left -= chunk.length
      if (this.#keepsBody) this.body += chunk.toString('latin1')
    }
    if (this.#left > 0) return false
    this.#head = Buffer.alloc(0)
    this.#left = -1
    return true
  }
}

class LoadRun {
  readonly #order: LoadOrder
  readonly #requests: readonly Buffer[]
  #next: number
  readonly #latencies: number[] = []
  readonly #statuses: Record<string, number> = {}
  readonly #nextAnnounces: NextAnnounce[] = []
  readonly #began = performance.now()
  readonly #end: number
  /** Milliseconds between the requests of one connection; 0 in a closed loop. */
  readonly #gap: number
  readonly #connections: number
  readonly #sockets: Socket[] = []
  /** Requests that may still be sent. */
  #left: number
  #bytes = 0
  #hasSent = false

  constructor(order: LoadOrder) {
    this.#order = order
    this.#requests = requestsOf(order)
    this.#next = order.from % this.#requests.length
    this.#end = order.isOnce === true ? Number.POSITIVE_INFINITY : this.#began + order.milliseconds
    this.#left = order.isOnce === true ? this.#requests.length : Number.POSITIVE_INFINITY
    // Some servers close a connection that is idle for longer.
    const isOpenLoop = order.rate > 0
    this.#connections = isOpenLoop ? Math.min(order.connections, Math.ceil((order.rate * MAX_GAP_MS) / 1000)) : order.connections
    this.#gap = isOpenLoop ? (1000 * this.#connections) / order.rate : 0
  }

  async run(): Promise<LoadResult> {
    let isBusyWaiting = this.#order.busyWaits === true
    const busyWait = () => {
      if (isBusyWaiting) setImmediate(busyWait)
    }
    busyWait()
    try {
      await Promise.all(Array.from({ length: this.#connections }, (_, index) => this.#connection(index)))
    } finally {
      isBusyWaiting = false
      // After a failure, stop the other connections too.
      this.#left = 0
      for (const socket of this.#sockets) socket.destroy()
    }
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    return {
      requests: this.#latencies.length,
      milliseconds: performance.now() - this.#began,
      next: this.#next,
      statuses: this.#statuses,
      bytes: this.#bytes,
      p50: at(0.5),
      p99: at(0.99),
      nextAnnounces: this.#nextAnnounces,
    }
  }

  /** @param etag of the last response, if it is kept */
  #nextRequest(etag: string): Buffer {
    const request = this.#requests[this.#next] as Buffer
    this.#next = (this.#next + 1) % this.#requests.length
    this.#left -= 1
    if (etag === '') return request
    return Buffer.concat([request.subarray(0, -LINE_END), Buffer.from(`If-None-Match: ${etag}\r\n\r\n`)])
  }

  /** An open loop sends all due requests, however late, so that a stalled server gets the full load. At least one request is sent. */
  #isOver(now: number, dueAt: number): boolean {
    return this.#left === 0 || ((this.#gap > 0 ? dueAt : now) >= this.#end && this.#hasSent)
  }

  #recordNextAnnounce(body: string): void {
    const seconds = Number(/"nextAnnounceSeconds":(\d+)/.exec(body)?.[1])
    this.#nextAnnounces.push({ seconds, dueSecond: Math.floor(performance.now() / 1000 + seconds) })
  }

  async #connection(index: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ port: this.#order.port, host: '127.0.0.1', noDelay: true })
    this.#sockets.push(socket)
    const { isOnce = false, milliseconds } = this.#order
    const reader = new Reader(this.#order)
    let sentAt = 0
    let dueAt = this.#began + (this.#gap * index) / this.#connections
    const sendNext = () => {
      const now = performance.now()
      if (this.#isOver(now, dueAt)) {
        resolve()
        socket.destroy()
        return
      }
      if (this.#gap > 0 && now < dueAt) {
        setTimeout(sendNext, dueAt - now)
        return
      }
      // Latency counts from the due time, so that it includes the delay that a slow server causes.
      sentAt = this.#gap > 0 ? dueAt : now
      dueAt += this.#gap
      this.#hasSent = true
      socket.write(this.#nextRequest(reader.etag))
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    const timeoutMs = isOnce ? milliseconds : RESPONSE_TIMEOUT_MS
    socket.setTimeout(timeoutMs, () => reject(new Error(`No response within ${timeoutMs} ms.`)))
    // Has no effect after resolve().
    socket.on('close', () => reject(new Error(`The server closed a connection after ${this.#latencies.length} responses.`)))
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length
      if (!reader.read(chunk)) return
      this.#statuses[reader.status] = (this.#statuses[reader.status] ?? 0) + 1
      this.#latencies.push(performance.now() - sentAt)
      if (isOnce) this.#recordNextAnnounce(reader.body)
      sendNext()
    })
    return promise
  }
}

handleMessages((order: LoadOrder) => new LoadRun(order).run())

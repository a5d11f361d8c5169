/** The load generator, a child process. It writes prepared bytes and parses little HTTP, so that it is faster than the server. */
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { answerMessages } from './worker-process.ts'

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
}

export interface LoadResult {
  readonly requests: number
  readonly milliseconds: number
  /** The index of the next request. */
  readonly next: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const files = new Map<string, readonly Buffer[]>()
const buffersOf = (texts: readonly string[]) => texts.map((text) => Buffer.from(text))

function requestsOf({ requests }: LoadOrder): readonly Buffer[] {
  if (typeof requests !== 'string') return buffersOf(requests)
  const buffers = files.get(requests) ?? buffersOf(JSON.parse(readFileSync(requests, 'utf8')) as string[])
  files.set(requests, buffers)
  return buffers
}

const RESPONSE_TIMEOUT_MS = 60_000
/** Some servers close a connection that is idle for longer. */
const MAX_GAP_MS = 3000
const HEAD_END = Buffer.from('\r\n\r\n')

/** Parses the responses of one connection. */
class Reader {
  #head: Buffer = Buffer.alloc(0)
  #left = -1
  status = ''

  /** Returns true when the response is complete. */
  read(chunk: Buffer): boolean {
    if (this.#left === -1) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const at = this.#head.indexOf(HEAD_END)
      if (at === -1) return false
      const text = this.#head.toString('latin1', 0, at)
      this.status = text.slice(9, 12)
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      this.#left = (length === undefined ? 0 : Number(length)) - (this.#head.length - at - HEAD_END.length)
    } else this.#left -= chunk.length
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
  readonly #began = performance.now()
  readonly #end: number
  /** Milliseconds between the requests of one connection; 0 in a closed loop. */
  readonly #gap: number
  readonly #connections: number
  readonly #sockets: Socket[] = []
  #hasSent = false

  constructor(order: LoadOrder) {
    this.#order = order
    this.#requests = requestsOf(order)
    this.#next = order.from % this.#requests.length
    this.#end = this.#began + order.milliseconds
    const isOpenLoop = order.rate > 0
    this.#connections = isOpenLoop ? Math.min(order.connections, Math.ceil((order.rate * MAX_GAP_MS) / 1000)) : order.connections
    this.#gap = isOpenLoop ? (1000 * this.#connections) / order.rate : 0
  }

  async run(): Promise<LoadResult> {
    try {
      await Promise.all(Array.from({ length: this.#connections }, (_, index) => this.#connection(index)))
    } finally {
      for (const socket of this.#sockets) socket.destroy()
    }
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    const milliseconds = performance.now() - this.#began
    return { requests: sorted.length, milliseconds, next: this.#next, statuses: this.#statuses, p50: at(0.5), p99: at(0.99) }
  }

  #nextRequest(): Buffer {
    const request = this.#requests[this.#next] as Buffer
    this.#next = (this.#next + 1) % this.#requests.length
    this.#hasSent = true
    return request
  }

  async #connection(index: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ port: this.#order.port, host: '127.0.0.1', noDelay: true })
    this.#sockets.push(socket)
    const reader = new Reader()
    let sentAt = 0
    let dueAt = this.#began + (this.#gap * index) / this.#connections
    const sendNext = () => {
      const now = performance.now()
      // An open loop sends all due requests, however late, so that a stalled server gets the full load. At least one request is sent.
      if ((this.#gap > 0 ? dueAt : now) >= this.#end && this.#hasSent) {
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
      socket.write(this.#nextRequest())
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => reject(new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms.`)))
    // Has no effect after resolve().
    socket.on('close', () => reject(new Error(`The server closed a connection after ${this.#latencies.length} responses.`)))
    socket.on('data', (chunk: Buffer) => {
      if (!reader.read(chunk)) return
      this.#statuses[reader.status] = (this.#statuses[reader.status] ?? 0) + 1
      this.#latencies.push(performance.now() - sentAt)
      sendNext()
    })
    return promise
  }
}

answerMessages((order: LoadOrder) => new LoadRun(order).run())

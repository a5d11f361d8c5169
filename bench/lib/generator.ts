/**
 * The load: a process of its own that keeps `connections` sockets busy, one request at a time each, and counts. It writes prepared
 * bytes and reads only as much of HTTP as it needs, so that it can ask faster than a server on one core can answer.
 */
import { answerEach } from './answering.ts'
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'

export interface Order {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Whole HTTP requests as text, sent in turn; or a file that holds them as a JSON array, which is read once. */
  readonly requests: readonly string[] | string
  /** With which of them it begins. */
  readonly from: number
  /** Requests a second over all connections; 0 sends the next as soon as the answer is there. */
  readonly rate: number
  /** Each request exactly once, however long that takes; `milliseconds` is then the patience with one answer. */
  readonly isOnce?: boolean
  /**
   * It does not sleep while it waits for an answer: waking it is charged to whoever answers, 1 to 3 µs, which a quick server is spared, because
   * it finds the load at work, and which no client on another machine would cost either. For one closed loop beside which nothing runs.
   */
  readonly staysAwake?: boolean
  /** Each connection is a reader of its own, who asks for nothing but what is newer than the last that it was given. */
  readonly keepsTags?: boolean
}

/** What an announce was told: seconds to wait, and on which second (of performance.now()) it is due then. */
export interface Wait {
  readonly seconds: number
  readonly dueSecond: number
}

export interface Yield {
  readonly requests: number
  readonly milliseconds: number
  /** Which request would have been the next. */
  readonly next: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Of announces that are sent exactly once. */
  readonly waits: readonly Wait[]
}

const files = new Map<string, readonly Buffer[]>()
const buffersOf = (texts: readonly string[]) => texts.map((text) => Buffer.from(text))

function requestsOf({ requests }: Order): readonly Buffer[] {
  if (typeof requests !== 'string') return buffersOf(requests)
  const known = files.get(requests) ?? buffersOf(JSON.parse(readFileSync(requests, 'utf8')) as string[])
  files.set(requests, known)
  return known
}

/** With one answer, where the order does not say. */
const PATIENCE_MS = 60_000
const MAX_GAP_MS = 3000
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = '\r\n'.length

/** Reads the answers of one connection, one after the other. */
class Reader {
  readonly #keepsBody: boolean
  readonly #keepsTag: boolean
  #head: Buffer = Buffer.alloc(0)
  #left = -1
  status = ''
  /** Of the last answer that had one, where it is kept. */
  etag = ''
  /** Of the last answer, where it is kept. */
  body = ''

  constructor({ isOnce = false, keepsTags = false }: Order) {
    this.#keepsBody = isOnce
    this.#keepsTag = keepsTags
  }

  /** True when the answer is complete. */
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

class Drive {
  readonly #order: Order
  readonly #requests: readonly Buffer[]
  #next: number
  readonly #latencies: number[] = []
  readonly #statuses: Record<string, number> = {}
  readonly #waits: Wait[] = []
  readonly #began = performance.now()
  readonly #end: number
  /** Milliseconds between the requests of one connection; 0 where they follow each other at once. */
  readonly #gap: number
  readonly #connections: number
  readonly #sockets: Socket[] = []
  /** How many may still be sent. */
  #left: number
  #bytes = 0
  #hasSent = false

  constructor(order: Order) {
    this.#order = order
    this.#requests = requestsOf(order)
    this.#next = order.from % this.#requests.length
    this.#end = order.isOnce === true ? Number.POSITIVE_INFINITY : this.#began + order.milliseconds
    this.#left = order.isOnce === true ? this.#requests.length : Number.POSITIVE_INFINITY
    // A connection that is silent for longer is closed by some servers.
    const isOpen = order.rate > 0
    this.#connections = isOpen ? Math.min(order.connections, Math.ceil((order.rate * MAX_GAP_MS) / 1000)) : order.connections
    this.#gap = isOpen ? (1000 * this.#connections) / order.rate : 0
  }

  async run(): Promise<Yield> {
    let isAwake = this.#order.staysAwake === true
    const stayAwake = () => {
      if (isAwake) setImmediate(stayAwake)
    }
    stayAwake()
    try {
      await Promise.all(Array.from({ length: this.#connections }, (_, index) => this.#connection(index)))
    } finally {
      isAwake = false
      // Where one failed the others would go on beside what is asked next.
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
      waits: this.#waits,
    }
  }

  /** @param etag of what is known already, where that is kept. */
  #take(etag: string): Buffer {
    const request = this.#requests[this.#next] as Buffer
    this.#next = (this.#next + 1) % this.#requests.length
    this.#left -= 1
    if (etag === '') return request
    return Buffer.concat([request.subarray(0, -LINE_END), Buffer.from(`If-None-Match: ${etag}\r\n\r\n`)])
  }

  /**
   * In an open loop all that was due is sent, however late: who is stalled at the end would else be asked for less than was to be borne. Also where
   * connecting took longer than the turn one is sent: of no answer nothing can be said.
   */
  #isOver(now: number, dueAt: number): boolean {
    return this.#left === 0 || ((this.#gap > 0 ? dueAt : now) >= this.#end && this.#hasSent)
  }

  #noteWait(body: string): void {
    const seconds = Number(/"nextAnnounceSeconds":(\d+)/.exec(body)?.[1])
    this.#waits.push({ seconds, dueSecond: Math.floor(performance.now() / 1000 + seconds) })
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
      // Counted from when it was due: a slow server makes later requests wait, and that is its latency too.
      sentAt = this.#gap > 0 ? dueAt : now
      dueAt += this.#gap
      this.#hasSent = true
      socket.write(this.#take(reader.etag))
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    const patienceMs = isOnce ? milliseconds : PATIENCE_MS
    socket.setTimeout(patienceMs, () => reject(new Error(`No answer came within ${patienceMs} ms.`)))
    // Of one that is over it says nothing any more.
    socket.on('close', () => reject(new Error(`The server closed a connection after ${this.#latencies.length} answers.`)))
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length
      if (!reader.read(chunk)) return
      this.#statuses[reader.status] = (this.#statuses[reader.status] ?? 0) + 1
      this.#latencies.push(performance.now() - sentAt)
      if (isOnce) this.#noteWait(reader.body)
      sendNext()
    })
    return promise
  }
}

answerEach((order: Order) => new Drive(order).run())

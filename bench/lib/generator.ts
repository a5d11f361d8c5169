/** The load generator, a child process. It writes prepared bytes and parses little HTTP, so that it is faster than the server. */
import { readFileSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { answerMessages } from './worker-process.ts'

export interface LoadOrder {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** A file with whole HTTP requests as a JSON array of text, sent in turn. */
  readonly requests: string
  /** The index of the first request. */
  readonly from: number
  /** Requests per second over all connections; 0 sends the next request after each response. */
  readonly rate: number
}

export interface LoadResult {
  readonly requests: number
  readonly milliseconds: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds. */
  readonly p99: number
}

const RESPONSE_TIMEOUT_MS = 60_000
/** Some servers close a connection that is idle for longer. */
const MAX_GAP_MS = 3000
const HEAD_END = Buffer.from('\r\n\r\n')

const files = new Map<string, readonly Buffer[]>()

function requestsIn(file: string): readonly Buffer[] {
  const requests = files.get(file) ?? (JSON.parse(readFileSync(file, 'utf8')) as string[]).map((text) => Buffer.from(text))
  files.set(file, requests)
  return requests
}

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
      this.#left = Number(length ?? 0) - (this.#head.length - at - HEAD_END.length)
    } else this.#left -= chunk.length
    if (this.#left > 0) return false
    this.#head = Buffer.alloc(0)
    this.#left = -1
    return true
  }
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const requests = requestsIn(order.requests)
  const isOpenLoop = order.rate > 0
  const connections = isOpenLoop ? Math.min(order.connections, Math.ceil((order.rate * MAX_GAP_MS) / 1000)) : order.connections
  /** Milliseconds between the requests of one connection in an open loop. */
  const gap = (1000 * connections) / order.rate
  const statuses: Record<string, number> = {}
  const latencies = createHistogram()
  const sockets: Socket[] = []
  let sent = 0
  const began = performance.now()
  const end = began + order.milliseconds

  const runConnection = (index: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
    sockets.push(socket)
    const reader = new Reader()
    let sentAt = 0
    let dueAt = began + (gap * index) / connections
    const sendNext = () => {
      const now = performance.now()
      // An open loop sends all due requests, however late, so that a stalled server gets the full load. At least one request is sent.
      if ((isOpenLoop ? dueAt : now) >= end && sent > 0) return resolve()
      if (isOpenLoop && now < dueAt) return void setTimeout(sendNext, dueAt - now)
      // Latency counts from the due time, so that it includes the delay that a slow server causes.
      sentAt = isOpenLoop ? dueAt : now
      dueAt += gap
      socket.write(requests[(order.from + sent) % requests.length] as Buffer)
      sent += 1
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => reject(new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms.`)))
    // Has no effect after resolve().
    socket.on('close', () => reject(new Error(`The server closed a connection after ${latencies.count} responses.`)))
    socket.on('data', (chunk: Buffer) => {
      if (!reader.read(chunk)) return
      statuses[reader.status] = (statuses[reader.status] ?? 0) + 1
      // Microseconds; a histogram takes whole numbers from 1.
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)))
      sendNext()
    })
    return promise
  }

  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => runConnection(index)))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return { requests: latencies.count, milliseconds: performance.now() - began, statuses, p99: latencies.percentile(99) / 1000 }
}

answerMessages(run)

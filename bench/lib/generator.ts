/**
 * The load: a process of its own that keeps `connections` sockets busy, one request at a time each, and counts. It writes prepared
 * bytes and reads only as much of HTTP as it needs, so that it can ask faster than a server on one core can answer.
 */
import { connect } from 'node:net'

export interface Order {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Whole HTTP requests as text; sent in turn. */
  readonly requests: readonly string[]
  /** Requests a second over all connections; 0 sends the next as soon as the answer is there. */
  readonly rate: number
}

export interface Yield {
  readonly requests: number
  readonly milliseconds: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

function drive(order: Order): Promise<Yield> {
  const requests = order.requests.map((text) => Buffer.from(text))
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  let bytes = 0
  let next = Math.floor(Math.random() * requests.length)
  const began = performance.now()
  const end = began + order.milliseconds
  const gap = order.rate === 0 ? 0 : (1000 * order.connections) / order.rate

  const one = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let dueAt = began + (gap * index) / order.connections
      let head: Buffer = Buffer.alloc(0)
      let left = -1
      const sendNext = () => {
        const now = performance.now()
        if (now >= end) {
          socket.destroy()
          resolve()
          return
        }
        if (gap > 0 && now < dueAt) {
          setTimeout(sendNext, dueAt - now)
          return
        }
        // Counted from when it was due: a slow server makes later requests wait, and that is its latency too.
        sentAt = gap > 0 ? dueAt : now
        dueAt += gap
        head = Buffer.alloc(0)
        left = -1
        socket.write(requests[next] ?? '')
        next = (next + 1) % requests.length
      }
      const done = () => {
        latencies.push(performance.now() - sentAt)
        sendNext()
      }
      socket.on('connect', sendNext)
      socket.on('error', reject)
      socket.on('close', () => {
        if (performance.now() < end) reject(new Error('The server closed a connection.'))
      })
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (left === -1) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
          const at = head.indexOf(HEAD_END)
          if (at === -1) return
          const text = head.toString('latin1', 0, at)
          const status = text.slice(9, 12)
          statuses[status] = (statuses[status] ?? 0) + 1
          const length = /content-length: (\d+)/i.exec(text)?.[1]
          left = (length === undefined ? 0 : Number(length)) - (head.length - at - HEAD_END.length)
        } else left -= chunk.length
        if (left <= 0) done()
      })
    })

  return Promise.all(Array.from({ length: order.connections }, (_, index) => one(index))).then(() => {
    const sorted = Float64Array.from(latencies).toSorted()
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    return { requests: latencies.length, milliseconds: performance.now() - began, statuses, bytes, p50: at(0.5), p99: at(0.99) }
  })
}

process.on('message', (order: Order) => {
  drive(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})

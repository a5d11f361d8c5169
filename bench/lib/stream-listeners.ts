/** A child process with many stream connections. It records when each one receives a given text. */
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { handleMessages } from './message-handler.ts'
import { machineMs } from './machine-clock.ts'

/** The messages to the process, which replies once to each. */
export type Command =
  | { readonly kind: 'open'; readonly port: number; readonly count: number }
  /** Returns at once. `report` waits until all connections have received the text, or for `timeoutMs`. */
  | { readonly kind: 'watch'; readonly text: string }
  | { readonly kind: 'report'; readonly timeoutMs: number }
  | { readonly kind: 'close' }

/** Times of the machine clock in milliseconds, one per connection that received the text; and the number of closed connections. */
export interface Report {
  readonly seenAt: readonly number[]
  readonly ended: number
}

/** Connections opened at once, within the listen backlog. */
const MAX_CONNECTING = 100
const CHECK_INTERVAL_MS = 10
const ACCEPTED = 'HTTP/1.1 200'
const REQUEST = 'GET /servers/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'

let sockets: Socket[] = []
let ended = 0
let watchedText = Buffer.alloc(0)
let receivedAt = new Map<Socket, number>()

async function listen(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(REQUEST))
  socket.once('error', reject)
  socket.once('close', () => {
    ended += 1
    reject(new Error('A stream closed before its response.'))
  })
  let isFirst = true
  /** The end of the previous chunk, for a text that spans two chunks. */
  let tail: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    const at = machineMs()
    if (isFirst && !chunk.toString('latin1', 0, ACCEPTED.length).startsWith(ACCEPTED)) {
      reject(new Error(`A stream returned ${chunk.toString('latin1', 0, ACCEPTED.length)}.`))
      return
    }
    isFirst = false
    resolve(socket)
    if (watchedText.length === 0 || receivedAt.has(socket)) return
    const border = Buffer.concat([tail, chunk.subarray(0, watchedText.length)])
    if (chunk.includes(watchedText) || border.includes(watchedText)) receivedAt.set(socket, at)
    tail = Buffer.concat([tail, chunk.subarray(-watchedText.length)]).subarray(-watchedText.length)
  })
  return promise
}

async function handle(command: Command): Promise<Report | true> {
  switch (command.kind) {
    case 'open':
      ended = 0
      while (sockets.length < command.count) {
        const more = Math.min(MAX_CONNECTING, command.count - sockets.length)
        sockets.push(...(await Promise.all(Array.from({ length: more }, () => listen(command.port)))))
      }
      return true
    case 'watch':
      watchedText = Buffer.from(command.text)
      receivedAt = new Map()
      return true
    case 'report':
      for (let waited = 0; receivedAt.size < sockets.length && waited < command.timeoutMs; waited += CHECK_INTERVAL_MS)
        await sleep(CHECK_INTERVAL_MS)
      watchedText = Buffer.alloc(0)
      return { seenAt: [...receivedAt.values()], ended }
    case 'close':
      for (const socket of sockets) socket.destroy()
      sockets = []
      return true
  }
}

handleMessages(handle)

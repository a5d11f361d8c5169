/** A child process with connections that never finish a request. It sends one byte a second and records when each closes. */
import { handleMessages } from './message-handler.ts'
import { type Socket, connect } from 'node:net'
import { spreadOver } from './spread.ts'

export type Command =
  | { readonly kind: 'start'; readonly port: number; readonly count: number; readonly credentials: readonly string[] }
  | { readonly kind: 'stop' }

/** Age in milliseconds of each closed connection when it closed, and of each open one now. */
export interface ConnectionAges {
  readonly closed: readonly number[]
  readonly open: readonly number[]
}

const BYTE_INTERVAL_MS = 1000
/** Sends in slices: a single burst would block the load generator on the same core. */
const SLICES = 50
const RECONNECT_WITHIN_MS = 2000
const HEAD = 'GET /servers HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const bodyOf = (credential = '') =>
  `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n{`

const open = new Map<Socket, number>()
let closed: number[] = []
let port = 0
let credentials: readonly string[] = []
let isRunning = false

/** Half of them never finish the head, half never the body. A closed connection reconnects after a spread delay. */
function connectSlowly(index: number): void {
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    open.set(socket, performance.now())
    socket.write(index % 2 === 0 ? HEAD : bodyOf(credentials[index % credentials.length]))
  })
  socket.resume()
  socket.on('error', () => undefined)
  socket.once('close', () => {
    const since = open.get(socket)
    if (since !== undefined) closed.push(performance.now() - since)
    open.delete(socket)
    reconnectLater(index)
  })
}

function reconnectLater(index: number): void {
  setTimeout(
    () => {
      if (isRunning) connectSlowly(index)
    },
    spreadOver(index, RECONNECT_WITHIN_MS),
  )
}

let slice = 0
setInterval(() => {
  slice = (slice + 1) % SLICES
  for (const [index, socket] of [...open.keys()].entries()) if (index % SLICES === slice && socket.writable) socket.write('x')
}, BYTE_INTERVAL_MS / SLICES)

function handle(command: Command): ConnectionAges | true {
  if (command.kind === 'start') {
    ;({ port, credentials } = command)
    closed = []
    isRunning = true
    for (let index = 0; index < command.count; index += 1) reconnectLater(index)
    return true
  }
  isRunning = false
  const now = performance.now()
  const remaining = [...open]
  open.clear()
  for (const [socket] of remaining) socket.destroy()
  return { closed, open: remaining.map(([, since]) => now - since) }
}

handleMessages(handle)

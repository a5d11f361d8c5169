/** A crowd that never comes to an end, in a process of its own: sockets that send one byte of a request each second, and say how long they were borne with. */
import { answerEach } from './answering.ts'
import { type Socket, connect } from 'node:net'
import { spreadOver } from './spread.ts'

export type Wish =
  | { readonly kind: 'drip'; readonly port: number; readonly count: number; readonly credentials: readonly string[] }
  | { readonly kind: 'end' }

/** Milliseconds from the connecting to the close of each that was sent away, and since the connecting of each that is still there. */
export interface Lives {
  readonly ended: readonly number[]
  readonly open: readonly number[]
}

const EACH_MS = 1000
/** Not all in one moment: that would be a burst of this process, beside which nobody else on its core could ask. */
const TURNS = 50
const ARRIVE_WITHIN_MS = 2000
const HEAD = 'GET /servers HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const bodyOf = (credential = '') =>
  `POST /announce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n{`

const open = new Map<Socket, number>()
let ended: number[] = []
let port = 0
let credentials: readonly string[] = []
let isDripping = false

/** Half of them never end their head, half never their body. Who is sent away comes again after a while, as a crowd does: each at its own moment. */
function drip(index: number): void {
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    open.set(socket, performance.now())
    socket.write(index % 2 === 0 ? HEAD : bodyOf(credentials[index % credentials.length]))
  })
  socket.resume()
  socket.on('error', () => undefined)
  socket.once('close', () => {
    const since = open.get(socket)
    if (since !== undefined) ended.push(performance.now() - since)
    open.delete(socket)
    comeLater(index)
  })
}

function comeLater(index: number): void {
  setTimeout(
    () => {
      if (isDripping) drip(index)
    },
    spreadOver(index, ARRIVE_WITHIN_MS),
  )
}

let turn = 0
setInterval(() => {
  turn = (turn + 1) % TURNS
  for (const [index, socket] of [...open.keys()].entries()) if (index % TURNS === turn && socket.writable) socket.write('x')
}, EACH_MS / TURNS)

function answer(wish: Wish): Lives | true {
  if (wish.kind === 'drip') {
    ;({ port, credentials } = wish)
    ended = []
    isDripping = true
    for (let index = 0; index < wish.count; index += 1) comeLater(index)
    return true
  }
  isDripping = false
  const now = performance.now()
  const left = [...open]
  open.clear()
  for (const [socket] of left) socket.destroy()
  return { ended, open: left.map(([, since]) => now - since) }
}

answerEach(answer)

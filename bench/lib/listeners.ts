/** A crowd on a stream, in a process of its own: sockets that read, look for one text in what comes, and say when each saw it. */
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerEach } from './answering.ts'
import { machineMs } from './machine-clock.ts'

/** What the process is asked; it answers each with one message. */
export type Wish =
  | { readonly kind: 'open'; readonly port: number; readonly count: number }
  /** Answered at once; when all have seen it, or too late, is what `seen` waits for. */
  | { readonly kind: 'look'; readonly text: string }
  | { readonly kind: 'seen'; readonly patienceMs: number }
  | { readonly kind: 'close' }

/** Of `seen`: moments of the machine's own clock in milliseconds, one for each that saw it; and how many connections ended. */
export interface Sights {
  readonly at: readonly number[]
  readonly ended: number
}

/** Connections that are opened at a time: no more than a listener's queue takes. */
const AT_A_TIME = 100
const LOOK_EACH_MS = 10
const ACCEPTED = 'HTTP/1.1 200'
const REQUEST = 'GET /servers/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'

let sockets: Socket[] = []
let ended = 0
let looked = Buffer.alloc(0)
let saw = new Map<Socket, number>()

async function listen(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(REQUEST))
  socket.once('error', reject)
  socket.once('close', () => {
    ended += 1
    reject(new Error('A stream ended before it began.'))
  })
  let isFirst = true
  /** What a text that came in two pieces began with. */
  let before: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    const at = machineMs()
    if (isFirst && !chunk.toString('latin1', 0, ACCEPTED.length).startsWith(ACCEPTED)) {
      reject(new Error(`A stream was answered with ${chunk.toString('latin1', 0, ACCEPTED.length)}.`))
      return
    }
    isFirst = false
    resolve(socket)
    if (looked.length === 0 || saw.has(socket)) return
    const border = Buffer.concat([before, chunk.subarray(0, looked.length)])
    if (chunk.includes(looked) || border.includes(looked)) saw.set(socket, at)
    before = Buffer.concat([before, chunk.subarray(-looked.length)]).subarray(-looked.length)
  })
  return promise
}

async function answer(wish: Wish): Promise<Sights | true> {
  switch (wish.kind) {
    case 'open':
      ended = 0
      while (sockets.length < wish.count) {
        const more = Math.min(AT_A_TIME, wish.count - sockets.length)
        sockets.push(...(await Promise.all(Array.from({ length: more }, () => listen(wish.port)))))
      }
      return true
    case 'look':
      looked = Buffer.from(wish.text)
      saw = new Map()
      return true
    case 'seen':
      for (let waited = 0; saw.size < sockets.length && waited < wish.patienceMs; waited += LOOK_EACH_MS) await sleep(LOOK_EACH_MS)
      looked = Buffer.alloc(0)
      return { at: [...saw.values()], ended }
    case 'close':
      for (const socket of sockets) socket.destroy()
      sockets = []
      return true
  }
}

answerEach(answer)

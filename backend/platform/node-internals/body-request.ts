/** Reads or discards small bodies without the request's stream, which costs a sixth of an announce and a tenth of a 304. */
import { IncomingMessage } from 'node:http'
import { usesNodeInternals } from './node-internals.ts'

const NOTHING = Buffer.alloc(0)

/** Called at most once: with the complete body, or with undefined once it is too long. */
type Done = (body: Buffer | undefined) => void

interface Reading {
  readonly max: number
  readonly done: Done
  pieces: Buffer | Buffer[] | undefined
  bytes: number
}

/** Marks the stream as read and closed without events, as Node does with `optimizeEmptyRequests`. */
type Closable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Passed to `createServer` as its `IncomingMessage`. */
export class BodyRequest extends IncomingMessage {
  #reading: Reading | undefined = undefined

  /** @param max bytes; a longer body is discarded. `done` is not called if the client leaves before the end. */
  static read(request: IncomingMessage, max: number, done: Done): void {
    const reading: Reading = { max, done, pieces: undefined, bytes: 0 }
    // After a delay, the stream may already hold a part of the body.
    if (usesNodeInternals() && request instanceof BodyRequest && !request.complete && request.readableLength === 0) {
      request.#reading = reading
      return
    }
    request.on('data', (piece: Buffer) => add(reading, piece))
    request.on('end', () => end(reading))
  }

  /** Discards the body, if any. From now on the request emits neither `end` nor `close`. */
  static discard(request: IncomingMessage): void {
    if (usesNodeInternals() && request instanceof BodyRequest) request.#close()
  }

  /** Node's parser calls this with each piece of the body, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    const reading = this.#reading
    if (reading === undefined) return super.push(piece)
    if (piece !== null) {
      add(reading, piece)
      return true
    }
    this.#reading = undefined
    if (!this.#close()) super.push(null)
    end(reading)
    return false
  }

  /** False if this version of Node has no such method. The stream then ends unread. */
  #close(): boolean {
    const { _dumpAndCloseReadable: close } = this as Closable
    close?.call(this)
    return close !== undefined
  }
}

function add(reading: Reading, piece: Buffer): void {
  const before = reading.bytes
  reading.bytes += piece.length
  if (reading.bytes > reading.max) {
    reading.pieces = undefined
    if (before <= reading.max) reading.done(undefined)
  } else if (reading.pieces === undefined) reading.pieces = piece
  else if (Array.isArray(reading.pieces)) reading.pieces.push(piece)
  else reading.pieces = [reading.pieces, piece]
}

function end({ max, bytes, pieces, done }: Reading): void {
  if (bytes <= max) done((Array.isArray(pieces) ? Buffer.concat(pieces) : pieces) ?? NOTHING)
}

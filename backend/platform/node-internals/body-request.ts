/** Reads or ignores small bodies without the stream of the request, which costs a sixth of an announce and a tenth of a 304. */
import { IncomingMessage } from 'node:http'
import { usesNodeInternals } from './node-internals.ts'

const NOTHING = Buffer.alloc(0)

/** Called at most once: with the whole body, or with undefined as soon as it is too long. */
type Done = (body: Buffer | undefined) => void

interface Taking {
  readonly max: number
  readonly done: Done
  pieces: Buffer | Buffer[] | undefined
  bytes: number
}

/** Marks the stream as read and closed without events, as node does with `optimizeEmptyRequests`. */
type Closable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Given to `createServer` as its `IncomingMessage`. */
export class BodyRequest extends IncomingMessage {
  #taking: Taking | undefined = undefined

  /** @param max bytes; a longer body is thrown away. `done` is not called where the sender leaves before the end. */
  static read(request: IncomingMessage, max: number, done: Done): void {
    const taking: Taking = { max, done, pieces: undefined, bytes: 0 }
    // Called later than in the turn of the head, the stream may hold a part of the body already.
    if (usesNodeInternals() && request instanceof BodyRequest && !request.complete && request.readableLength === 0) {
      request.#taking = taking
      return
    }
    request.on('data', (piece: Buffer) => add(taking, piece))
    request.on('end', () => end(taking))
  }

  /** Ignores the body, if there is one. From now on the request emits neither `end` nor `close`. */
  static discard(request: IncomingMessage): void {
    if (usesNodeInternals() && request instanceof BodyRequest) request.#close()
  }

  /** Node's parser calls it with each piece of the body, and null at the end. */
  override push(piece: Buffer | null): boolean {
    const taking = this.#taking
    if (taking === undefined) return super.push(piece)
    if (piece !== null) {
      add(taking, piece)
      return true
    }
    this.#taking = undefined
    if (!this.#close()) super.push(null)
    end(taking)
    return false
  }

  /** False where this version of node has no such method: then the stream ends by itself, unread. */
  #close(): boolean {
    const { _dumpAndCloseReadable: close } = this as Closable
    close?.call(this)
    return close !== undefined
  }
}

function add(taking: Taking, piece: Buffer): void {
  const before = taking.bytes
  taking.bytes += piece.length
  if (taking.bytes > taking.max) {
    taking.pieces = undefined
    if (before <= taking.max) taking.done(undefined)
  } else if (taking.pieces === undefined) taking.pieces = piece
  else if (Array.isArray(taking.pieces)) taking.pieces.push(piece)
  else taking.pieces = [taking.pieces, piece]
}

function end({ max, bytes, pieces, done }: Taking): void {
  if (bytes <= max) done((Array.isArray(pieces) ? Buffer.concat(pieces) : pieces) ?? NOTHING)
}

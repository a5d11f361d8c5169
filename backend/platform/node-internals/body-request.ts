/**
 * A request of node's whose small body can be taken as it comes, or passed over, without the stream that every request is. A stream's
 * data, end and close take some five turns of `process.nextTick`: a sixth of what an announce costs, a tenth of a 304.
 */
import { IncomingMessage } from 'node:http'
import { usesNodeInternals } from './node-internals.ts'

const NOTHING = Buffer.alloc(0)

/** Called once at most: with the whole body, or with undefined as soon as it is longer than may be. */
type Done = (body: Buffer | undefined) => void

interface Taking {
  readonly most: number
  readonly done: Done
  pieces: Buffer | Buffer[] | undefined
  bytes: number
}

/** What node does with requests without a body where it is told to (`optimizeEmptyRequests`): the stream counts as read and closed, and says nothing of it. */
type Closable = IncomingMessage & { _dumpAndCloseReadable?: () => void }

/** Given to `createServer` as its `IncomingMessage`. */
export class BodyRequest extends IncomingMessage {
  #taking: Taking | undefined = undefined

  /**
   * Reads the body. @param most bytes that it may have; what comes beyond is thrown away.
   * `done` is not called where the sender leaves before the end.
   */
  static body(request: IncomingMessage, most: number, done: Done): void {
    const taking: Taking = { most, done, pieces: undefined, bytes: 0 }
    // Whoever comes later than in the turn in which the head came finds what the stream has taken in by then.
    if (usesNodeInternals() && request instanceof BodyRequest && !request.complete && request.readableLength === 0) {
      request.#taking = taking
      return
    }
    request.on('data', (piece: Buffer) => add(taking, piece))
    request.on('end', () => end(taking))
  }

  /** Passes over the body, if there is one. From now on the request says neither `end` nor `close`. */
  static ignore(request: IncomingMessage): void {
    if (usesNodeInternals() && request instanceof BodyRequest) request.#close()
  }

  /** Node's parser hands over each piece of the body here, and null at its end. */
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

  /** False where this version of node does not know how: then the stream ends unread, in its own time. */
  #close(): boolean {
    const { _dumpAndCloseReadable: close } = this as Closable
    close?.call(this)
    return close !== undefined
  }
}

function add(taking: Taking, piece: Buffer): void {
  const before = taking.bytes
  taking.bytes += piece.length
  if (taking.bytes > taking.most) {
    taking.pieces = undefined
    if (before <= taking.most) taking.done(undefined)
  } else if (taking.pieces === undefined) taking.pieces = piece
  else if (Array.isArray(taking.pieces)) taking.pieces.push(piece)
  else taking.pieces = [taking.pieces, piece]
}

function end({ most, bytes, pieces, done }: Taking): void {
  if (bytes <= most) done((Array.isArray(pieces) ? Buffer.concat(pieces) : pieces) ?? NOTHING)
}

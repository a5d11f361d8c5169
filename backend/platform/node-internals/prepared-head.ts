/** Response heads built once for many responses. Node builds one per response: a twentieth of an announce's cost, a tenth of a 304's. */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import { systemClock } from '#backend/platform/clock.ts'
import { usesNodeInternals } from './node-internals.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'

/** Alternating names and values, as `writeHead` accepts them. */
export type HeadLines = readonly string[]

/** Undocumented fields of Node's response. Any may be missing in another version. */
type Inner = ServerResponse & {
  /** The head as sent; null until it is written. */
  _header?: string | null
  _hasBody?: boolean
  _defaultKeepAlive?: boolean
  _removedConnection?: boolean
  _keepAliveTimeout?: number
  _expect_continue?: boolean
  _maxRequestsPerSocket?: number | null
  useChunkedEncodingByDefault?: boolean
}

export class PreparedHead {
  readonly #status: 200 | 304
  readonly #lines: HeadLines
  /** The head up to the request id. */
  readonly #begin: string

  /** @param lines must include `Content-Length` for a 200. `Connection`, `Date`, `X-Content-Type-Options` and `X-Request-Id` are added. */
  constructor(status: 200 | 304, lines: HeadLines) {
    this.#status = status
    this.#lines = [...lines, 'X-Content-Type-Options', 'nosniff']
    if (lines.length % 2 !== 0) throw new RangeError('A head needs a value for each name.')
    let begin = `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Not Modified'}\r\n`
    for (let at = 0; at < this.#lines.length; at += 2) {
      const [name = '', value = ''] = this.#lines.slice(at, at + 2)
      validateHeaderName(name)
      validateHeaderValue(name, value)
      begin += `${name}: ${value}\r\n`
    }
    this.#begin = flatten(`${begin}X-Request-Id: `)
  }

  /** Writes the same bytes as `response.writeHead`. @param more additional lines. */
  write(response: ServerResponse, more?: HeadLines): void {
    const inner: Inner = response
    if (more !== undefined || !usesNodeInternals() || !isPlain(inner)) {
      response.writeHead(this.#status, [...this.#lines, ...(more ?? []), 'X-Request-Id', nextRequestId()])
      return
    }
    response.statusCode = this.#status
    if (this.#status === 304) inner._hasBody = false
    inner._header = this.#begin + nextRequestId() + endingFor(inner._keepAliveTimeout ?? 0)
  }
}

/** Whether the connection is kept open, no part of the head was set before, and this version of Node has the known fields. */
function isPlain(response: Inner): boolean {
  return (
    response._header === null &&
    response._hasBody !== undefined &&
    response.shouldKeepAlive &&
    response._defaultKeepAlive === true &&
    response._removedConnection === false &&
    response.sendDate &&
    response.useChunkedEncodingByDefault === true &&
    !response._expect_continue &&
    !(Number(response._maxRequestsPerSocket) > 0) &&
    response.statusMessage === undefined &&
    !response.strictContentLength &&
    response.getHeaderNames().length === 0
  )
}

/** Makes one flat string: the engine stores a concatenation as a tree and would walk it for every response. */
export function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

let endingSecond = 0
let endingTimeout = 0
let ending = ''

/** The lines that Node adds, cached for a second. @param timeout keep-alive in milliseconds; 0 for no limit. */
function endingFor(timeout: number): string {
  const second = Math.floor(systemClock.now() / 1000)
  if (second === endingSecond && timeout === endingTimeout) return ending
  endingSecond = second
  endingTimeout = timeout
  const date = new Date(second * 1000).toUTCString()
  const kept = timeout === 0 ? '' : `Keep-Alive: timeout=${Math.floor(timeout / 1000)}\r\n`
  ending = flatten(`\r\nDate: ${date}\r\nConnection: keep-alive\r\n${kept}\r\n`)
  return ending
}

/** Head lines that are built once for many answers. Node builds them for each: a twentieth of the cost of an announce, a tenth of a 304. */
import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import { systemClock } from '#backend/platform/clock.ts'
import { usesNodeInternals } from './node-internals.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'

/** Names and values in turns, as `writeHead` takes them. */
export type HeadLines = readonly string[]

/** Undocumented fields of node's response. Any may be missing in another version. */
type Inner = ServerResponse & {
  /** The head as it is sent; null until it is written. */
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
  /** The beginning of the head, up to the request id. */
  readonly #begin: string

  /** @param lines without those added: `Connection`, `Date`, `X-Content-Type-Options`, `X-Request-Id`. A 200 needs `Content-Length`. */
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

  /** Sends the same as `response.writeHead`. @param more lines after the others. */
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

/** Whether the connection is kept, no part of the head was set before, and this version of node has the known fields. */
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

/** Flattens a text: the engine keeps a concatenation as its parts and would walk through them for every answer. */
export function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

let endingSecond = 0
let endingTimeout = 0
let ending = ''

/** The lines that node adds, cached for a second. @param timeout milliseconds for which the connection is kept; 0 for ever. */
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

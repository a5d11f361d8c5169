/** Answers requests that Node rejects, on the socket itself. Never inside an earlier response: a proxy would pass it to another client. */
import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nextRequestId } from './request-id.ts'

type Status = 400 | 408 | 431

/** Unsent responses of each connection, oldest first. */
const unsent = new WeakMap<Socket, Set<ServerResponse>>()

/** Call it before the listener accepts connections. */
export function trackResponses(server: Server): void {
  server.prependListener('request', track).prependListener('checkExpectation', track)
}

function track({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = unsent.get(socket) ?? new Set()
  unsent.set(socket, responses.add(response))
  response.on('close', forget)
}

function forget(this: ServerResponse): void {
  unsent.get(this.req.socket)?.delete(this)
}

/** Creates a `clientErrorHandler`. @param bodyOf the reply's JSON. */
export function malformedHandler(contentType: string, bodyOf: (status: Status) => string) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const status = statusOf(error)
    const body = bodyOf(status)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${nextRequestId()}`,
      'Connection: close',
    ]
    // A turn later, because earlier requests that wait for nothing have their responses then.
    setImmediate(() => endWith(socket, `${head.join('\r\n')}\r\n\r\n${body}`))
  }
}

function statusOf({ code }: { code?: string }): Status {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** Closes the connection with this reply after all earlier responses; without it if one of them is incomplete. */
function endWith(socket: Socket, reply: string): void {
  const responses = [...(unsent.get(socket) ?? [])]
  const newest = responses.at(-1)
  // If the newest request's own body is malformed, this reply is its response.
  if (newest?.req.complete === false && !newest.headersSent) responses.pop()
  const last = responses.at(-1)
  if (responses.some((response) => !response.writableEnded)) socket.destroy()
  else if (last === undefined || last.writableFinished) socket.end(reply)
  else last.once('finish', () => socket.end(reply))
}

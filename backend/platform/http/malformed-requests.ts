/** Answers requests that node rejects, straight on the socket and never inside an earlier answer: a proxy would pass it to another client. */
import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nextRequestId } from './request-id.ts'

type Status = 400 | 408 | 431

/** Unsent answers of each connection, oldest first. An array costs each request 60 ns, a Set 200. */
const unsent = new WeakMap<Socket, ServerResponse[]>()

/** Must be called before the listener takes connections. */
export function trackResponses(server: Server): void {
  server.prependListener('request', track).prependListener('checkExpectation', track)
}

function track({ socket }: IncomingMessage, response: ServerResponse): void {
  const answers = unsent.get(socket)
  if (answers === undefined) unsent.set(socket, [response])
  else answers.push(response)
  response.on('close', forget)
}

function forget(this: ServerResponse): void {
  const answers = unsent.get(this.req.socket) ?? []
  if (answers[0] === this) answers.shift()
  else if (answers.includes(this)) answers.splice(answers.indexOf(this), 1)
}

/** Makes a `clientErrorHandler`. @param bodyOf the reply's JSON. */
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
    endWith(socket, `${head.join('\r\n')}\r\n\r\n${body}`)
  }
}

function statusOf({ code }: { code?: string }): Status {
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

/** Ends the connection with this reply once all earlier answers are sent; without it where one of them isn't complete. */
function endWith(socket: Socket, reply: string): void {
  const answers = [...(unsent.get(socket) ?? [])]
  const newest = answers.at(-1)
  // The reply replaces the answer to the request whose own body is malformed.
  if (newest?.req.complete === false && !newest.headersSent) answers.pop()
  const last = answers.at(-1)
  if (answers.some((answer) => !answer.writableEnded)) socket.destroy()
  else if (last === undefined || last.writableFinished) socket.end(reply)
  else last.once('finish', () => socket.end(reply))
}

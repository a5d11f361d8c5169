/** The agent's local HTTP: `POST /state` and `POST /probe` for the game, `GET /health` for health checks. Reachable from this machine only. */
import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { Announcer } from '../announcer.ts'
import { UPDATABLE, changeState } from '../state.ts'
import type { Health } from './log.ts'

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 8192

/** Rejects if the port is in use. */
export function serveLocalApi(port: number, server: Announcer, health: () => Health): Promise<Server> {
  const listener = createServer((request, response) => {
    response.on('error', () => undefined)
    void answer(request, server, health).then(([status, body]) => {
      if (body === undefined) return response.writeHead(status).end()
      if (body instanceof Uint8Array) return response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(body)
      return response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
    })
  })
  return new Promise((resolve, reject) => {
    listener.once('error', reject).listen(port, HOST, () => resolve(listener))
  })
}

/** Bytes, nothing, or an object for JSON. */
type Answer = readonly [status: number, body: object | undefined]

const fault = (status: number, ...errors: readonly string[]): Answer => [status, { errors }]

async function answer(request: IncomingMessage, server: Announcer, health: () => Health): Promise<Answer> {
  const { method, url, headers } = request
  const hostName = (headers.host ?? '').replace(/:\d+$/, '')
  // A web page in a browser on this machine must not change the state.
  if (headers.origin !== undefined || !['127.0.0.1', 'localhost'].includes(hostName))
    return fault(403, 'Only programs on this machine may call this.')
  if (url === '/health') return method === 'GET' ? healthAnswer(server, health()) : fault(405, 'Use GET.')
  if (url !== '/state' && url !== '/probe') return fault(404, 'There are only POST /state, POST /probe and GET /health.')
  if (method !== 'POST') return fault(405, 'Use POST.')
  const body = await readBody(request)
  if (body === undefined) return fault(413, 'The body is larger than 8 KiB.')
  return url === '/probe' ? await probeAnswer(body, server) : changeAnswer(body.toString(), server)
}

/** The bytes to send back; 204 for a datagram that is no probe of the list. */
async function probeAnswer(datagram: Uint8Array, server: Announcer): Promise<Answer> {
  const bytes = await server.answerProbe(datagram)
  return bytes === undefined ? [204, undefined] : [200, bytes]
}

/** Applies the change only if all of it is valid. */
function changeAnswer(text: string, server: Announcer): Answer {
  let change: unknown
  try {
    change = JSON.parse(text)
  } catch {
    return fault(400, 'The body is not valid JSON. Send an object, such as {"players":12}.')
  }
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return fault(400, 'Send an object, such as {"players":12}.')
  const { faults } = changeState(server.state, change)
  const unknown = Object.keys(change).filter((name) => !UPDATABLE.includes(name))
  const errors = [...unknown.map((name) => `Unknown field ${JSON.stringify(name)}. Leave it out.`), ...faults]
  if (errors.length > 0) return fault(400, ...errors)
  server.update(change)
  return [200, server.state]
}

function healthAnswer(server: Announcer, { status, ...health }: Health): Answer {
  const isAccepted = status === 'listed' || status === 'unlisted'
  return [isAccepted ? 200 : 503, { status, publicId: server.accepted?.publicId ?? null, ...health, state: server.state }]
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > MAX_BODY_BYTES) return undefined
    }
  } catch {
    return Buffer.alloc(0)
  }
  return Buffer.concat(chunks)
}

/** Serves a mirrored list on the same paths as its origin. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import { InFlightResponses } from '#backend/masterlist/lists/in-flight-responses.ts'
import { type SignedFile, sendFile } from '#backend/masterlist/signed/signed-file.ts'
import { SMALL_REQUEST_TIMEOUTS } from '#backend/platform/http/connections.ts'
import type { MirroredList } from './mirrored-list.ts'

/** Closes a connection whose response makes no progress. */
const STUCK_TIMEOUT_MS = 60_000
/** Unread replies. A proxy in front is one address, so this is not per reader. */
const MAX_IN_FLIGHT = 1000
const ROUTE = /^\/+(?:signed\/(?:(head|keys)|chunks\/([^/]+))|(healthz))\/?$/
const NO_LIST = 'This mirror has no valid list at the moment. Try another mirror.'

export function createMirrorServer(list: MirroredList): Server {
  const inFlight = new InFlightResponses(MAX_IN_FLIGHT)
  return createServer(SMALL_REQUEST_TIMEOUTS, (request, response) => {
    void respond(list, inFlight, request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else reject(response, 500, 'This mirror could not read its list. Try another mirror.')
    })
  }).setTimeout(STUCK_TIMEOUT_MS)
}

async function respond(list: MirroredList, inFlight: InFlightResponses, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?', 1)
  const [matched, text, sha256, health] = ROUTE.exec(path) ?? []
  if (request.method === 'OPTIONS') return allow(response)
  if (matched === undefined) return reject(response, 404, 'A mirror has /signed/head, /signed/keys, /signed/chunks/{sha256} and /healthz.')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reject(response.setHeader('Allow', 'GET, HEAD, OPTIONS'), 405, 'Use GET.')
  const { current } = list
  if (current === undefined) return reject(response, 503, NO_LIST)
  if (health !== undefined) return void response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('ok\n')
  const file = sha256 === undefined ? fileOf(current, text) : list.chunk(sha256)
  if (file === undefined) return reject(response, 404, 'The list does not have this chunk, or no longer has it. Read /signed/head again.')
  if (!(await sendFile(request, response, file, inFlight, ''))) reject(response, 503, 'This mirror is busy. Try another mirror.')
}

const fileOf = ({ headFile, keysFile }: { headFile: SignedFile; keysFile: SignedFile }, name: string | undefined) =>
  name === 'head' ? headFile : keysFile

function allow(response: ServerResponse): void {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': '*',
  }
  response.writeHead(204, headers).end()
}

function reject(response: ServerResponse, status: number, sentence: string): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
  response.writeHead(status, status === 503 ? { ...headers, 'retry-after': '5' } : headers).end(`${sentence}\n`)
}

/**
 * The bare node:http server: the minimum work for each request. An announce is JSON.parse, a credential hash, a Map lookup and a small
 * response. A list read sends prepared bytes. A 304 is one comparison.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { SMALL_REQUEST_TIMEOUTS } from '#backend/platform/http/connections.ts'

/** The response to every GET. */
export interface Served {
  /** A file with the bytes. */
  readonly file: string
  /** Header names and values, alternating. */
  readonly head: readonly string[]
  readonly etag: string
  /** The file is the compressed list: sort, serialize and compress it again for every GET. */
  readonly rebuilds: boolean
}

interface Row {
  playersCount: number
}

interface State {
  players: number
  seen: number
}

const REPLY = '{"publicId":"AbCdEfG","listed":true,"nextAnnounceSeconds":30,"features":{"cloudAuth":false},"notices":[]}'

const keyOf = (credential: string) => hash('sha256', credential, 'binary')

function announce(servers: ReadonlyMap<string, State>, request: IncomingMessage, response: ServerResponse): void {
  let first: Buffer | undefined
  let all: Buffer[] | undefined
  request.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk
    else (all ??= [first]).push(chunk)
  })
  request.on('end', () => {
    const body = (all === undefined ? first : Buffer.concat(all))?.toString() ?? ''
    const { playersCount } = JSON.parse(body) as { playersCount: number }
    const state = servers.get(keyOf((request.headers.authorization ?? '').slice(7)))
    if (state === undefined) {
      response.writeHead(401).end()
      return
    }
    state.players = playersCount
    state.seen = performance.now()
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(REPLY.length)])
    response.end(REPLY, 'latin1')
  })
}

const compress = promisify(gzip)

/** The minimum work for a new list: the players of all servers, sorted, serialized and compressed as fast as ours. */
async function rebuild(list: Row[], states: readonly State[], head: readonly string[], response: ServerResponse): Promise<void> {
  for (const [index, row] of list.entries()) row.playersCount = states[index]?.players ?? 0
  const body = await compress(JSON.stringify(list.toSorted((a, b) => b.playersCount - a.playersCount)), { level: 2 })
  response.writeHead(200, [
    ...head.filter((_, index) => head[index - (index % 2)] !== 'content-length'),
    'Content-Length',
    String(body.length),
  ])
  response.end(body)
}

function serve({ credentials }: { readonly credentials: readonly string[] }): (served: Served) => void {
  const servers = new Map(credentials.map((credential): [string, State] => [keyOf(credential), { players: 0, seen: 0 }]))
  let list = Buffer.alloc(0)
  let rows: Row[] | undefined
  let etag = ''
  let head: string[] = []
  let unchanged: string[] = []
  const server = createServer(SMALL_REQUEST_TIMEOUTS, (request, response) => {
    if (request.method === 'POST') {
      announce(servers, request, response)
      return
    }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, unchanged)
      response.end()
      return
    }
    if (rows !== undefined) {
      void rebuild(rows, [...servers.values()], head, response)
      return
    }
    response.writeHead(200, head)
    response.end(list)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : 0)
  })
  return (served) => {
    list = readFileSync(served.file)
    rows = served.rebuilds ? (JSON.parse(gunzipSync(list).toString()) as Row[]) : undefined
    etag = served.etag
    head = [...served.head]
    // The headers of a 304, as ours sends them (RFC 9110, section 15.4.5).
    unchanged = head.filter((_, index) => !head[index - (index % 2)]?.startsWith('content-'))
    process.send?.('served')
  }
}

// The parent may be killed.
process.on('disconnect', () => process.exit())

let respondWith: ((served: Served) => void) | undefined
process.on('message', (message: { credentials: readonly string[] } | Served) => {
  if ('credentials' in message) respondWith = serve(message)
  else respondWith?.(message)
})

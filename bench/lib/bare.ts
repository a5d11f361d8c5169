/**
 * The yardstick: node:http doing the least that these calls need. An announce is JSON.parse, a hash of the credential, one look into
 * a Map, a few fields and a small answer; a list read is prepared bytes; a 304 is one comparison.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** What every GET is answered with from now on. */
export interface Served {
  /** A file with the bytes. */
  readonly file: string
  readonly encoding: 'identity' | 'gzip' | 'br'
  readonly etag: string
}

interface State {
  players: number
  seen: number
}

function serve({ credentials }: { readonly credentials: readonly string[] }): (served: Served) => void {
  const servers = new Map(credentials.map((credential): [string, State] => [hash('sha256', credential, 'hex'), { players: 0, seen: 0 }]))
  let list = Buffer.alloc(0)
  let etag = ''
  let head: Record<string, string | number> = {}
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        const announce = JSON.parse(body) as { playersCount: number }
        const state = servers.get(hash('sha256', (request.headers.authorization ?? '').slice(7), 'hex'))
        if (state === undefined) {
          response.writeHead(401).end()
          return
        }
        state.players = announce.playersCount
        state.seen = performance.now()
        const reply = '{"publicId":"AbCdEfG","listed":true,"nextAnnounceSeconds":30,"features":{"cloudAuth":false},"notices":[]}'
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': reply.length })
        response.end(reply)
      })
      return
    }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, { ETag: etag })
      response.end()
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
    etag = served.etag
    head = {
      'Content-Type': 'application/json',
      ...(served.encoding !== 'identity' && { 'Content-Encoding': served.encoding }),
      'Content-Length': list.length,
      ETag: etag,
    }
    process.send?.('served')
  }
}

// Whoever started it may be gone without a word.
process.on('disconnect', () => process.exit())

let show: ((served: Served) => void) | undefined
process.on('message', (message: { credentials: readonly string[] } | Served) => {
  if ('credentials' in message) show = serve(message)
  else show?.(message)
})

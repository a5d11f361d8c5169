/**
 * The yardstick: node:http doing the least that these calls need. An announce is JSON.parse, a hash of the credential, one look into
 * a Map, a few fields and a small answer; a list read is prepared bytes; a 304 is one comparison.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'

export interface BareOrder {
  readonly credentials: readonly string[]
  readonly gzipped: string
  readonly etag: string
}

interface State {
  players: number
  seen: number
}

function serve({ credentials, gzipped, etag }: BareOrder): void {
  const servers = new Map(credentials.map((credential): [string, State] => [hash('sha256', credential, 'hex'), { players: 0, seen: 0 }]))
  const list = Buffer.from(gzipped, 'base64')
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
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': list.length, ETag: etag })
    response.end(list)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : 0)
  })
}

process.on('message', serve)

/**
 * The bare node:http server: the minimum work for each request. An announce is JSON.parse, a credential hash, a Map lookup and a small
 * response. A list read sends prepared bytes. A 304 is one comparison.
 */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { SMALL_REQUEST_TIMEOUTS } from '#backend/platform/http/connections.ts'
import { answerMessages } from './worker-process.ts'

/** The first message. */
export interface Start {
  readonly credentials: readonly string[]
}

/** The response to every GET from now on. */
export interface Served {
  /** A file with the bytes. */
  readonly file: string
  readonly head: readonly (readonly [name: string, value: string])[]
  readonly etag: string
  /** The file is the compressed list: sort, serialize and compress it again for every GET. */
  readonly rebuilds: boolean
}

const REPLY = '{"publicId":"AbCdEfG","listed":true,"nextAnnounceSeconds":30,"features":{"cloudAuth":false},"notices":[]}'
const REPLY_HEAD = ['Content-Type', 'application/json', 'Content-Length', String(REPLY.length)]
const compress = promisify(gzip)
const keyOf = (credential: string) => hash('sha256', credential, 'binary')

const servers = new Map<string, { players: number; seen: number }>()
let list = { body: Buffer.alloc(0), etag: '', head: [''], unchangedHead: [''] }
/** The list to build again for each reader. */
let rows: { playersCount: number }[] | undefined

const server = createServer(SMALL_REQUEST_TIMEOUTS, (request, response) => {
  if (request.method === 'POST') announce(request, response)
  else if (request.headers['if-none-match'] === list.etag) response.writeHead(304, list.unchangedHead).end()
  else if (rows === undefined) response.writeHead(200, list.head).end(list.body)
  else void rebuild(rows, response)
})

function announce(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { playersCount } = JSON.parse(Buffer.concat(chunks).toString()) as { playersCount: number }
    const state = servers.get(keyOf((request.headers.authorization ?? '').slice(7)))
    if (state === undefined) return void response.writeHead(401).end()
    state.players = playersCount
    state.seen = performance.now()
    response.writeHead(200, REPLY_HEAD).end(REPLY, 'latin1')
  })
}

/** The minimum work for a new list: the players of all servers, sorted, serialized and compressed as fast as ours. */
async function rebuild(all: { playersCount: number }[], response: ServerResponse): Promise<void> {
  const states = [...servers.values()]
  for (const [index, row] of all.entries()) row.playersCount = states[index]?.players ?? 0
  const body = await compress(JSON.stringify(all.toSorted((a, b) => b.playersCount - a.playersCount)), { level: 2 })
  response.writeHead(200, [...list.unchangedHead, 'Content-Encoding', 'gzip', 'Content-Length', String(body.length)]).end(body)
}

answerMessages(async (message: Start | Served) => {
  if ('credentials' in message) {
    for (const credential of message.credentials) servers.set(keyOf(credential), { players: 0, seen: 0 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  } else {
    const body = readFileSync(message.file)
    // The headers of a 304, as ours sends them (RFC 9110, section 15.4.5).
    const unchangedHead = message.head.filter(([name]) => !name.startsWith('content-')).flat()
    list = { body, etag: message.etag, head: message.head.flat(), unchangedHead }
    rows = message.rebuilds ? (JSON.parse(gunzipSync(body).toString()) as { playersCount: number }[]) : undefined
  }
  return { port: (server.address() as AddressInfo).port }
})

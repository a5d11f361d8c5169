/** A fake Discord API on a real listener, with configurable failures, for sign-in tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeDiscord {
  readonly url: string
  /** The form of each token call. */
  readonly tokenCalls: URLSearchParams[]
  /** The result of the next calls: `ok`, a status, text that is not JSON, or JSON of the wrong shape. */
  reply: 'ok' | 'garbage' | 'wrong-shape' | number
  user: { id: string; username: string; avatar: string | null }
  close(): Promise<void>
}

export async function startFakeDiscord(): Promise<FakeDiscord> {
  const tokenCalls: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url === '/oauth2/token') tokenCalls.push(new URLSearchParams(Buffer.concat(chunks).toString()))
      if (typeof fake.reply === 'number')
        return response.writeHead(fake.reply, { 'content-type': 'application/json' }).end('{"error":"refused"}')
      if (fake.reply === 'garbage') return response.end('<html>')
      const body =
        fake.reply === 'wrong-shape'
          ? { hello: 1 }
          : request.url === '/oauth2/token'
            ? { access_token: 'at', token_type: 'Bearer', expires_in: 604_800 }
            : fake.user
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const fake: FakeDiscord = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenCalls,
    reply: 'ok',
    user: { id: '80351110224678912', username: 'nelly', avatar: '8342729096ea3675442027381ff50dfe' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
  return fake
}

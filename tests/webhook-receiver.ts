/** A host that receives webhooks. The program treats it as public, under any host name. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { createPostPublic, type PostPublic } from '#backend/platform/outbound/guarded-client.ts'
import { CERTIFICATE, PRIVATE_KEY, PUBLIC_ADDRESS } from './https-host/https-host.ts'
import type { TestApp } from './harness.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: {
    readonly id: string
    readonly type: string
    readonly timestamp: string
    readonly data: Readonly<Record<string, unknown>> & { readonly server?: { readonly public_id: string } }
  }
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  types(): string[]
  /** What it answers from now on; 204 at first. */
  answer(reply: Reply | ((received: Received) => Reply | Promise<Reply>)): void
}

export interface ReceiverHost {
  readonly postPublic: PostPublic
  /** A URL of its own. */
  open(path?: string): Receiver
  close(): void
}

const HOST = 'feeds.example'
/** Discord's host, which the program checks, leads to the same receiver. */
const DISCORD = 'https://discord.com/'

export async function startReceiverHost(): Promise<ReceiverHost> {
  const handlers = new Map<string, (received: Received) => Promise<Reply>>()
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const handle = handlers.get(request.url ?? '') ?? ((): Promise<Reply> => Promise.resolve({ status: 404 }))
      void handle({ headers: request.headers, body, event: JSON.parse(body) as Received['event'] }).then((reply) =>
        response.writeHead(reply.status ?? 204, reply.headers).end(reply.body),
      )
    })
  })
  server.listen(0, PUBLIC_ADDRESS)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const resolve = (host: string) => Promise.resolve(host === HOST ? [PUBLIC_ADDRESS] : ['127.0.0.1'])
  const post = createPostPublic({ resolve, isAllowed: (address) => address === PUBLIC_ADDRESS, port, ca: CERTIFICATE })
  let count = 0
  return {
    postPublic: (url, request) => post(url.replace(DISCORD, `https://${HOST}/`), request),
    open(path = `/hooks/${(count += 1)}`) {
      const received: Received[] = []
      let answer: Parameters<Receiver['answer']>[0] = {}
      handlers.set(path, async (delivery) => {
        received.push(delivery)
        return typeof answer === 'function' ? await answer(delivery) : answer
      })
      return {
        url: `https://${HOST}${path}`,
        received,
        types: () => received.map(({ event }) => event.type),
        answer: (next) => {
          answer = next
        },
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Makes all waiting deliveries due, as if their time had come. */
export async function makeDeliveriesDue(app: Pick<TestApp, 'db'>): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`.execute(app.db)
}

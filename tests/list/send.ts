/** Sends one HTTP request from a chosen address, with raw headers and without decompressing the response. */
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AnnounceReply, ListedServer } from '#contract/masterlist/masterlist.ts'
import type { ListErrorReply } from '#contract/api/errors.ts'
import type { SignedInUser, TestApp } from '#tests/harness.ts'
import { portOf, validAnnounce } from '#tests/factories.ts'

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** A loopback source address, such as 127.0.0.2. */
  readonly from?: string
}

export function send(url: string, { method = 'GET', headers = {}, body, from }: SendOptions = {}): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, ...(from !== undefined && { localAddress: from }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export interface Announced extends RawResponse {
  readonly reply: AnnounceReply
  readonly rejection: ListErrorReply
}

/** Sends an announce; `body` overrides fields of a valid one. */
export async function announceFrom(
  app: Pick<TestApp, 'listUrl'>,
  credential: string | undefined,
  body: Record<string, unknown> = {},
  options: SendOptions = {},
): Promise<Announced> {
  const received = await send(`${app.listUrl}/announce`, {
    method: 'POST',
    body: JSON.stringify({ ...validAnnounce, port: portOf(credential ?? ''), ...body }),
    ...options,
    headers: {
      'content-type': 'application/json',
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...options.headers,
    },
  })
  const json: unknown = received.text === '' ? undefined : JSON.parse(received.text)
  return { ...received, reply: json as AnnounceReply, rejection: json as ListErrorReply }
}

export async function readList(app: Pick<TestApp, 'listUrl'>, query = ''): Promise<ListedServer[]> {
  return JSON.parse((await send(`${app.listUrl}/servers${query}`)).text) as ListedServer[]
}

export async function readOne(app: Pick<TestApp, 'listUrl'>, id: string): Promise<ListedServer> {
  return JSON.parse((await send(`${app.listUrl}/servers/${id}`)).text) as ListedServer
}

/** Signs in a user with 1,000 server slots and the highest tier. */
export async function fleetOwner(app: TestApp, username = 'owner'): Promise<SignedInUser> {
  const user = await app.signIn(username)
  await app.db.updateTable('users').set({ max_servers: 1000, owned_tier: 'DIAMOND_ALTRUIST' }).where('id', '=', user.id).execute()
  return user
}

/** Sends one request and returns the body as received; fetch would decompress it. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export function read(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  post?: { readonly body: string },
): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
  const call = request({ port, host: '127.0.0.1', path, headers, agent, method: post === undefined ? 'GET' : 'POST' }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
  })
  call.on('error', reject)
  call.end(post?.body)
  return promise
}

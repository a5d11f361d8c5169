/** GET requests: as whole text for the load generator, and one whose body arrives as it was sent; fetch would decompress it. */
import { type IncomingHttpHeaders, get } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Headers = Readonly<Record<string, string>>

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export function getRequest(path: string, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
}

/** Throws unless the status is 200. */
export async function read(port: number, path: string, headers: Headers): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
  get({ port, host: '127.0.0.1', path, headers }, (response) => {
    const { statusCode: status = 0, headers: received } = response
    if (status === 200) buffer(response).then((body) => resolve({ status, headers: received, body }), reject)
    else reject(new Error(`${path} returned ${status}.`))
  }).on('error', reject)
  return await promise
}

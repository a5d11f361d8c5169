/** `fetch` over one family of addresses, which the global one cannot choose. For Node, Deno and Bun. */
import type { IncomingMessage } from 'node:http'
import type { Family } from './types.ts'

/** What `call` passes to `fetch`. */
interface Init {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Follows no redirects. */
export function fetchOver(family: Family): typeof fetch {
  const send = async (address: string, { body = '', headers, ...init }: Init): Promise<Response> => {
    const url = new URL(address)
    const bytes = new TextEncoder().encode(body)
    // Without a length, the body of DELETE is not part of the request.
    const sent = { ...headers, 'content-length': bytes.length }
    const [{ Readable }, { isIP }, { request }] = await Promise.all([
      import('node:stream'),
      import('node:net'),
      url.protocol === 'https:' ? import('node:https') : import('node:http'),
    ])
    // Of an IP address, Node ignores the family.
    const version = isIP(url.hostname.replaceAll(/[[\]]/g, ''))
    if (version !== 0 && version !== family) throw new Error('MUSTER_URL is an address of the other family')
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { ...init, headers: sent, family, agent: false }, resolve)
        .on('error', reject)
        .end(bytes)
    })
    const { statusCode: status = 0 } = response
    const stream = status === 204 ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>)
    return new Response(stream, { status, headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]) })
  }
  return send as unknown as typeof fetch
}

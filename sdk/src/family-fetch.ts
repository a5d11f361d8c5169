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
  const send = async (address: string, { body, ...init }: Init): Promise<Response> => {
    const url = new URL(address)
    const [{ Readable }, { isIP }, { request }] = await Promise.all([
      import('node:stream'),
      import('node:net'),
      url.protocol === 'https:' ? import('node:https') : import('node:http'),
    ])
    // Of an IP address, Node ignores the family.
    const version = isIP(url.hostname.replaceAll(/[[\]]/g, ''))
    if (version !== 0 && version !== family) throw new Error('MUSTER_URL is an address of the other family')
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { ...init, family, agent: false }, resolve)
        .on('error', reject)
        .end(body)
    })
    const { statusCode: status = 0, headers } = response
    const stream = status === 204 ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>)
    return new Response(stream, { status, headers: Object.entries(headers).map(([name, value]) => [name, String(value)]) })
  }
  return send as unknown as typeof fetch
}

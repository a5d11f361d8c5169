/** Answers the reachability check: the list connects to the announced port and expects its token back. */
import type { webcrypto } from 'node:crypto'

const PATH = '/.well-known/muster/'
const encoder = new TextEncoder()

export interface ProbedServer {
  readonly publicId: string
  readonly credential: string
}

/**
 * The body of the answer: the token, if this list signed it for this server; undefined for any other request. The expiry is not checked, so
 * that a wrong clock does not make the server unreachable.
 * @param path the path of a GET request @param host its Host header
 */
export async function probeAnswer(path: string, host: string, { publicId, credential }: ProbedServer): Promise<string | undefined> {
  const token = path.startsWith(PATH) ? path.slice(PATH.length) : ''
  const end = token.lastIndexOf('.')
  if (!token.startsWith(`${publicId}.`) || publicId === '') return undefined
  const signature = bytesOf(token.slice(end + 1))
  const isSigned =
    signature !== undefined &&
    (await globalThis.crypto.subtle.verify('HMAC', await keyOf(credential), signature, encoder.encode(`${token.slice(0, end)}.${host}`)))
  return isSigned ? token : undefined
}

/** The key that the list and the server share: the list stores the SHA-256 of the credential. */
export async function keyOf(credential: string): Promise<webcrypto.CryptoKey> {
  const { subtle } = globalThis.crypto
  const secret = await subtle.digest('SHA-256', encoder.encode(credential))
  return await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/**
 * Listens on the port until `close`, and answers with what `answerTo` resolves to; it never rejects. Resolves to undefined where this program cannot: the game itself uses TCP on the port, or there is no
 * `node:http`. The listener does not keep the process alive.
 */
export async function listenForProbes(
  port: number,
  answerTo: (path: string, host: string) => Promise<string | undefined>,
): Promise<{ close(): void } | undefined> {
  try {
    const { createServer } = await import('node:http')
    const listener = createServer({ keepAlive: false, headersTimeout: 3000, requestTimeout: 3000 }, (request, response) => {
      const { method, url = '', headers } = request
      void answerTo(method === 'GET' ? url : '', headers.host ?? '').then((token) => {
        response.writeHead(token === undefined ? 404 : 200, { 'content-type': 'text/plain', connection: 'close' }).end(token)
      })
    })
    listener.maxConnections = 50
    listener.unref()
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject).listen(port, resolve)
    })
    listener.on('error', () => undefined)
    return { close: () => listener.close().closeAllConnections() }
  } catch {
    return undefined
  }
}

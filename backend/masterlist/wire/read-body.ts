import type { IncomingMessage } from 'node:http'

/** Returns undefined for a body of more than `max` bytes. Never resolves if the client leaves before the end. */
export function readBody(request: IncomingMessage, max: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > max) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > max) resolve(undefined)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  })
}

/** The game server's side of the reachability check, as documented in the API reference. It shares no code with the list. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import { systemClock } from '#backend/platform/clock.ts'
import type { RegisteredServer } from './register.ts'

const PATH = '/.well-known/muster/'

/** Whether the list signed this token for this server and address, and it has not expired. */
export function isValidProbeToken(
  token: string,
  host: string,
  { publicId, credential }: Pick<RegisteredServer, 'publicId' | 'credential'>,
): boolean {
  const [id, expires, nonce, signature, ...rest] = token.split('.')
  if (id !== publicId || nonce === undefined || signature === undefined || rest.length > 0) return false
  if (!(Number(expires) * 1000 >= systemClock.now())) return false
  const key = createHash('sha256').update(credential).digest()
  const expected = createHmac('sha256', key).update(`${id}.${expires}.${nonce}.${host}`).digest()
  const actual = Buffer.from(signature, 'base64url')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Resolves to undefined if the port is in use. */
export function answerProbes(registered: RegisteredServer): Promise<Server | undefined> {
  const server = createServer((request, reply) => {
    const token = request.url?.startsWith(PATH) === true ? request.url.slice(PATH.length) : ''
    const isValid = request.method === 'GET' && isValidProbeToken(token, request.headers.host ?? '', registered)
    reply.writeHead(isValid ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' }).end(isValid ? token : '')
  })
  const { promise, resolve } = Promise.withResolvers<Server | undefined>()
  server.once('error', () => resolve(undefined))
  server.listen(registered.profile.port, () => resolve(server))
  return promise
}

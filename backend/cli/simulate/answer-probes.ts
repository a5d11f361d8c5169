/** A game server's side of the reachability check, written from docs/api.md: it shares no code with the list. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import { systemClock } from '#backend/platform/clock.ts'
import type { Registered } from './register.ts'

const PATH = '/.well-known/muster/'

/** Whether the list made this challenge for this server and this address, and it has not expired. */
export function isValidProbeToken(
  challenge: string,
  host: string,
  { publicId, credential }: Pick<Registered, 'publicId' | 'credential'>,
): boolean {
  const [id, expires, nonce, signature, ...rest] = challenge.split('.')
  if (id !== publicId || nonce === undefined || signature === undefined || rest.length > 0) return false
  if (!(Number(expires) * 1000 >= systemClock.now())) return false
  const key = createHash('sha256').update(credential).digest()
  const right = createHmac('sha256', key).update(`${id}.${expires}.${nonce}.${host}`).digest()
  const given = Buffer.from(signature, 'base64url')
  return given.length === right.length && timingSafeEqual(given, right)
}

export function answerProbes(registered: Registered): Promise<Server | undefined> {
  const server = createServer((request, reply) => {
    const challenge = request.url?.startsWith(PATH) === true ? request.url.slice(PATH.length) : ''
    const isRight = request.method === 'GET' && isValidProbeToken(challenge, request.headers.host ?? '', registered)
    reply.writeHead(isRight ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' }).end(isRight ? challenge : '')
  })
  const { promise, resolve } = Promise.withResolvers<Server | undefined>()
  server.once('error', () => resolve(undefined))
  server.listen(registered.profile.port, () => resolve(server))
  return promise
}

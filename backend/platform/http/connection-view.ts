/** What a request looks like behind the configured proxies. */
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Connection } from '#contract/servers/connection.ts'
import type { Env } from '#backend/platform/env.ts'
import { clientAddress } from './client-address.ts'

export function createConnectionView({ TRUSTED_PROXIES }: Pick<Env, 'TRUSTED_PROXIES'>): (request: FastifyRequest) => Connection {
  const isTrusted = proxyAddress.compile([...TRUSTED_PROXIES])
  return (request) => {
    const { protocol, host, headers, socket } = request
    const isForwarded = headers['x-forwarded-for'] !== undefined
    const forwarded = !isForwarded ? 'no' : isTrusted(socket.remoteAddress ?? '', 0) ? 'trusted' : 'ignored'
    return { address: clientAddress(request), protocol, host, forwarded }
  }
}

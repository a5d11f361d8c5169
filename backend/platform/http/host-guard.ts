import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Env } from '#backend/platform/env.ts'
import { forbidden, invalid } from '#backend/platform/errors.ts'
import { HEALTH_PATHS } from './health.ts'

/** Two Host headers are ambiguous: Node uses the first, and a proxy in front may have used the other. */
export function hasDuplicateHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/**
 * Creates the check of the Host header, which HTTP/1.1 requires. With the local identity provider a visitor can be any user. Against DNS rebinding
 * (a website that points its own name at this machine), only IP addresses, localhost and the configured name are accepted then.
 * Health probes are exempt, because a supervisor uses a node's name in its own network.
 */
export function hostGuard({
  usesLocalIdentity,
  PUBLIC_URL,
}: Pick<Env, 'usesLocalIdentity' | 'PUBLIC_URL'>): (request: FastifyRequest) => void {
  const configured = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL).hostname
  return (request) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw invalid('HOST_MISSING')
    if (hasDuplicateHost(request.raw)) throw invalid('HOST_REPEATED')
    if (!usesLocalIdentity || HEALTH_PATHS.has(request.routeOptions.url ?? '')) return
    const name = request.hostname.replace(/^\[|\]$/g, '').toLowerCase()
    if (name === '' || isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === configured) return
    throw forbidden('HOST_NOT_ALLOWED')
  }
}

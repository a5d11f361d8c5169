import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
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
    const name = nameOf(request)
    if (name === '' || isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === configured) return
    throw forbidden('HOST_NOT_ALLOWED')
  }
}

/** Set by a redirect to PUBLIC_URL, to end a loop behind a proxy that doesn't forward the host name. */
const REDIRECTED_COOKIE = 'muster_redirected'
const REDIRECTED_SECONDS = 3

/**
 * Redirects a page to PUBLIC_URL if it was opened by another host name, where a sign-in could not be completed. Ports are ignored, because
 * proxies often drop them.
 */
export function redirectToPublicUrl({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, request: FastifyRequest, reply: FastifyReply): boolean {
  if (PUBLIC_URL === undefined || request.cookies[REDIRECTED_COOKIE] !== undefined || !acceptsPage(request)) return false
  if (nameOf(request) === new URL(PUBLIC_URL).hostname.replace(/^\[|\]$/g, '')) return false
  reply.setCookie(REDIRECTED_COOKIE, '1', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: REDIRECTED_SECONDS })
  void reply.header('cache-control', 'no-store').redirect(`${PUBLIC_URL}${request.url}`)
  return true
}

/** Health checks accept nothing in particular. */
const acceptsPage = ({ headers, url }: FastifyRequest) => /text\/html|\*\/\*/.test(headers.accept ?? '') && url.startsWith('/')

/** The host name, without the brackets of an IPv6 address. */
const nameOf = ({ hostname }: FastifyRequest) => hostname.replace(/^\[|\]$/g, '').toLowerCase()

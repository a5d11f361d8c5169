/**
 * Refuses calls that another site's page makes with the visitor's cookie. Browsers say where a call comes from: `Sec-Fetch-Site`
 * (all since 2023), else `Origin` on every unsafe method. A client that sends neither is no browser and carries nobody's cookie
 * by accident. The same rule as Go's net/http CrossOriginProtection; the cookie is `SameSite=Lax` besides.
 */
import type { FastifyRequest } from 'fastify'
import { forbidden } from '#backend/platform/errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @param publicOrigin the panel's own origin where it is configured; a proxy may have changed the Host header. */
export function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const origin = request.headers.origin
  if (site === undefined && origin === undefined) return
  if (site === undefined && origin !== undefined && isOwn(origin, request.headers.host, publicOrigin)) return
  throw forbidden('This call came from another website. Open the panel itself and try again.')
}

function isOwn(origin: string, host: string | undefined, publicOrigin: string | undefined): boolean {
  return origin === publicOrigin || (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`))
}

/** The routes for supervisors on both listeners: liveness, readiness and metrics. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Env } from '#backend/platform/env.ts'
import { errorReply } from './error-reply.ts'

const [ALIVE, READY] = ['/healthz', '/readyz']
/** These reveal only whether the program is alive and ready. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([ALIVE, READY])

/** Any of these headers means that a proxy on this machine forwards a request from elsewhere. */
const PROXIED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto']
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/**
 * Without a token, metrics are not available in production, and elsewhere only to this machine.
 * @param readinessProblem why this node is not ready for traffic; undefined if it is. Never throws.
 */
export function serveHealth(
  app: FastifyInstance,
  { METRICS_TOKEN: token, isProduction }: Pick<Env, 'METRICS_TOKEN' | 'isProduction'>,
  metrics: Registry,
  readinessProblem: () => Promise<string | undefined>,
): void {
  app.get(ALIVE, (_request, reply) => reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok\n'))

  app.get(READY, async (_request, reply) => {
    const problem = await readinessProblem()
    return reply
      .code(problem === undefined ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(`${problem ?? 'ready'}\n`)
  })

  app.get('/metrics', async (request, reply) => {
    const isAllowed =
      token === undefined
        ? !isProduction && LOOPBACK.test(request.socket.remoteAddress ?? '') && PROXIED.every((name) => request.headers[name] === undefined)
        : isSame(request.headers.authorization ?? '', `Bearer ${token}`)
    // Hides from everyone else that metrics exist.
    if (!isAllowed) return reply.code(404).send(errorReply(404, 'PAGE_NOT_FOUND'))
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

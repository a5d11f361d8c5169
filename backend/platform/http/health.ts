/** What a supervisor asks on both listeners: is the process alive, is it ready for traffic, how is it doing. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { envelope } from './error-reply.ts'

export interface Health {
  /** Why it is not ready for traffic; undefined when it is. Never throws. */
  readonly readinessProblem: () => Promise<string | undefined>
  readonly metrics: Registry
  /** Without one, metrics can't be read in production, and elsewhere only by this machine. */
  readonly metricsToken: string | undefined
  readonly isProduction: boolean
}

const [ALIVE, READY] = ['/healthz', '/readyz']
/** These reveal no more than whether the program lives and is ready. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set([ALIVE, READY])

/** A proxy on this machine passes on calls from elsewhere; each of these headers shows one. */
const PROXIED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto']
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export function serveHealth(app: FastifyInstance, { readinessProblem: notReady, metrics, metricsToken, isProduction }: Health): void {
  app.get(ALIVE, (_request, reply) => reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok\n'))

  app.get(READY, async (_request, reply) => {
    const why = await notReady()
    return reply
      .code(why === undefined ? 200 : 503)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(`${why ?? 'ready'}\n`)
  })

  app.get('/metrics', async (request, reply) => {
    const isAllowed =
      metricsToken === undefined
        ? !isProduction && LOOPBACK.test(request.socket.remoteAddress ?? '') && PROXIED.every((name) => request.headers[name] === undefined)
        : isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
    // Others don't learn that there are metrics.
    if (!isAllowed) return reply.code(404).send(envelope(404, 'There is no such page.'))
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

/** What a supervisor asks: is the process alive, may it get traffic, how is it doing. On both listeners. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { envelope } from './error-reply.ts'

export interface Health {
  /** Undefined when traffic is welcome, else why not. Never throws. */
  readonly notReady: () => Promise<string | undefined>
  readonly metrics: Registry
  /** Undefined: no token is configured. Then nobody reads the metrics in production, and elsewhere only this machine. */
  readonly metricsToken: string | undefined
  readonly isProduction: boolean
}

const [ALIVE, READY] = ['/healthz', '/readyz']
/** What tells anybody who asks no more than whether the program lives, and whether or why not it welcomes calls. */
export const PROBES: ReadonlySet<string> = new Set([ALIVE, READY])

/** A proxy on this machine speaks for the world; each of these says that there is one. */
const PROXIED = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto']
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

export function serveHealth(app: FastifyInstance, { notReady, metrics, metricsToken, isProduction }: Health): void {
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
    // Whoever may not read them need not know of them.
    if (!isAllowed) return reply.code(404).send(envelope(404, 'There is no such page.'))
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))
}

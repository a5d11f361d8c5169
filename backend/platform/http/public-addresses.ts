/** The addresses of this installation for visitors. Outside production they may follow the address that the visitor used. */
import type { FastifyRequest } from 'fastify'
import type { Env } from '#backend/platform/env.ts'

/** Of the panel and the public pages, without a slash at the end. */
export function originOf({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, { protocol, host }: FastifyRequest): string {
  return PUBLIC_URL ?? `${protocol}://${host}`
}

/** Of the master list, for game servers and launchers. */
export function listUrlOf(env: Pick<Env, 'MASTERLIST_PUBLIC_URL' | 'MASTERLIST_PORT'>, { hostname }: FastifyRequest): string {
  return env.MASTERLIST_PUBLIC_URL ?? `http://${hostname}:${env.MASTERLIST_PORT}`
}

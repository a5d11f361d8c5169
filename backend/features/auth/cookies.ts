/** The cookies of a session and of a pending sign-in. Over https both are bound to this host (`__Host-`). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '#backend/platform/env.ts'

export const SESSION_DAYS = 30
const SIGN_IN_SECONDS = 600

type PublicUrl = Pick<Env, 'PUBLIC_URL'>

const isHttps = (env: PublicUrl) => env.PUBLIC_URL?.startsWith('https:') === true
const nameOf = (env: PublicUrl, name: string) => (isHttps(env) ? `__Host-${name}` : name)
const options = (env: PublicUrl, maxAge: number) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(env), maxAge }) as const

export function readSession(env: PublicUrl, request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(env, 'muster_session')]
}

export function writeSession(env: PublicUrl, reply: FastifyReply, id: string): void {
  reply.setCookie(nameOf(env, 'muster_session'), id, options(env, SESSION_DAYS * 86_400))
}

export function clearSession(env: PublicUrl, reply: FastifyReply): void {
  reply.clearCookie(nameOf(env, 'muster_session'), options(env, 0))
}

export interface PendingSignIn {
  readonly state: string
  readonly verifier: string
}

export function writeSignIn(env: PublicUrl, reply: FastifyReply, { state, verifier }: PendingSignIn, nowMs: number): void {
  const value = `${state}.${verifier}.${nowMs + SIGN_IN_SECONDS * 1000}`
  reply.setCookie(nameOf(env, 'muster_sign_in'), value, { ...options(env, SIGN_IN_SECONDS), signed: true })
}

/** This browser's pending sign-in; undefined if missing, expired or forged. */
export function readSignIn(env: PublicUrl, request: FastifyRequest, nowMs: number): PendingSignIn | undefined {
  const cookie = request.cookies[nameOf(env, 'muster_sign_in')]
  if (cookie === undefined) return undefined
  const { valid, value } = request.unsignCookie(cookie)
  const [state, verifier, until] = valid ? value.split('.') : []
  if (state === undefined || verifier === undefined || !(Number(until) > nowMs)) return undefined
  return { state, verifier }
}

export function clearSignIn(env: PublicUrl, reply: FastifyReply): void {
  reply.clearCookie(nameOf(env, 'muster_sign_in'), options(env, 0))
}

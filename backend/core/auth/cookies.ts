/** The cookies of a session and of a pending sign-in. Over https both are bound to this host (`__Host-`). */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '#backend/platform/env.ts'

/** The ID of Discord, and of the local provider that replaces it. */
export const DISCORD = 'discord'
const SIGN_IN_SECONDS = 600
/** A browser's pending sign-ins. The cookies of more could exceed the limit of a request's headers. */
const MAX_PENDING_SIGN_INS = 8

type PublicUrl = Pick<Env, 'PUBLIC_URL'>

const isHttps = (env: PublicUrl) => env.PUBLIC_URL?.startsWith('https:') === true
const nameOf = (env: PublicUrl, name: string) => (isHttps(env) ? `__Host-${name}` : name)
const options = (env: PublicUrl, maxAge: number) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(env), maxAge }) as const

export function readSession(env: PublicUrl, request: FastifyRequest): string | undefined {
  return request.cookies[nameOf(env, 'muster_session')]
}

export function writeSession(env: PublicUrl & Pick<Env, 'SESSION_DAYS'>, reply: FastifyReply, id: string): void {
  reply.setCookie(nameOf(env, 'muster_session'), id, options(env, env.SESSION_DAYS * 86_400))
}

export function clearSession(env: PublicUrl, reply: FastifyReply): void {
  reply.clearCookie(nameOf(env, 'muster_session'), options(env, 0))
}

export interface PendingSignIn {
  readonly state: string
  readonly verifier: string
  /** Bound to the state, so that no provider can complete the sign-in of another. */
  readonly provider: string
  /** Of OpenID Connect: the ID token must repeat it. */
  readonly nonce: string
  /** The signed-in user who links the identity to their account. Undefined if it signs in. */
  readonly linksTo: string | undefined
}

const randomText = () => randomBytes(32).toString('base64url')

/** Secrets of one sign-in: 256 bits of state, a verifier of 43 characters (RFC 7636 section 4.1). */
export function newSignIn(provider: string, linksTo?: string): PendingSignIn {
  return { state: randomText(), verifier: randomText(), provider, nonce: randomText(), linksTo }
}

/** Each pending sign-in has its own cookie, so that sign-ins in several tabs don't replace each other. */
const signInName = (env: PublicUrl, state = '') => nameOf(env, `muster_sign_in_${state.slice(0, 8)}`)

/** Also clears the oldest cookies of other pending sign-ins if there are too many. */
export function writeSignIn(
  env: PublicUrl,
  request: FastifyRequest,
  reply: FastifyReply,
  { state, verifier, provider, nonce, linksTo = '' }: PendingSignIn,
  nowMs: number,
): void {
  const prefix = signInName(env)
  // Only names that this function writes: a client can send others, which no header may contain.
  const isOwn = (name: string) => name.startsWith(prefix) && /^[\w-]{8}$/.test(name.slice(prefix.length))
  const pending = Object.entries(request.cookies).filter(([name]) => isOwn(name))
  const expiryOf = (cookie = '') => Number(request.unsignCookie(cookie).value?.split('.')[2] ?? 0)
  const newestFirst = pending.toSorted(([, a], [, b]) => expiryOf(b) - expiryOf(a))
  for (const [name] of newestFirst.slice(MAX_PENDING_SIGN_INS - 1)) reply.clearCookie(name, options(env, 0))
  const value = [state, verifier, nowMs + SIGN_IN_SECONDS * 1000, provider, nonce, linksTo].join('.')
  reply.setCookie(signInName(env, state), value, { ...options(env, SIGN_IN_SECONDS), signed: true })
}

/** This browser's pending sign-in with this state; undefined if missing, expired or forged. */
export function readSignIn(env: PublicUrl, request: FastifyRequest, answeredState: string, nowMs: number): PendingSignIn | undefined {
  const cookie = request.cookies[signInName(env, answeredState)]
  if (cookie === undefined) return undefined
  const { valid, value } = request.unsignCookie(cookie)
  // Nodes before OpenID Connect write the first three.
  const [state, verifier, until, provider = DISCORD, nonce = '', linksTo = ''] = valid ? value.split('.') : []
  if (state === undefined || verifier === undefined || !(Number(until) > nowMs)) return undefined
  return { state, verifier, provider, nonce, linksTo: linksTo === '' ? undefined : linksTo }
}

export function clearSignIn(env: PublicUrl, reply: FastifyReply, state: string): void {
  reply.clearCookie(signInName(env, state), options(env, 0))
}

/** Users who call the panel's API over HTTP, and their sign-in through the local provider. */
import { type CallArgs, type Endpoint, type ReplyOf, envelopeOf, parseRoute } from '#contract/api/endpoint.ts'
import type { ErrorReply } from '#contract/api/errors.ts'

export interface ApiResponse<T> {
  readonly status: number
  readonly headers: Headers
  /** The reply without its envelope; only meaningful for a success. */
  readonly data: T
  /** The error envelope; only meaningful for a rejection. */
  readonly error: ErrorReply
  readonly text: string
}

export interface TestUser {
  /** Undefined for a signed-out user. */
  readonly id: string | undefined
  /** Calls an endpoint of the panel as this user. Does not throw on a rejection. */
  call<E extends Endpoint>(endpoint: E, args?: CallArgs<E>): Promise<ApiResponse<ReplyOf<E>>>
  /** Sends any request to the panel as this user. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The same user on another node's panel. */
  at(node: { readonly panelUrl: string }): TestUser
}

export type SignedInUser = TestUser & { readonly id: string }

function cookieOf(response: Response, start: string): string | undefined {
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith(start))
  return cookie?.split(';', 1)[0]
}

/** Starts a sign-in. Returns what is needed to complete it, for tests that change a step. */
export async function beginSignIn(panelUrl: string, username: string): Promise<{ cookie: string; code: string; state: string }> {
  const authorize = await fetch(`${panelUrl}/api/auth/discord`)
  const cookie = cookieOf(authorize, 'muster_sign_in') ?? ''
  const redirect = await fetch(`${await authorize.text()}&username=${username}`, { redirect: 'manual' })
  const { searchParams } = new URL(redirect.headers.get('location') ?? '')
  return { cookie, code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}

/** Signs in through the local provider. Returns the session cookie. */
export async function signInCookie(panelUrl: string, username: string): Promise<string> {
  const { cookie, code, state } = await beginSignIn(panelUrl, username)
  const response = await fetch(`${panelUrl}/api/auth/discord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ code, state }),
  })
  if (response.status !== 204) throw new Error(`Signing in failed: ${await response.text()}`)
  return cookieOf(response, 'muster_session=') ?? ''
}

/** Signs in through the local provider, the way a browser does. */
export async function signIn(panelUrl: () => string, username: string): Promise<SignedInUser> {
  const cookie = await signInCookie(panelUrl(), username)
  const me = await fetch(`${panelUrl()}/api/auth/me`, { headers: { cookie } })
  const { data } = (await me.json()) as { data: { id: string } }
  return { ...testUser(panelUrl, data.id, { cookie }), id: data.id }
}

export function testUser(panelUrl: () => string, id: string | undefined, identification: Readonly<Record<string, string>>): TestUser {
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${panelUrl()}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...identification, ...(init.headers as Record<string, string> | undefined) },
    })
  return {
    id,
    fetch: request,
    at: (node) => testUser(() => node.panelUrl, id, identification),
    async call(endpoint, args) {
      const { method, path } = parseRoute(endpoint.route)
      const input = (args ?? {}) as { params?: Record<string, string>; query?: object; body?: unknown }
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
      const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)])).toString()
      const response = await request(query === '' ? url : `${url}?${query}`, {
        method,
        ...(input.body !== undefined && { body: JSON.stringify(input.body), headers: { 'content-type': 'application/json' } }),
      })
      return readResponse(response, endpoint)
    },
  }
}

async function readResponse<E extends Endpoint>(response: Response, endpoint: E): Promise<ApiResponse<ReplyOf<E>>> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const json: unknown = isJson ? JSON.parse(text) : undefined
  const envelope = envelopeOf(endpoint)
  const data = envelope === 'text' ? text : envelope === 'bare' ? json : (json as { data?: unknown } | undefined)?.data
  return { status: response.status, headers: response.headers, data: data as ReplyOf<E>, error: json as ErrorReply, text }
}

/** A player's client and a game server, as docs/api.md describes them: sign-in, tickets and verification. */
import { createHash, randomBytes } from 'node:crypto'
import type { TicketReply, VerifyReply } from '#contract/masterlist/cloud-auth.ts'
import { setTier } from './factories.ts'
import type { SignedInUser, TestApp } from './harness.ts'

interface Lists {
  readonly listUrl: string
}

export interface AuthorizationCode {
  readonly code: string
  readonly codeVerifier: string
}

/** Signs in through the local provider, as a browser opened by the client does. @param state returned to the client */
export async function playerCode(
  { listUrl }: Lists,
  username: string,
  state = randomBytes(16).toString('hex'),
): Promise<AuthorizationCode> {
  const configuration = (await (await fetch(`${listUrl}/cloud-auth`)).json()) as Record<string, string>
  const codeVerifier = randomBytes(32).toString('base64url')
  const url = new URL(configuration.authorizeUrl ?? '')
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: configuration.clientId ?? '',
    scope: configuration.scope ?? '',
    redirect_uri: configuration.redirectUri ?? '',
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    username,
  }).toString()
  const redirect = await fetch(url, { redirect: 'manual' })
  const callback = new URL(redirect.headers.get('location') ?? '')
  return { code: callback.searchParams.get('code') ?? '', codeVerifier }
}

const json = { 'content-type': 'application/json' }

export function requestTicket({ listUrl }: Lists, body: unknown): Promise<Response> {
  return fetch(`${listUrl}/cloud-auth/ticket`, { method: 'POST', headers: json, body: JSON.stringify(body) })
}

/** A ticket for this server, from a new sign-in. */
export async function ticketFor(app: Lists, server: string, username: string): Promise<TicketReply> {
  return (await requestTicket(app, { server, ...(await playerCode(app, username)) })).json() as Promise<TicketReply>
}

export function requestVerification({ listUrl }: Lists, credential: string | undefined, body: unknown): Promise<Response> {
  return fetch(`${listUrl}/cloud-auth/verify`, {
    method: 'POST',
    headers: { ...json, ...(credential !== undefined && { authorization: `Bearer ${credential}` }) },
    body: JSON.stringify(body),
  })
}

/** What the game server learns from a ticket. */
export async function verifyTicket(app: Lists, credential: string, ticket: string): Promise<VerifyReply> {
  return (await requestVerification(app, credential, { ticket })).json() as Promise<VerifyReply>
}

/** A user with the cloud auth benefit. */
export async function cloudAuthOwner(app: TestApp): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, 'SILVER')
  return user
}

/** The public keys that sign tickets. */
export async function signingKeys({ listUrl }: Lists) {
  const response = await fetch(`${listUrl}/cloud-auth/jwks.json`)
  return { response, keys: ((await response.json()) as { keys: Record<string, string>[] }).keys }
}

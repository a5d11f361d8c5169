/** Cloud auth: a game server learns who a player is, by an id that no other owner's servers see (master list's listener). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** `OK`; the server's owner does not hold CLIENT_CLOUD_AUTH; or what was shown proves nothing. */
const CloudAuthResult = z.enum(['OK', 'NO_BENEFIT', 'VERIFY_FAILED'])
type CloudAuthResult = z.output<typeof CloudAuthResult>

const text = (label: string, most: number) =>
  z
    .string({ error: `${label} must be a text.` })
    .min(1, `${label} is missing.`)
    .max(most, `${label} can be at most ${most} characters long.`)

export const configuration = endpoint('GET /cloud-auth', {
  summary: 'How a client signs its player in: authorize with these values, `state` and PKCE S256, then ask for a ticket with the code.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: z.object({
    issuer: z.string(),
    authorizeUrl: z.string(),
    clientId: z.string(),
    redirectUri: z.string(),
    scope: z.string(),
    jwksUri: z.string(),
  }),
  rejections: { 503: 'No provider is configured.' },
})

export const TicketBody = z.object({
  server: text('server', 64).describe("The server's public id or vanity id."),
  code: text('code', 512).optional().describe('What the provider gave after signing in.'),
  codeVerifier: text('codeVerifier', 128).optional().describe('The PKCE verifier that belongs to it.'),
  playerToken: text('playerToken', 4096).optional().describe('In place of both: what an earlier ticket came with.'),
})
export type TicketBody = z.output<typeof TicketBody>

export const TicketReply = z.object({
  result: CloudAuthResult,
  ticket: z.string().describe('A JWT for this one server; empty where the result is not OK.'),
  expiresAt: z.string().describe('Until when the ticket can be shown; empty where there is none.'),
  playerToken: z.string().describe('For the next ticket without signing in; empty where nobody signed in.'),
})
export type TicketReply = z.output<typeof TicketReply>

export const ticket = endpoint('POST /cloud-auth/ticket', {
  summary:
    'Signs a player in by a code of the provider, or by the token of a former sign-in, and gives a ticket for one server, good for five minutes.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  body: TicketBody,
  reply: TicketReply,
  rejections: { 404: 'No such server.', 503: 'No provider is configured, or it does not answer.' },
})

export const VerifyReply = z.object({
  result: CloudAuthResult,
  id: z.string().describe("The player's id on this owner's servers, always the same; empty where the result is not OK."),
})
export type VerifyReply = z.output<typeof VerifyReply>

export const verify = endpoint('POST /cloud-auth/verify', {
  summary: "A game server checks a player's ticket with its credential.",
  access: 'credential',
  listener: 'masterlist',
  envelope: 'bare',
  body: z.object({ ticket: text('ticket', 4096) }),
  reply: VerifyReply,
})

export const keys = endpoint('GET /cloud-auth/jwks.json', {
  summary: 'The public keys that tickets are signed with (RFC 7517); a new one stands here long before it is used.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'bare',
  reply: z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) }),
})

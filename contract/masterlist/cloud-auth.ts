/** Cloud auth: game servers identify players by an ID that differs for each owner (on the master list's listener). */
import { z } from 'zod'
import { BODY_ERRORS, CREDENTIAL_ERRORS } from './list-codes.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { requiredText } from '#contract/text/text.ts'

/** `NO_BENEFIT`: the owner lacks CLIENT_CLOUD_AUTH. `VERIFY_FAILED`: the sign-in or the ticket is invalid. */
const CloudAuthResult = z.enum(['OK', 'NO_BENEFIT', 'VERIFY_FAILED']).meta({ id: 'CloudAuthResult' })
type CloudAuthResult = z.output<typeof CloudAuthResult>

export const configuration = endpoint('GET /cloud-auth', {
  summary: 'Get the sign-in configuration for players',
  description: 'Authorize with these values, `state` and PKCE S256. Then request a ticket with the code.',
  access: 'public',
  reply: z.object({
    issuer: z.string(),
    authorizeUrl: z.string(),
    clientId: z.string(),
    redirectUri: z.string(),
    scope: z.string(),
    jwksUri: z.string(),
  }),
  codes: ['TOO_MANY_REQUESTS', 'SIGN_IN_NOT_SET_UP'],
})

export const TicketBody = z.object({
  server: requiredText('server', 64).describe('The public ID or vanity ID of the server.'),
  code: requiredText('code', 512).optional().describe('The code that the identity provider returned.'),
  codeVerifier: requiredText('codeVerifier', 128).optional().describe('The PKCE verifier of the code.'),
  playerToken: requiredText('playerToken', 4096)
    .optional()
    .describe('Instead of `code` and `codeVerifier`: the player token of an earlier ticket.'),
})
export type TicketBody = z.output<typeof TicketBody>

export const TicketReply = z.object({
  result: CloudAuthResult,
  ticket: z.string().describe('A JWT for this server. Empty unless the result is OK.'),
  expiresAt: z.string().describe('When the ticket expires. Empty without a ticket.'),
  playerToken: z.string().describe('For the next ticket without a new sign-in. Empty unless the result is OK.'),
})
export type TicketReply = z.output<typeof TicketReply>

export const ticket = endpoint('POST /cloud-auth/ticket', {
  summary: 'Get a ticket for a player',
  description: 'Signs a player in by a code or an earlier player token. The ticket is for one server and lasts five minutes.',
  access: 'public',
  limits: ['cloud-auth-tickets'],
  body: TicketBody,
  reply: TicketReply,
  codes: [...BODY_ERRORS, 'NO_SUCH_SERVER', 'TOO_MANY_REQUESTS', 'SIGN_IN_NOT_SET_UP', 'SIGN_IN_UNAVAILABLE', 'UNAVAILABLE'],
})

export const VerifyReply = z.object({
  result: CloudAuthResult,
  id: z.string().describe("The player's ID on this owner's servers, always the same. Empty unless the result is OK."),
})
export type VerifyReply = z.output<typeof VerifyReply>

export const verify = endpoint('POST /cloud-auth/verify', {
  summary: "Verify a player's ticket",
  description: 'A game server calls this with its credential.',
  access: 'credential',
  limits: ['server-calls', 'unauthenticated-announces'],
  body: z.object({ ticket: requiredText('ticket', 4096) }),
  reply: VerifyReply,
  codes: [...CREDENTIAL_ERRORS, ...BODY_ERRORS, 'CALLED_TOO_OFTEN'],
})

export const keys = endpoint('GET /cloud-auth/jwks.json', {
  summary: 'Get the keys that sign tickets',
  description: 'RFC 7517. A new key is published long before it is used.',
  access: 'public',
  reply: z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) }),
  codes: ['TOO_MANY_REQUESTS', 'UNAVAILABLE'],
  replyHeaders: ['ETag'],
})

/** Handing a server over to somebody else: offered, then accepted, cancelled or lapsed (product.md section 4, contract section 6). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CONSEQUENCES, ISSUE_KINDS, SEVERITIES } from './protection.ts'
import { Time } from './time.ts'
import { PublicUser, UserId } from './users.ts'

/** How long an offer stands (contract section 6). */
export const TRANSFER_DAYS = 7

const Remark = z.object({
  code: z.string().describe('For programs; see the API reference.'),
  message: z.string().describe('For people, one or two sentences.'),
})

const CarriedIssue = z.object({
  kind: z.enum(ISSUE_KINDS),
  severity: z.enum(SEVERITIES),
  summary: z.string(),
  consequence: z.enum(CONSEQUENCES),
  first_seen_at: Time,
})

export const ServerTransfer = z
  .object({
    id: z.string(),
    token: z.object({ public_id: z.string(), name: z.string() }),
    from_user: PublicUser,
    to_user: PublicUser,
    created_at: Time,
    expires_at: Time.describe('After seven days, or when the sender, who is leaving, is erased. ISO 8601, UTC.'),
    obstacles: z.array(Remark).describe('For the recipient: what keeps him from accepting now. Empty for the sender.'),
    effects: z.array(Remark).describe('For the recipient: what changes when he accepts. Empty for the sender.'),
    issues: z.array(CarriedIssue).describe('For the recipient: open protection issues that come with the server. Empty for the sender.'),
  })
  .meta({ id: 'ServerTransfer' })
export type ServerTransfer = z.output<typeof ServerTransfer>

export const NewTransfer = z.strictObject({
  token_id: z.string({ error: 'token_id must be the public id of one of your servers.' }),
  user_id: UserId,
})
export type NewTransfer = z.output<typeof NewTransfer>

const gone = { 404: 'No such transfer: it was never there, is not yours, or is over (accepted, cancelled or lapsed).' }

export const offer = endpoint('POST /api/users/tokens/transfers/create', {
  summary: 'Offers one of your servers to another user. Nothing moves before he accepts.',
  access: 'member',
  body: NewTransfer,
  reply: ServerTransfer,
  rejections: { 404: 'No such server of yours, or no such user.', 409: 'The server is on offer already.' },
})

export const accept = endpoint('POST /api/users/tokens/transfers/{id}/accept', {
  summary: 'Accepts: the server is yours, its credential is revoked, its bound address and group are cleared. Only the recipient can.',
  access: 'member',
  envelope: 'none',
  rejections: gone,
})

export const cancel = endpoint('POST /api/users/tokens/transfers/{id}/cancel', {
  summary: 'Ends an offer: the sender takes it back or the recipient declines.',
  access: 'member',
  envelope: 'none',
  rejections: gone,
})

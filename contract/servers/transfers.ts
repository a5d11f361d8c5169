/** Transfers of servers: requested, then accepted, cancelled, declined or expired. */
import { z } from 'zod'
import * as m from '#contract/text/messages.ts'
import { codeOf } from '#contract/api/documented.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { TransferIdParam } from '#contract/api/path-params.ts'
import { ConsequenceEnum, KindEnum, SeverityEnum } from '#contract/protection/protection.ts'
import { Time } from '#contract/text/time.ts'
import { PublicUser, UserId } from '#contract/users/users.ts'

/** How long a transfer can be accepted. */
export const TRANSFER_DAYS = 7

/** A code that ends in `_MISSING` names a benefit that the recipient lacks: what it gives stays hidden. */
const REMARK_CODES = [
  'SERVER_LIMIT',
  'SERVER_BANNED',
  'CREDENTIAL_ENDS',
  'ADDRESS_CLEARED',
  'MANAGERS_CHANGE',
  'GROUP_CLEARED',
  'SETTINGS_END',
  'PROMOTION_GIVES_WAY',
  'CUSTOM_VANITY_URL_MISSING',
  'PROMOTED_MISSING',
  'MASTERLIST_TOKEN_CARD_ICONS_MISSING',
]

const Remark = z.object({
  code: codeOf('TransferRemarkCode', REMARK_CODES, 'What the remark is about, for programs.'),
  message: z.string().describe('For people, one or two sentences.'),
})

const CarriedIssue = z.object({
  kind: KindEnum,
  severity: SeverityEnum,
  summary: z.string(),
  consequence: ConsequenceEnum,
  first_seen_at: Time,
})

export const ServerTransfer = z
  .object({
    id: z.string(),
    token: z.object({ public_id: z.string(), name: z.string(), icon_url: z.string().nullable() }),
    from_user: PublicUser,
    to_user: PublicUser,
    created_at: Time,
    expires_at: Time.describe('After seven days, or when the account of the sender is erased. ISO 8601, UTC.'),
    obstacles: z.array(Remark).describe('For the recipient: what prevents accepting now. Empty for the sender.'),
    effects: z.array(Remark).describe('For the recipient: what accepting changes. Empty for the sender.'),
    issues: z.array(CarriedIssue).describe('For the recipient: open protection issues that come with the server. Empty for the sender.'),
  })
  .meta({ id: 'ServerTransfer' })
export type ServerTransfer = z.output<typeof ServerTransfer>

export const NewTransfer = z.strictObject({
  token_id: z.string({ error: m.mustBeOwnPublicId('token_id') }),
  user_id: UserId,
})
export type NewTransfer = z.output<typeof NewTransfer>

const noTransfer = { 404: 'No such transfer: it does not exist, is not yours, or is over.' }
const ofTransfer = { access: 'member', scope: 'transfers:write', rejections: noTransfer, params: { id: TransferIdParam } } as const

export const offer = endpoint('POST /api/users/tokens/transfers/create', {
  summary: 'Request to transfer a server to another user',
  description: 'Nothing changes until the recipient accepts. A pending transfer expires after seven days.',
  access: 'member',
  scope: 'transfers:write',
  limits: ['offers'],
  body: NewTransfer,
  reply: ServerTransfer,
  rejections: { 404: 'No such server of yours, or no such user.', 409: 'The server already has a pending transfer.' },
})

export const accept = endpoint('POST /api/users/tokens/transfers/{id}/accept', {
  summary: 'Accept a transfer',
  description: 'Only the recipient can accept. The credential is revoked, and the bound address and the group are cleared.',
  ...ofTransfer,
})

export const cancel = endpoint('POST /api/users/tokens/transfers/{id}/cancel', {
  summary: 'Cancel or decline a transfer',
  description: 'The sender cancels the transfer, or the recipient declines it.',
  ...ofTransfer,
})

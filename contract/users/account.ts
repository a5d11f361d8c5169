/** Deleting an account and exporting its data. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { Time } from '#contract/text/time.ts'
import { Me } from './users.ts'

export const requestDeletion = endpoint('POST /api/auth/me/delete', {
  summary: 'Request the deletion of your account',
  description: 'The reply is the time of the erasure. Until then the account can only read `me`, cancel the deletion and sign out.',
  access: 'member',
  limits: ['account-deletions'],
  reply: Time,
})

export const cancelDeletion = endpoint('POST /api/auth/me/delete/cancel', {
  summary: 'Cancel the deletion of your account',
  description: 'Works until the erasure is due. Does nothing if no deletion is requested.',
  access: 'unbanned',
})

export const Export = z
  .object({
    format: z.literal('muster-export-1'),
    exported_at: Time,
    me: Me,
    held: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('Every row that belongs to the user or names them, by table. Without secrets and their hashes.'),
  })
  .meta({ id: 'Export' })
export type Export = z.output<typeof Export>

export const exportData = endpoint('GET /api/auth/me/export', {
  summary: 'Export your data',
  description: 'Everything that is stored about the user, as one JSON file.',
  access: 'member',
  limits: ['exports'],
  reply: Export,
})

/** Leaving, and taking along what is held (product.md section 4, contract section 7). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Time } from './time.ts'
import { Me } from './users.ts'

export const requestDeletion = endpoint('POST /api/auth/me/delete', {
  summary: 'Sets the account for deletion and answers when it is erased. Until then it may only read itself, take that back and log out.',
  access: 'member',
  reply: Time,
})

export const cancelDeletion = endpoint('POST /api/auth/me/delete/cancel', {
  summary: 'Takes the deletion back, up to the very moment it is due. Without one it does nothing.',
  access: 'unbanned',
  envelope: 'none',
})

export const Export = z
  .object({
    format: z.literal('muster-export-1'),
    exported_at: Time,
    me: Me,
    held: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('Every row that belongs to the user or names him, by table. Secrets, and what is only a hash of one, are left out.'),
  })
  .meta({ id: 'Export' })
export type Export = z.output<typeof Export>

export const exportData = endpoint('GET /api/auth/me/export', {
  summary: 'Everything held on the user, as one JSON file.',
  access: 'member',
  reply: Export,
})

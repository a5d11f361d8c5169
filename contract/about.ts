/** What a visitor may know of this installation before signing in. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const About = z
  .object({
    version: z.string(),
    masterlist_url: z.string().describe('Where game servers announce and launchers read.'),
    local_identity: z.boolean().describe('True while the local identity provider stands in for Discord.'),
    ban_appeal_email: z.string(),
    account_deletion_delay_hours: z.number().describe('From asking to be deleted to the erasure; may be a fraction.'),
    announce_ttl_seconds: z.number().describe('So long after its last announce a server counts as offline.'),
    servers_online: z.int(),
    players_online: z.int(),
  })
  .meta({ id: 'About' })
export type About = z.output<typeof About>

export const about = endpoint('GET /api/about', {
  summary: 'The version, where the master list is, how one signs in, and how many are on the list now.',
  access: 'public',
  reply: About,
})

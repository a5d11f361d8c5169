/** Public information about this installation, available before sign-in. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'

const About = z
  .object({
    version: z.string(),
    release: z.string().describe('The release and its build, such as `1.3.0+40a4806f`.'),
    masterlist_url: z.string().describe('Where game servers announce and launchers read.'),
    local_identity: z.boolean().describe('True if the local identity provider replaces Discord.'),
    ban_appeal_email: z.string(),
    support_url: z.url().nullable().describe('Where people become supporters.'),
    terms_url: z.url().nullable().describe("The operator's terms of use."),
    privacy_url: z.url().nullable().describe("The operator's privacy policy."),
    imprint_url: z.url().nullable().describe("The operator's imprint."),
    has_downloads: z.boolean().describe('False if the downloads page is empty.'),
    account_deletion_delay_hours: z.number().describe('From the request to the erasure, in hours. May be a fraction.'),
    delivery_days: z.int().describe('How many days the log of webhook deliveries goes back.'),
    announce_ttl_seconds: z.number().describe('A server is offline this many seconds after its last announce.'),
    checks_reachability: z.boolean().describe('True if the list checks whether players can reach each game server.'),
    public_site: z.boolean().describe('True if visitors can browse the list at `/browse`, and each server has a page at `/s/{id}`.'),
    servers_online: z.int(),
    players_online: z.int(),
  })
  .meta({ id: 'About' })
export type About = z.output<typeof About>

export const about = endpoint('GET /api/about', {
  summary: 'Get facts about this installation',
  description: 'The version, the address of the master list, how users sign in, and how many servers and players are online.',
  access: 'public',
  reply: About,
})

/** Pictures of a server for other sites, on the master list's listener. */
import { z } from 'zod'
import * as m from './messages.ts'
import { endpoint } from './endpoint.ts'
import { PublicOrVanityIdParam } from './path-params.ts'
import { BADGE_STYLES } from './public-page.ts'
import { line } from './text.ts'

export const BadgeQuery = z.object({
  style: z.enum(BADGE_STYLES, { error: m.mustBeOneOf('style', BADGE_STYLES) }).default('flat'),
  label: line({ label: 'label', max: 64 }).default('players').describe('The text on the left, up to 64 characters.'),
})

export const badge = endpoint('GET /servers/{id}/badge.svg', {
  summary: 'Get a badge of a server',
  description: 'Shows the players, such as `37/128`, or `offline`.',
  access: 'public',
  listener: 'masterlist',
  envelope: 'svg',
  params: { id: PublicOrVanityIdParam },
  query: BadgeQuery,
  reply: z.string(),
  codes: ['QUERY_INVALID', 'TOO_MANY_REQUESTS'],
  rejections: { 404: 'No server with this ID has a public page. The body is a badge that says so.' },
  replyHeaders: ['ETag'],
})

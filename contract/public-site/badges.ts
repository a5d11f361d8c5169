/** Pictures of a server for other sites, on the master list's listener. */
import { z } from 'zod'
import { documentedAs } from '#contract/api/documented.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicOrVanityIdParam } from '#contract/api/path-params.ts'
import { BADGE_STYLES } from './public-page.ts'
import { line } from '#contract/text/text.ts'

const MAX_LABEL = 64

/** A badge shows a mistake in its query as well as it can: an image has no room for a sentence. */
export const BadgeQuery = z.object({
  style: z.enum(BADGE_STYLES).catch('flat').describe('Any other style is `flat`.'),
  label: documentedAs(z.preprocess(cutLabel, line({ label: 'label', max: MAX_LABEL })), { type: 'string' })
    .default('players')
    .describe(`The text on the left. It is cut after ${MAX_LABEL} characters.`),
})

function cutLabel(label: unknown): unknown {
  return typeof label === 'string' ? Array.from(label).slice(0, MAX_LABEL).join('') : label
}

export const badge = endpoint('GET /servers/{id}/badge.svg', {
  summary: 'Get a badge of a server',
  description: 'Shows the players, such as `37/128`, or `offline`.',
  access: 'public',
  envelope: 'svg',
  params: { id: PublicOrVanityIdParam },
  query: BadgeQuery,
  reply: z.string(),
  codes: ['QUERY_INVALID', 'TOO_MANY_REQUESTS'],
  rejections: { 404: 'No server with this ID has a public page. The body is a badge that says so.' },
  replyHeaders: ['ETag'],
})

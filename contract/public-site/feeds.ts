/** Previews of news feeds as the launcher shows them. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { webAddress } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'

/** The launcher shows this many of the newest entries. */
export const MAX_FEED_ITEMS = 10

export const FeedPreview = z
  .object({
    title: z.string(),
    items: z.array(
      z.object({
        title: z.string(),
        link: z.string().nullable().describe('An http or https address.'),
        published_at: Time.nullable(),
        html: z.string().describe('Sanitized: text elements only, no attributes except link addresses.'),
      }),
    ),
  })
  .meta({ id: 'FeedPreview' })
export type FeedPreview = z.output<typeof FeedPreview>

export const preview = endpoint('POST /api/users/benefits/feed-preview', {
  summary: 'Preview a news feed',
  description: 'Fetches an RSS, Atom or JSON feed and returns its newest entries, sanitized. Needs CUSTOM_LAUNCHER or ADMIN.',
  access: 'member',
  scope: 'benefits:write',
  limits: ['feed-previews'],
  body: z.strictObject({
    url: webAddress(texts.field_news_feed).refine((text) => /^https:/i.test(text), { error: m.mustBeHttps(texts.field_news_feed) }),
  }),
  reply: FeedPreview,
})

/** Previews of news feeds: access and fetching. */
import * as contract from '#contract/public-site/feeds.ts'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forField, forbidden, invalid } from '#backend/platform/errors.ts'
import { heldBenefits, getUser } from '#backend/core/users/users.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { readFeed } from './read-feed.ts'

const FEED_TYPES = [
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'application/xml',
  'text/xml',
  'application/feed+json',
  'application/json',
]

export function bindFeeds(bind: Bind, deps: Deps): void {
  bind(contract.preview, async ({ caller, body }) => {
    await requirePreviewAccess(deps.db, caller.userId)
    return forField('url', () => previewFeed(deps, body.url))
  })
}

/** Throws `forbidden` unless the user has a custom launcher or is an administrator. */
async function requirePreviewAccess(db: Db, userId: string): Promise<void> {
  const held = await heldBenefits(db, await getUser(db, userId))
  if (!held.has('CUSTOM_LAUNCHER') && !held.has('ADMIN')) throw forbidden('BENEFIT_NOT_HELD', { benefit: BENEFITS.CUSTOM_LAUNCHER.name() })
}

/** Throws `invalid` if the URL cannot be fetched or is not a feed. */
async function previewFeed({ fetchPublic }: Pick<Deps, 'fetchPublic'>, url: string): Promise<contract.FeedPreview> {
  const feed = readFeed(await fetchPublic(url, FEED_TYPES))
  if (feed === undefined) throw invalid('ADDRESS_NOT_FEED')
  return feed
}

import * as feeds from '#contract/feeds.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { requirePreviewAccess, previewFeed } from './feeds.ts'

export function bindFeeds(bind: Bind, deps: Deps): void {
  // Each preview sends a request to a third party, so failed ones count too.
  const previews = createRateLimit(deps, 'feed-previews', { burst: 10, perSecond: 1 / 6 })

  bind(feeds.preview, async ({ caller, body }) => {
    await requirePreviewAccess(deps.db, caller.userId)
    previews.take(caller.userId)
    return previewFeed(deps, body.url)
  })
}

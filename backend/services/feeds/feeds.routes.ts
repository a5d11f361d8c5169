import * as feeds from '#contract/public-site/feeds.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { requirePreviewAccess, previewFeed } from './feeds.ts'

export function bindFeeds(bind: Bind, deps: Deps): void {
  bind(feeds.preview, async ({ caller, body }) => {
    await requirePreviewAccess(deps.db, caller.userId)
    return previewFeed(deps, body.url)
  })
}

import * as users from '#contract/users.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { findByDiscordName, getPublicUser } from './public-users.ts'
import { getMe } from './users.present.ts'

export function bindUsers(bind: Bind, deps: Deps): void {
  const { db } = deps
  // Enough lookups to find friends, too few to scrape all users.
  const searches = createRateLimit(deps, 'searches', { burst: 20, perSecond: 20 / 60 }, { burst: 200, perSecond: 200 / 86_400 })

  bind(users.me, ({ caller }) => getMe(db, caller.userId))

  bind(users.publicUser, ({ params }) => getPublicUser(db, params.id))

  bind(users.publicUserByName, ({ caller, params }) => {
    searches.take(caller.userId)
    return findByDiscordName(db, params.username)
  })
}

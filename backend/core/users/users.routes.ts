import * as users from '#contract/users/users.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { findByDiscordName, getPublicUser } from './public-users.ts'
import { getMe } from './users.present.ts'

export function bindUsers(bind: Bind, { db }: Deps): void {
  bind(users.me, ({ caller }) => getMe(db, caller.userId))

  bind(users.publicUser, ({ params }) => getPublicUser(db, params.id))

  bind(users.publicUserByName, ({ params }) => findByDiscordName(db, params.username))
}

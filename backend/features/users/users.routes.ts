import * as users from '#contract/users.ts'
import type { Deps } from '#backend/deps.ts'
import type { Bind } from '#backend/http/bind.ts'
import { getMe } from './users.ts'

export function bindUsers(bind: Bind, { db }: Deps): void {
  bind(users.me, ({ caller }) => getMe(db, caller.userId))
}

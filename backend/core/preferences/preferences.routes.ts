import * as preferences from '#contract/users/preferences.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { changePreferences, getPreferences } from './preferences.ts'

export function bindPreferences(bind: Bind, { db }: Deps): void {
  bind(preferences.get, ({ caller }) => getPreferences(db, caller.userId))

  bind(preferences.change, ({ caller, body }) => changePreferences(db, caller.userId, body))
}

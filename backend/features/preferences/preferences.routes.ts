import * as preferences from '#contract/preferences.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { changePreferences, getPreferences } from './preferences.ts'

export function bindPreferences(bind: Bind, deps: Deps): void {
  const { db } = deps
  // Each change leaves a permanent row in the activity log.
  const changes = createRateLimit(deps, 'preferences', { burst: 60, perSecond: 1 / 10 })

  bind(preferences.get, ({ caller }) => getPreferences(db, caller.userId))

  bind(preferences.change, ({ caller, body }) => changes.run(caller.userId, () => changePreferences(db, caller.userId, body)))
}

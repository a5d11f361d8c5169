import * as benefits from '#contract/benefits/benefit-settings.ts'
import { SETTINGS_BODIES, type SettingsView } from '#contract/benefits/benefit-settings.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { parseUserId } from '#backend/core/users/users.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { replyWith } from '#backend/platform/http/if-match.ts'
import { parseBody } from '#backend/platform/http/validation.ts'
import { getSettings, requireBenefit, overviewOf, settingsKeyOf } from './benefits.ts'
import { presentSettings } from './benefits.present.ts'
import { type Actor, changeSettings } from './settings-changes.ts'

export function bindBenefits(bind: Bind, { db, env }: Deps): void {
  const show = async (ownerId: string, text: string): Promise<SettingsView> => {
    const key = settingsKeyOf(text)
    return presentSettings(env, key, await getSettings(db, ownerId, key))
  }

  const change = async (actor: Actor, text: string, body: unknown, ifMatch: number | undefined): Promise<SettingsView> => {
    const key = settingsKeyOf(text)
    // Checked before the body. The rule checks again while the owner is locked.
    await requireBenefit(db, actor.ownerId, key)
    const input = parseBody(SETTINGS_BODIES[key], body)
    return replyWith(changeSettings(db, actor, key, input, ifMatch), (row) => presentSettings(env, key, row))
  }

  bind(benefits.overview, ({ caller }) => overviewOf(db, caller.userId))
  bind(benefits.settings, ({ caller, params }) => show(caller.userId, params.key))
  bind(benefits.changeSettings, ({ caller, params, body, ifMatch }) =>
    change({ as: 'self', actorId: caller.userId, ownerId: caller.userId }, params.key, body, ifMatch),
  )

  bind(benefits.adminOverview, ({ params }) => overviewOf(db, parseUserId(params)))
  bind(benefits.adminSettings, ({ params }) => show(parseUserId(params), params.key))
  bind(benefits.changeAdminSettings, ({ caller, params, body, ifMatch }) =>
    change({ as: 'administrator', actorId: caller.userId, ownerId: parseUserId(params) }, params.key, body, ifMatch),
  )
}

/**
 * What a person's benefits are and what they set for them.
 *
 * A row of `benefit_settings` is what they saved for one key: columns outside the key's `CONTENT` are null, and no row means all servers with
 * nothing set. It is for all their servers (`for_all`), or for those in `benefit_settings_servers`; never both. Rows outlive the benefit, so
 * code that shows them checks whether it is held. `ui_url` needs CUSTOM_UI_URL besides CUSTOM_LAUNCHER.
 */
import {
  BENEFITS,
  BENEFIT_FIELDS,
  BENEFIT_KEYS,
  type BenefitKey,
  FIELD_BENEFITS,
  BENEFIT_KEY_ERRORS,
  SETTINGS_KEYS,
  type SettingsKey,
  benefitKeyOf,
  lowestTierWith,
} from '#contract/benefits.ts'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { forbidden, invalid } from '#backend/platform/errors.ts'
import { type ServerRow, listServers } from '#backend/features/servers/servers.ts'
import { benefitsOf, listBenefitGrants, heldBenefits, getUser } from '#backend/features/users/users.ts'
import { LAUNCHER_THEME_COLUMNS, serversInScope } from './settings-scope.ts'
import { type SettingsRow, findSettingsOf, listSettingsOf } from './benefits.queries.ts'

export { type SettingsRow, removeFromSettings } from './benefits.queries.ts'

/** The columns that a key's settings fill; in the API they have the same names. */
export const SETTINGS_COLUMNS = {
  CUSTOM_BANNER: ['image_id'],
  CUSTOM_JOIN_BACKGROUND: ['image_id'],
  CUSTOM_LAUNCHER: [...LAUNCHER_THEME_COLUMNS, 'ui_url'],
} as const satisfies Record<SettingsKey, readonly (keyof SettingsRow)[]>

/** The key of settings that a route names. Throws `invalid` where there is no such benefit, or it has no settings. */
export function settingsKeyOf(text: string): SettingsKey {
  const key = benefitKeyOf(text)
  if (key === undefined) throw invalid(BENEFIT_KEY_ERRORS.unknown)
  const settings = SETTINGS_KEYS.find((one) => one === key)
  if (settings === undefined) throw invalid(BENEFIT_KEY_ERRORS.withoutSettings)
  return settings
}

/** Throws `forbidden` where these benefits are without the key. */
export function assertBenefit(held: ReadonlySet<BenefitKey>, key: SettingsKey): void {
  if (!held.has(key)) throw forbidden(BENEFIT_KEY_ERRORS.notHeld)
}

/** Makes sure that there is such a user and that they hold the benefit now. Throws `not-found` and `forbidden`. */
export async function requireBenefit(db: Db, userId: string, key: SettingsKey): Promise<void> {
  assertBenefit(await heldBenefits(db, await getUser(db, userId)), key)
}

/** What a user who holds the benefit saved for it; undefined where nothing yet. Throws `not-found` and `forbidden`. */
export async function getSettings(db: Db, userId: string, key: SettingsKey): Promise<SettingsRow | undefined> {
  await requireBenefit(db, userId, key)
  return findSettingsOf(db, userId, key)
}

/** All benefits of a user: which they hold, from where, and which of their servers use them. Throws `not-found`. */
export async function overviewOf(db: Db, userId: string): Promise<BenefitOverview[]> {
  const user = await getUser(db, userId)
  const granted = await listBenefitGrants(db, userId)
  const sources = new Map(benefitsOf(user, granted).map(({ key, source }) => [key, source]))
  const servers = await listServers(db, userId)
  const settings = new Map((await listSettingsOf(db, userId)).map((row) => [row.key, row]))
  return BENEFIT_KEYS.map((key) => {
    const { name, description, hasSettings } = BENEFITS[key]
    return {
      key,
      name,
      description,
      held: sources.has(key),
      source: sources.get(key) ?? null,
      granted: granted.includes(key),
      has_settings: hasSettings,
      tier: lowestTierWith(key),
      used_by: usedBy(key, servers, settings).map((server) => ({ public_id: server.public_id, name: server.name })),
    }
  })
}

/** The servers that use a benefit, or would again if it came back. */
function usedBy(key: BenefitKey, servers: readonly ServerRow[], settings: ReadonlyMap<string, SettingsRow>): readonly ServerRow[] {
  const field = BENEFIT_FIELDS.find((one) => FIELD_BENEFITS[one] === key)
  if (field !== undefined) return servers.filter((server) => server[field] !== null && server[field] !== false)
  if (key === 'CUSTOM_UI_URL') return serversShowing(settings.get('CUSTOM_LAUNCHER'), ['ui_url'], servers)
  const ofSettings = SETTINGS_KEYS.find((one) => one === key)
  return ofSettings === undefined ? [] : serversShowing(settings.get(ofSettings), SETTINGS_COLUMNS[ofSettings], servers)
}

/** The servers that settings are for, where any of these columns has something to show. */
function serversShowing(
  row: SettingsRow | undefined,
  columns: readonly (typeof SETTINGS_COLUMNS)[SettingsKey][number][],
  servers: readonly ServerRow[],
): readonly ServerRow[] {
  if (row === undefined || columns.every((column) => row[column] === null)) return []
  return serversInScope(row, servers)
}

/**
 * A user's benefits and their settings.
 *
 * A row of `benefit_settings` holds the settings of one key. Columns outside the key's `SETTINGS_COLUMNS` are null; no row means all servers and
 * nothing set. A row applies to all servers (`for_all`) or to those in `benefit_settings_servers`, never both. Rows outlive the benefit, so code
 * that shows them checks that the user still has it. `ui_url` needs CUSTOM_UI_URL in addition to CUSTOM_LAUNCHER.
 */
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import {
  BENEFIT_KEYS,
  type BenefitKey,
  SETTINGS_KEYS,
  type SettingsKey,
  benefitKeyOf,
  lowestTierWith,
} from '#contract/benefits/benefits.ts'
import { BENEFIT_FIELDS, isInitial } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { forbidden, invalid } from '#backend/platform/errors.ts'
import { type ServerRow, listServers } from '#backend/core/servers/servers.ts'
import { benefitsOf, listBenefitGrants, heldBenefits, getUser } from '#backend/core/users/users.ts'
import { LAUNCHER_THEME_COLUMNS, serversInScope } from './settings-scope.ts'
import { type SettingsRow, findSettingsOf, listSettingsOf } from './benefits.queries.ts'

export { type SettingsRow, removeFromSettings } from './benefits.queries.ts'

/** The version of settings without a row. */
export const NEVER_SAVED_VERSION = 0

/** The columns that each key uses, named as in the API. */
export const SETTINGS_COLUMNS = {
  CUSTOM_BANNER: ['image_id'],
  CUSTOM_JOIN_BACKGROUND: ['image_id'],
  CUSTOM_LAUNCHER: [...LAUNCHER_THEME_COLUMNS, 'ui_url'],
} as const satisfies Record<SettingsKey, readonly (keyof SettingsRow)[]>

/** The settings key in a route. Throws `invalid` if there is no such benefit or it has no settings. */
export function settingsKeyOf(text: string): SettingsKey {
  const key = benefitKeyOf(text)
  if (key === undefined) throw invalid('BENEFIT_KEY_UNKNOWN')
  const settings = SETTINGS_KEYS.find((settingsKey) => settingsKey === key)
  if (settings === undefined) throw invalid('BENEFIT_WITHOUT_SETTINGS')
  return settings
}

/** Throws `forbidden` if the benefits lack the key. */
export function assertBenefit(held: ReadonlySet<BenefitKey>, key: SettingsKey): void {
  if (!held.has(key)) throw forbidden('BENEFIT_NEEDED_FOR_SETTINGS')
}

/** Throws `not-found` if there is no such user and `forbidden` if they lack the benefit. */
export async function requireBenefit(db: Db, userId: string, key: SettingsKey): Promise<void> {
  assertBenefit(await heldBenefits(db, await getUser(db, userId)), key)
}

/** Undefined if nothing was saved. Throws `not-found` and `forbidden`. */
export async function getSettings(db: Db, userId: string, key: SettingsKey): Promise<SettingsRow | undefined> {
  await requireBenefit(db, userId, key)
  return findSettingsOf(db, userId, key)
}

/** Every benefit: whether the user has it, its source, and which of their servers use it. Throws `not-found`. */
export async function overviewOf(db: Db, userId: string): Promise<BenefitOverview[]> {
  const user = await getUser(db, userId)
  const granted = await listBenefitGrants(db, userId)
  const sources = new Map(benefitsOf(user, granted).map(({ key, source }) => [key, source]))
  const servers = await listServers(db, userId)
  const settings = new Map((await listSettingsOf(db, userId)).map((row) => [row.key, row]))
  return BENEFIT_KEYS.map((key) => {
    const { name, description } = BENEFITS[key]
    return {
      key,
      name: name(),
      description: description(),
      held: sources.has(key),
      source: sources.get(key) ?? null,
      granted: granted.includes(key),
      has_settings: SETTINGS_KEYS.some((settingsKey) => settingsKey === key),
      tier: lowestTierWith(key),
      used_by: usedBy(key, servers, settings).map((server) => ({ public_id: server.public_id, name: server.name })),
    }
  })
}

/** The servers that use a benefit, or will again once it is restored. */
function usedBy(key: BenefitKey, servers: readonly ServerRow[], settings: ReadonlyMap<string, SettingsRow>): readonly ServerRow[] {
  const field = BENEFIT_FIELDS.find((benefitField) => SERVER_FIELDS[benefitField].benefit === key)
  if (field !== undefined) return servers.filter((server) => !isInitial(field, server[field]))
  if (key === 'CUSTOM_UI_URL') return serversShowing(settings.get('CUSTOM_LAUNCHER'), ['ui_url'], servers)
  const settingsKey = SETTINGS_KEYS.find((candidate) => candidate === key)
  return settingsKey === undefined ? [] : serversShowing(settings.get(settingsKey), SETTINGS_COLUMNS[settingsKey], servers)
}

/** The servers that settings apply to, if any of these columns is set. */
function serversShowing(
  row: SettingsRow | undefined,
  columns: readonly (typeof SETTINGS_COLUMNS)[SettingsKey][number][],
  servers: readonly ServerRow[],
): readonly ServerRow[] {
  if (row === undefined || columns.every((column) => row[column] === null)) return []
  return serversInScope(row, servers)
}

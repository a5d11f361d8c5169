/** Form values: the flat request body, plus each image's URL, which is not sent. */
import { m } from '#api-messages'
import {
  type BannerView,
  type JoinBackgroundView,
  type LauncherView,
  SETTINGS_BODIES,
  type SettingsView,
} from '#contract/benefits/benefit-settings.ts'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { type Beginnings, fieldOfMessage, textBefore } from '#web/lib/http/field-of-message.ts'
import { isEqual } from '#web/lib/is-equal.ts'

export type ServerChoice = Pick<SettingsView, 'all_servers' | 'server_ids'>

export type ImageValues = Omit<BannerView, 'key' | 'updated_at' | 'version'>

export type TextName = 'name' | 'primary_color' | 'rss_url' | 'ui_url'
export type LauncherValues = Omit<LauncherView, 'key' | 'updated_at' | 'version' | TextName> & Record<TextName, string>

export function imageValuesOf({ key: _key, updated_at: _at, version: _version, ...view }: BannerView | JoinBackgroundView): ImageValues {
  return view
}

export function launcherValuesOf({ key: _key, updated_at: _at, version: _version, ...view }: LauncherView): LauncherValues {
  return { ...view, name: view.name ?? '', primary_color: view.primary_color ?? '', rss_url: view.rss_url ?? '', ui_url: view.ui_url ?? '' }
}

/** An empty colour becomes null; the contract clears other empty texts itself. */
function toBody(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const body = Object.fromEntries(
    Object.entries(values).filter(([name]) => !name.endsWith('_url') || name === 'rss_url' || name === 'ui_url'),
  )
  if (body['primary_color'] === '') body['primary_color'] = null
  if (body['all_servers'] === true) body['server_ids'] = []
  return body
}

/**
 * The request body: the saved settings with the changes on top.
 * @param changed in the form's shape, with both server fields or neither.
 */
export function mergedBody(view: SettingsView, changed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const saved = view.key === 'CUSTOM_LAUNCHER' ? launcherValuesOf(view) : imageValuesOf(view)
  return toBody({ ...saved, ...changed })
}

/** Validation messages by field. */
export function validate(key: SettingsKey, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const checked = SETTINGS_BODIES[key].safeParse(toBody(values))
  const errors: Record<string, string> = {}
  for (const { path, message } of checked.error?.issues ?? []) errors[String(path[0] ?? 'root')] ??= message
  return errors
}

const missingBenefit = () => ({ benefit: BENEFITS.CUSTOM_UI_URL.name() })

const BEGINNINGS: Beginnings<string> = [
  ['image_id', m.field_image],
  ['background_image_id', m.field_background],
  ['logo_image_id', m.field_logo],
  ['ui_background_image_id', m.field_ui_background],
  ['name', m.field_name],
  ['primary_color', m.input_colour_invalid],
  ['rss_url', m.field_news_feed],
  [
    'ui_url',
    m.field_ui_address,
    () => m.error_benefit_not_held(missingBenefit()),
    () => m.error_benefit_not_held_by_user(missingBenefit()),
  ],
  ['server_ids', () => 'server_ids', () => 'all_servers', () => m.error_settings_servers_unclear()],
  ['server_ids', () => textBefore('id', m.error_settings_server_not_found)],
  ['server_ids', () => textBefore('id', m.error_settings_server_not_found_for_user)],
]

/** The field that an error message is about; `root` if the form has no such field. */
export function fieldOfError(message: string, values: object): string {
  const field = fieldOfMessage(message, BEGINNINGS)
  return field !== undefined && field in values ? field : 'root'
}

export function pickBy<T extends object>(object: T, predicate: (name: string, value: unknown) => boolean): T {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => predicate(name, value))) as T
}

/** The changes that differ from `other`. */
export function withoutEqual<T extends object>(changes: Partial<T>, other: T): Partial<T> {
  return pickBy(changes, (name, value) => !isEqual(value, other[name as keyof T]))
}

/** The current values of the changed fields. The two server fields are only sent together. */
export function changedFields<T extends ServerChoice>(changes: Partial<T>, values: T): Record<string, unknown> {
  const names = Object.keys(changes) as (keyof T)[]
  if (names.includes('all_servers') || names.includes('server_ids')) names.push('all_servers', 'server_ids')
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}

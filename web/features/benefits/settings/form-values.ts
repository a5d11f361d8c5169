/** Form values: the body of the call, flat, plus each image's address, which is not sent. */
import {
  type BannerView,
  type JoinBackgroundView,
  type LauncherView,
  SETTINGS_BODIES,
  type SettingsView,
} from '#contract/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits.ts'

export type ServerChoice = Pick<SettingsView, 'all_servers' | 'server_ids'>

export type ImageValues = Omit<BannerView, 'key' | 'updated_at'>

export type TextName = 'name' | 'primary_color' | 'rss_url' | 'ui_url'
export type LauncherValues = Omit<LauncherView, 'key' | 'updated_at' | TextName> & Record<TextName, string>

export function imageValuesOf({ key: _key, updated_at: _at, ...view }: BannerView | JoinBackgroundView): ImageValues {
  return view
}

export function launcherValuesOf({ key: _key, updated_at: _at, ...view }: LauncherView): LauncherValues {
  return { ...view, name: view.name ?? '', primary_color: view.primary_color ?? '', rss_url: view.rss_url ?? '', ui_url: view.ui_url ?? '' }
}

/** The body of the call. An empty colour becomes null; the contract clears other empty texts itself. */
function bodyOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sent = Object.fromEntries(
    Object.entries(values).filter(([name]) => !name.endsWith('_url') || name === 'rss_url' || name === 'ui_url'),
  )
  if (sent['primary_color'] === '') sent['primary_color'] = null
  if (sent['all_servers'] === true) sent['server_ids'] = []
  return sent
}

/**
 * The body of the call: the saved settings with the changed ones on top.
 * @param changed in the form's shape, with both fields about servers or neither.
 */
export function mergedBody(view: SettingsView, changed: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const saved = view.key === 'CUSTOM_LAUNCHER' ? launcherValuesOf(view) : imageValuesOf(view)
  return bodyOf({ ...saved, ...changed })
}

/** Validation messages by field, before anything is sent. */
export function problemsOf(key: SettingsKey, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const checked = SETTINGS_BODIES[key].safeParse(bodyOf(values))
  const problems: Record<string, string> = {}
  for (const { path, message } of checked.error?.issues ?? []) problems[String(path[0] ?? 'root')] ??= message
  return problems
}

const SENTENCE_STARTS: readonly [RegExp, string][] = [
  [/^Image\b/, 'image_id'],
  [/^Background\b/, 'background_image_id'],
  [/^Logo\b/, 'logo_image_id'],
  [/^UI background\b/, 'ui_background_image_id'],
  [/^Name\b/, 'name'],
  [/^Colour\b/, 'primary_color'],
  [/^News feed\b/, 'rss_url'],
  [/^UI address\b|^This needs the benefit Custom Launcher UI\b/, 'ui_url'],
  [/^(?:Servers|server_ids|all_servers)\b/, 'server_ids'],
]

/** The field of a rejection, by how its sentence begins; `root` if it names no field of the form. */
export function fieldOf(sentence: string, values: object): string {
  const field = SENTENCE_STARTS.find(([start]) => start.test(sentence))?.[1]
  return field !== undefined && field in values ? field : 'root'
}

import type { SettingsKey } from '#contract/benefits/benefits.ts'
import type { SettingsView } from '#contract/benefits/benefit-settings.ts'
import type { Env } from '#backend/platform/env.ts'
import { imageUrl } from '#backend/core/images/image-urls.ts'
import { NEVER_SAVED_VERSION, type SettingsRow } from './benefits.ts'

const DEFAULT_SETTINGS = {
  image_id: null,
  image_file: null,
  name: null,
  primary_color: null,
  background_image_id: null,
  background_file: null,
  logo_image_id: null,
  logo_file: null,
  ui_background_image_id: null,
  ui_background_file: null,
  rss_url: null,
  ui_url: null,
  for_all: true,
  chosen: [] as string[],
  updated_at: null,
  version: NEVER_SAVED_VERSION,
}

/** @param row undefined if nothing was ever saved. */
export function presentSettings(env: Env, key: SettingsKey, row: SettingsRow | undefined): SettingsView {
  const saved = row ?? DEFAULT_SETTINGS
  return {
    ...saved,
    key,
    image_url: imageUrl(env, saved.image_file),
    background_image_url: imageUrl(env, saved.background_file),
    logo_image_url: imageUrl(env, saved.logo_file),
    ui_background_image_url: imageUrl(env, saved.ui_background_file),
    server_ids: saved.chosen.toSorted(),
    all_servers: saved.for_all,
    updated_at: saved.updated_at?.toISOString() ?? null,
  }
}

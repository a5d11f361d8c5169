import type { SettingsKey } from '#contract/benefits.ts'
import type { SettingsView } from '#contract/benefit-settings.ts'
import type { Env } from '#backend/platform/env.ts'
import { imageUrl } from '#backend/features/images/image-urls.ts'
import type { SettingsRow } from './benefits.ts'

/** A benefit's settings as their pages get them. @param row undefined where nothing was ever saved. */
export function presentSettings(env: Env, key: SettingsKey, row: SettingsRow | undefined): SettingsView {
  const url = (file: string | null | undefined) => imageUrl(env, file ?? null)
  const chosen = {
    server_ids: row?.chosen.toSorted() ?? [],
    all_servers: row?.for_all ?? true,
    updated_at: row?.updated_at.toISOString() ?? null,
  }
  if (key !== 'CUSTOM_LAUNCHER') return { key, image_id: row?.image_id ?? null, image_url: url(row?.image_file), ...chosen }
  return {
    key,
    name: row?.name ?? null,
    primary_color: row?.primary_color ?? null,
    background_image_id: row?.background_image_id ?? null,
    background_image_url: url(row?.background_file),
    logo_image_id: row?.logo_image_id ?? null,
    logo_image_url: url(row?.logo_file),
    ui_background_image_id: row?.ui_background_image_id ?? null,
    ui_background_image_url: url(row?.ui_background_file),
    rss_url: row?.rss_url ?? null,
    ui_url: row?.ui_url ?? null,
    ...chosen,
  }
}

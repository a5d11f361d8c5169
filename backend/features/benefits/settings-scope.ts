/** Which servers a person's benefit settings are for, and whether those of the launcher have anything to show: said once, for all who read them. */
import { type RawBuilder, sql } from 'kysely'
import type { BenefitKey } from '#contract/benefits.ts'

/** SQL: whether the row `b` of `benefit_settings` is for a server of the same owner. @param publicId the column with its public id, such as `s.public_id`. */
export function appliesToServer(publicId: string): RawBuilder<boolean> {
  return sql<boolean>`(b.for_all or exists (select from benefit_settings_servers c
    where c.user_id = b.user_id and c.key = b.key and c.server_id = ${sql.ref(publicId)}))`
}

/** The same of rows that have been read. */
export function serversInScope<S extends { readonly public_id: string }>(
  settings: { readonly for_all: boolean; readonly chosen: readonly string[] },
  servers: readonly S[],
): readonly S[] {
  return settings.for_all ? servers : servers.filter((server) => settings.chosen.includes(server.public_id))
}

/** The columns of a launcher's look. Its page, `ui_url`, is a benefit of its own. */
export const LAUNCHER_THEME_COLUMNS = [
  'name',
  'primary_color',
  'background_image_id',
  'logo_image_id',
  'ui_background_image_id',
  'rss_url',
] as const

/** What is set of a launcher, as `launcherSet` tells it. */
export interface LauncherParts {
  readonly hasTheme: boolean
  readonly hasPage: boolean
}

/** SQL: what the row `b` of `benefit_settings` sets of the launcher. */
export const launcherParts: RawBuilder<LauncherParts> = sql<LauncherParts>`json_build_object(
  'hasTheme', num_nonnulls(${sql.join(LAUNCHER_THEME_COLUMNS.map((column) => sql.ref(`b.${column}`)))}) > 0,
  'hasPage', b.ui_url is not null)`

/** Whether players see a launcher of the owner's own. @param launcher null where they have no settings that are for the server. */
export function hasCustomLauncher(launcher: LauncherParts | null, benefits: ReadonlySet<BenefitKey>): boolean {
  return benefits.has('CUSTOM_LAUNCHER') && launcher !== null && (launcher.hasTheme || (launcher.hasPage && benefits.has('CUSTOM_UI_URL')))
}

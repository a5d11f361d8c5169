/** Which servers a user's benefit settings apply to, and whether launcher settings show anything: the only definition of both. */
import { type RawBuilder, sql } from 'kysely'
import type { BenefitKey } from '#contract/benefits/benefits.ts'

/** SQL: whether row `b` of `benefit_settings` applies to a server of the same owner. @param publicId column, such as `s.public_id`. */
export function appliesToServer(publicId: string): RawBuilder<boolean> {
  return sql<boolean>`(b.for_all or exists (select from benefit_settings_servers c
    where c.user_id = b.user_id and c.key = b.key and c.server_id = ${sql.ref(publicId)}))`
}

/** The same for rows in memory. */
export function serversInScope<S extends { readonly public_id: string }>(
  settings: { readonly for_all: boolean; readonly chosen: readonly string[] },
  servers: readonly S[],
): readonly S[] {
  return settings.for_all ? servers : servers.filter((server) => settings.chosen.includes(server.public_id))
}

/** The page, `ui_url`, is a separate benefit. */
export const LAUNCHER_THEME_COLUMNS = [
  'name',
  'primary_color',
  'background_image_id',
  'logo_image_id',
  'ui_background_image_id',
  'rss_url',
] as const

export interface LauncherParts {
  readonly hasTheme: boolean
  readonly hasPage: boolean
}

/** SQL: which launcher parts row `b` of `benefit_settings` sets. */
export const launcherParts: RawBuilder<LauncherParts> = sql<LauncherParts>`json_build_object(
  'hasTheme', num_nonnulls(${sql.join(LAUNCHER_THEME_COLUMNS.map((column) => sql.ref(`b.${column}`)))}) > 0,
  'hasPage', b.ui_url is not null)`

/** Whether players see the owner's own launcher. @param launcher null if no settings apply to the server. */
export function hasCustomLauncher(launcher: LauncherParts | null, benefits: ReadonlySet<BenefitKey>): boolean {
  return benefits.has('CUSTOM_LAUNCHER') && launcher !== null && (launcher.hasTheme || (launcher.hasPage && benefits.has('CUSTOM_UI_URL')))
}

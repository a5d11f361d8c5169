/** Which servers a person's benefit settings are for, and whether those of the launcher have anything to show: said once, for all who read them. */
import { type RawBuilder, sql } from 'kysely'
import type { BenefitKey } from '#contract/benefits.ts'

/** SQL: whether the row `b` of `benefit_settings` is for a server of the same owner. @param publicId the column with its public id, such as `s.public_id`. */
export function isForServer(publicId: string): RawBuilder<boolean> {
  return sql<boolean>`(b.for_all or exists (select from benefit_settings_servers c
    where c.user_id = b.user_id and c.key = b.key and c.server_id = ${sql.ref(publicId)}))`
}

/** The same of rows that have been read. */
export function serversOf<S extends { readonly public_id: string }>(
  settings: { readonly for_all: boolean; readonly chosen: readonly string[] },
  servers: readonly S[],
): readonly S[] {
  return settings.for_all ? servers : servers.filter((server) => settings.chosen.includes(server.public_id))
}

/** The columns of a launcher's look. Its page, `ui_url`, is a benefit of its own. */
export const LAUNCHER_LOOK = ['name', 'primary_color', 'background_image_id', 'logo_image_id', 'ui_background_image_id', 'rss_url'] as const

/** What is set of a launcher, as `launcherSet` tells it. */
export interface LauncherSet {
  readonly look: boolean
  readonly page: boolean
}

/** SQL: what the row `b` of `benefit_settings` sets of the launcher. */
export const launcherSet: RawBuilder<LauncherSet> = sql<LauncherSet>`json_build_object(
  'look', num_nonnulls(${sql.join(LAUNCHER_LOOK.map((column) => sql.ref(`b.${column}`)))}) > 0,
  'page', b.ui_url is not null)`

/** Whether players see a launcher of the owner's own. @param set null where they have no settings that are for the server. */
export function showsLauncher(set: LauncherSet | null, held: ReadonlySet<BenefitKey>): boolean {
  return held.has('CUSTOM_LAUNCHER') && set !== null && (set.look || (set.page && held.has('CUSTOM_UI_URL')))
}

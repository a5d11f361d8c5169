/** Reads a server's launcher theme in one query. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { appliesToServer, launcherParts } from '#backend/core/benefits/settings-scope.ts'

export type ThemeRow = NonNullable<Awaited<ReturnType<typeof findTheme>>>

/** Returns undefined if the server is banned or its owner's settings don't apply to it. Benefits are not checked. */
export function findTheme(db: Db, publicId: string) {
  return db
    .selectFrom('servers as s')
    .innerJoin('users as u', 'u.id', 's.owner_id')
    .innerJoin('benefit_settings as b', (join) => join.onRef('b.user_id', '=', 'u.id').on('b.key', '=', 'CUSTOM_LAUNCHER'))
    .leftJoin('images as splash', 'splash.id', 'b.background_image_id')
    .leftJoin('images as logo', 'logo.id', 'b.logo_image_id')
    .leftJoin('images as background', 'background.id', 'b.ui_background_image_id')
    .select(['s.public_id', 's.name as server_name', 'u.owned_tier', 'u.forced_tier', 'b.name', 'b.primary_color', 'b.rss_url', 'b.ui_url'])
    .select(['splash.file as splash', 'logo.file as logo', 'background.file as background'])
    .select(['splash.bytes as splash_bytes', 'logo.bytes as logo_bytes', 'background.bytes as background_bytes'])
    .select(launcherParts.as('launcher'))
    .select(sql<string[]>`array(select key from benefit_grants g where g.user_id = u.id)`.as('grants'))
    .select(
      sql<string[]>`array(select o.public_id from servers o where o.owner_id = u.id and ${appliesToServer('o.public_id')})`.as('servers'),
    )
    .where('s.public_id', '=', publicId)
    .where('s.banned', '=', false)
    .where('u.banned', '=', false)
    .where(appliesToServer('s.public_id'))
    .executeTakeFirst()
}

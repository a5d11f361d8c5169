import { sql } from 'kysely'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'

export type SettingsRow = Awaited<ReturnType<typeof listSettingsOf>>[number]

/** A user's saved settings with their image files and chosen server ids. A deleted server is chosen again once it is restored. */
function settingsOf(db: Db, userId: string) {
  return db
    .selectFrom('benefit_settings as s')
    .leftJoin('images as image', 'image.id', 's.image_id')
    .leftJoin('images as background', 'background.id', 's.background_image_id')
    .leftJoin('images as logo', 'logo.id', 's.logo_image_id')
    .leftJoin('images as ui_background', 'ui_background.id', 's.ui_background_image_id')
    .selectAll('s')
    .select(['image.file as image_file', 'background.file as background_file'])
    .select(['logo.file as logo_file', 'ui_background.file as ui_background_file'])
    .select(
      sql<string[]>`array(
        select server_id from benefit_settings_servers c join servers on public_id = server_id where c.user_id = s.user_id and c.key = s.key)`.as(
        'chosen',
      ),
    )
    .where('s.user_id', '=', userId)
}

export function listSettingsOf(db: Db, userId: string) {
  return settingsOf(db, userId).execute()
}

export function findSettingsOf(db: Db, userId: string, key: SettingsKey): Promise<SettingsRow | undefined> {
  return settingsOf(db, userId).where('s.key', '=', key).executeTakeFirst()
}

/** Values by column. */
export type SettingsValues = Readonly<Record<string, string | null>>

interface SettingsUpsert {
  readonly userId: string
  readonly key: SettingsKey
  readonly content: SettingsValues
  readonly forAll: boolean
  /** Public ids; empty if the settings apply to all servers. */
  readonly chosen: readonly string[]
}

/** Replaces a key's settings. Chosen servers in the bin stay chosen, unless the settings apply to all servers. */
export async function saveSettings(trx: Db, { userId, key, content, forAll, chosen }: SettingsUpsert): Promise<void> {
  const columns = { ...content, for_all: forAll, updated_at: sql<Date>`now()` }
  await trx
    .insertInto('benefit_settings')
    .values({ ...columns, user_id: userId, key })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(columns))
    .execute()
  await trx
    .deleteFrom('benefit_settings_servers')
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .$if(!forAll, (q) => q.where('server_id', 'in', trx.selectFrom('servers').select('public_id').where('owner_id', '=', userId)))
    .execute()
  if (chosen.length === 0) return
  const rows = chosen.map((serverId) => ({ user_id: userId, key, server_id: serverId }))
  await trx.insertInto('benefit_settings_servers').values(rows).execute()
}

/** Removes a locked server from its owner's settings before the owner changes. */
export async function removeFromSettings(trx: Db, publicId: string): Promise<void> {
  await trx.deleteFrom('benefit_settings_servers').where('server_id', '=', publicId).execute()
}

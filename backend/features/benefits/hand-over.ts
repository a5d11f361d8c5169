/** What a server that changes hands leaves behind of its former owner's benefits. */
import type { Db } from '#backend/platform/database/open.ts'

/** Takes a server that is held out of every choice of its owner's settings. In the caller's transaction, before the owner changes. */
export async function forgetChosen(trx: Db, publicId: string): Promise<void> {
  await trx.deleteFrom('benefit_settings_servers').where('server_id', '=', publicId).execute()
}

/** Verifies a backup: restores it into a scratch database. */
import type { Env } from '#backend/platform/env.ts'
import { type RestoreSummary, restoreBackup } from './restore-backup.ts'
import { withScratchDatabase } from './scratch-database.ts'

/** Throws a sentence if the backup can't be restored as it was made. */
export function verifyBackup(
  env: Pick<Env, 'DATABASE_URL'>,
  file: string,
  onProgress: (text: string) => void,
  hasEmbedded?: boolean,
): Promise<RestoreSummary> {
  // The archive's checksums cover the images. Only their names need the database.
  const restore = (connection: Parameters<typeof restoreBackup>[0]['connection']) =>
    restoreBackup({ file, connection, storeImage: () => Promise.resolve(), erased: new Set(), onProgress })
  return withScratchDatabase(env, restore, hasEmbedded)
}

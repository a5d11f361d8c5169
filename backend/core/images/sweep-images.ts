/** Deletes unused images, then files that no image references. Several nodes may sweep at once. */
import { transaction } from '#backend/platform/database/transaction.ts'
import { isForeignKeyViolation } from '#backend/platform/database/violation.ts'
import type { Deps } from '#backend/platform/deps.ts'
import {
  deleteUnusedImage,
  cancelDeletionsOfReferencedFiles,
  lockFileToDelete,
  removeFileDeletion,
  listUnusedImages,
  postponeFileDeletion,
} from './images.queries.ts'
import type { ImageServices } from './image-services.ts'

/** A form may stay open for a day. An upload takes at most a minute. */
const MIN_AGES = { unusedSeconds: 86_400, scheduledSeconds: 3600 }
/** For images and files each. */
const MAX_PER_RUN = 500

type Services = Pick<ImageServices, 'storage' | 'cache'>

/** Throws if the storage is unavailable. The next run continues. */
export async function sweepImages({ db }: Pick<Deps, 'db'>, services: Services, ages = MIN_AGES): Promise<void> {
  for (const { id } of await listUnusedImages(db, ages.unusedSeconds, MAX_PER_RUN)) {
    try {
      await deleteUnusedImage(db, id)
    } catch (error) {
      // A user chose it in the meantime.
      if (!isForeignKeyViolation(error)) throw error
    }
  }
  await cancelDeletionsOfReferencedFiles(db, ages.scheduledSeconds)
  for (let count = 0; count < MAX_PER_RUN; count += 1) if (!(await deleteNextFile(db, services, ages.scheduledSeconds))) return
}

/** Deletes one file under a lock, so that no new image can reference it meanwhile. False if none is left. */
async function deleteNextFile(db: Deps['db'], { storage, cache }: Services, olderThanSeconds: number): Promise<boolean> {
  let failure: unknown
  const found = await transaction(db, async (trx) => {
    const file = await lockFileToDelete(trx, olderThanSeconds)
    if (file === undefined) return false
    try {
      // A retried transaction deletes the file twice, which is harmless.
      await storage.delete(file)
      cache.delete(file)
      await removeFileDeletion(trx, file)
    } catch (error) {
      failure = error
      // Moves this file to the end, so that it doesn't block the others.
      await postponeFileDeletion(trx, file)
    }
    return true
  })
  if (failure !== undefined) throw failure
  return found
}

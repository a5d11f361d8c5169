/** Deletes what nothing uses: first the rows of pictures, then the files that no row has. Several nodes may do so at once. */
import { transaction } from '#backend/platform/database/transaction.ts'
import { isForeignKeyViolation } from '#backend/platform/database/violation.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteUnusedImage, forgetSavedFiles, holdDoomedFile, keepFile, listUnusedImages, postponeFile } from './images.queries.ts'
import type { ImageParts } from './images.parts.ts'

/** A form may stay open for a day; an upload takes a minute at most. */
const AGES = { unusedSeconds: 86_400, doomedSeconds: 3600 }
/** Of each kind in one run. */
const MOST = 500

type Parts = Pick<ImageParts, 'storage' | 'hot'>

/** Throws where the storage is away; the next run goes on. */
export async function sweepImages({ db }: Pick<Deps, 'db'>, parts: Parts, ages = AGES): Promise<void> {
  for (const { id } of await listUnusedImages(db, ages.unusedSeconds, MOST)) {
    try {
      await deleteUnusedImage(db, id)
    } catch (error) {
      // It was chosen in the meantime.
      if (!isForeignKeyViolation(error)) throw error
    }
  }
  await forgetSavedFiles(db, ages.doomedSeconds)
  for (let count = 0; count < MOST; count += 1) if (!(await sweepFile(db, parts, ages.doomedSeconds))) return
}

/** Deletes one file under a lock, so that no row can refer to it meanwhile. False where none is left. */
async function sweepFile(db: Deps['db'], { storage, hot }: Parts, olderThanSeconds: number): Promise<boolean> {
  let failure: unknown
  const wasThere = await transaction(db, async (trx) => {
    const file = await holdDoomedFile(trx, olderThanSeconds)
    if (file === undefined) return false
    try {
      // A retried transaction deletes it twice, which is harmless.
      await storage.delete(file)
      hot.delete(file)
      await keepFile(trx, file)
    } catch (error) {
      failure = error
      // Lets the others go first.
      await postponeFile(trx, file)
    }
    return true
  })
  if (failure !== undefined) throw failure
  return wasThere
}

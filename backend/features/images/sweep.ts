/** Takes away what nothing uses: first the rows of pictures, then the files that no row has. Any number of programs may do so at once. */
import { transaction } from '#backend/platform/database/transaction.ts'
import { isReferenceViolation } from '#backend/platform/database/violation.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteUnusedImage, forgetSavedFiles, holdDoomedFile, keepFile, listUnusedImages, postponeFile } from './images.queries.ts'
import type { ImageParts } from './images.parts.ts'

export interface SweepAges {
  /** A picture that was uploaded and then not chosen, in seconds. */
  readonly unusedSeconds: number
  /** A file that no row has, in seconds. */
  readonly doomedSeconds: number
}

/** A form may stay open for a day; an upload takes a minute at most. */
const AGES: SweepAges = { unusedSeconds: 86_400, doomedSeconds: 3600 }

/** Of each kind in one go: minutes later it goes on. */
const MOST = 500

/** Throws where the storage is away; what was not done is done the next time. */
export async function sweepImages(
  { db }: Pick<Deps, 'db'>,
  parts: Pick<ImageParts, 'storage' | 'hot'>,
  ages: SweepAges = AGES,
): Promise<void> {
  for (const { id } of await listUnusedImages(db, ages.unusedSeconds, MOST)) {
    try {
      await deleteUnusedImage(db, id)
    } catch (error) {
      // Somebody chose it between the two looks: it is used.
      if (!isReferenceViolation(error)) throw error
    }
  }
  await forgetSavedFiles(db, ages.doomedSeconds)
  for (let count = 0; count < MOST; count += 1) if (!(await sweepFile(db, parts, ages.doomedSeconds))) return
}

/** Deletes one file under a lock, so that no row can refer to it meanwhile. False where none is left. */
async function sweepFile(
  db: Deps['db'],
  { storage, hot }: Pick<ImageParts, 'storage' | 'hot'>,
  olderThanSeconds: number,
): Promise<boolean> {
  let failure: unknown
  const wasThere = await transaction(db, async (trx) => {
    const file = await holdDoomedFile(trx, olderThanSeconds)
    if (file === undefined) return false
    try {
      // Deleting it twice is no harm, where the transaction is begun anew.
      await storage.delete(file)
      hot.delete(file)
      await keepFile(trx, file)
    } catch (error) {
      failure = error
      // One that can't be deleted does not stand in the way of all others.
      await postponeFile(trx, file)
    }
    return true
  })
  if (failure !== undefined) throw failure
  return wasThere
}

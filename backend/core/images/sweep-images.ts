/** Deletes unused images, then files that no image references. Several nodes may sweep at once. */
import { sql } from 'kysely'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isForeignKeyViolation } from '#backend/platform/database/violation.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { ImageServices } from './image-services.ts'

/** A form may stay open for a day. An upload takes at most a minute. */
const MIN_AGES = { unusedSeconds: 86_400, scheduledSeconds: 3600 }
/** For images and files each. */
const MAX_PER_RUN = 500

/** Every use of an image, visible or not. Each of these columns has a foreign key to `images`. */
const isUsed = sql<boolean>`(
  exists (select from all_servers s where s.icon_image_id = images.id)
  or exists (
    select from benefit_settings as s
    where s.user_id = images.owner_id
      and images.id in (s.image_id, s.background_image_id, s.logo_image_id, s.ui_background_image_id)
  )
)`

const olderThan = (column: 'created_at' | 'scheduled_at', seconds: number) =>
  sql<boolean>`${sql.ref(column)} <= now() - make_interval(secs => ${seconds})`

const isReferenced = sql<boolean>`exists (select from images where images.file = file_deletions.file)`

/** The files that should have been deleted by now, and since when. */
export async function countDueFiles(db: Deps['db']): Promise<{ due: number; oldestDueAt: Date | null }> {
  const { count, oldest } = await db
    .selectFrom('file_deletions')
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      sql<Date | null>`min(scheduled_at) + make_interval(secs => ${MIN_AGES.scheduledSeconds})`.as('oldest'),
    ])
    .where(olderThan('scheduled_at', MIN_AGES.scheduledSeconds))
    .executeTakeFirstOrThrow()
  return { due: Number(count), oldestDueAt: oldest }
}

type Services = Pick<ImageServices, 'storage' | 'cache'>

/** Throws if the storage is unavailable. The next run continues. */
export async function sweepImages({ db }: Pick<Deps, 'db'>, services: Services, ages = MIN_AGES): Promise<void> {
  const unused = db
    .selectFrom('images')
    .select('id')
    .where(olderThan('created_at', ages.unusedSeconds))
    .where(sql<boolean>`not ${isUsed}`)
  for (const { id } of await unused.orderBy('created_at').limit(MAX_PER_RUN).execute()) {
    try {
      // A trigger schedules its file for deletion.
      await db
        .deleteFrom('images')
        .where('id', '=', id)
        .where(sql<boolean>`not ${isUsed}`)
        .execute()
    } catch (error) {
      // A user chose it in the meantime.
      if (!isForeignKeyViolation(error)) throw error
    }
  }
  // Deleting the other image schedules its file again.
  await db.deleteFrom('file_deletions').where(olderThan('scheduled_at', ages.scheduledSeconds)).where(isReferenced).execute()
  for (let count = 0; count < MAX_PER_RUN; count += 1) if (!(await deleteNextFile(db, services, ages.scheduledSeconds))) return
}

/** Deletes one file under a lock, so that no new image can reference it meanwhile. False if none is left. */
async function deleteNextFile(db: Deps['db'], { storage, cache }: Services, olderThanSeconds: number): Promise<boolean> {
  let failure: unknown
  const found = await transaction(db, async (trx) => {
    const row = await trx
      .selectFrom('file_deletions')
      .select('file')
      .where(olderThan('scheduled_at', olderThanSeconds))
      .where(sql<boolean>`not ${isReferenced}`)
      .orderBy('scheduled_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (row === undefined) return false
    const { file } = row
    try {
      // A retried transaction deletes the file twice, which is harmless.
      await storage.delete(file)
      cache.delete(file)
      await trx.deleteFrom('file_deletions').where('file', '=', file).execute()
    } catch (error) {
      failure = error
      // Moves this file to the end, so that it doesn't block the others.
      const columns = { scheduled_at: sql<Date>`now()` }
      await trx.updateTable('file_deletions').set(columns).where('file', '=', file).execute()
    }
    return true
  })
  if (failure !== undefined) throw failure
  return found
}

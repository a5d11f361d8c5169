/** SQL for images and for the outbox of file deletions. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

/** Locks an image against deletion until the transaction ends. @param ownerIds undefined for any owner. */
export function lockImage(trx: Db, id: string, ownerIds?: readonly string[]) {
  return trx
    .selectFrom('images')
    .select(['id', 'owner_id', 'purpose', 'file', 'width', 'height', 'mime', 'bytes'])
    .where('id', '=', id)
    .$if(ownerIds !== undefined, (query) => query.where('owner_id', 'in', ownerIds ?? []))
    .forKeyShare()
    .executeTakeFirst()
}

/** Like `lockImage`, for the owner's own row with this file and purpose. */
export function lockImageOfSameFile(trx: Db, ownerId: string, file: string, purpose: string) {
  return trx
    .selectFrom('images')
    .select('id')
    .where('file', '=', file)
    .where('owner_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .orderBy('id')
    .limit(1)
    .forKeyShare()
    .executeTakeFirst()
}

/** `is_copy` marks an image that its owner did not upload. */
export async function insertImage(trx: Db, image: Insertable<Tables['images']>): Promise<void> {
  await trx.insertInto('images').values(image).execute()
}

/** Counts the images that a user uploaded, without copies. */
export async function countImages(trx: Db, ownerId: string): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await trx
    .selectFrom('images')
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.sum<string | null>('bytes').as('bytes')])
    .where('owner_id', '=', ownerId)
    .where('is_copy', '=', false)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

/** Schedules a file for deletion, before it is written. The upload cancels this together with its row. */
export async function scheduleFileDeletion(db: Db, file: string): Promise<void> {
  await db.insertInto('file_deletions').values({ file }).execute()
}

/** False if the sweep has already deleted the file. */
export async function removeFileDeletion(trx: Db, file: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('file_deletions').where('file', '=', file).executeTakeFirst()
  return numDeletedRows === 1n
}

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

export function listUnusedImages(db: Db, olderThanSeconds: number, limit: number) {
  return db
    .selectFrom('images')
    .select('id')
    .where(olderThan('created_at', olderThanSeconds))
    .where(sql<boolean>`not ${isUsed}`)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** A trigger schedules its file for deletion. Throws a foreign key violation if the image was chosen in the meantime. */
export async function deleteUnusedImage(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom('images')
    .where('id', '=', id)
    .where(sql<boolean>`not ${isUsed}`)
    .execute()
}

const isReferenced = sql<boolean>`exists (select from images where images.file = file_deletions.file)`

/** Cancels the deletion of files that another image still references. Deleting that image schedules the file again. */
export async function cancelDeletionsOfReferencedFiles(db: Db, olderThanSeconds: number): Promise<void> {
  await db.deleteFrom('file_deletions').where(olderThan('scheduled_at', olderThanSeconds)).where(isReferenced).execute()
}

/** Locks the oldest scheduled file that no image references and no other node has locked. */
export async function lockFileToDelete(trx: Db, olderThanSeconds: number): Promise<string | undefined> {
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
  return row?.file
}

export async function postponeFileDeletion(trx: Db, file: string): Promise<void> {
  await trx
    .updateTable('file_deletions')
    .set({ scheduled_at: sql<Date>`now()` })
    .where('file', '=', file)
    .execute()
}

/** The rules on who may use an image for what. */
import { v7 as uuidv7 } from 'uuid'
import { PURPOSES, type Purpose } from '#contract/servers/images.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { invalid, orNotFound } from '#backend/platform/errors.ts'

interface ImageReference {
  readonly imageId: string
  readonly ownerId: string
  /** The user who chose the image: the owner, one of their managers, or an administrator. */
  readonly actorId: string
  readonly purpose: Purpose
  /** The field of the body that names the image, and its label, which starts error messages. */
  readonly field: string
  readonly label: string
}

/**
 * Returns the id of the owner's image, locked until the transaction ends. Copies the actor's image to the owner (the row, not the file).
 * Throws `invalid` if neither has the image, or if it was uploaded for another purpose.
 */
export async function lockOrCopyImage(trx: Db, { imageId, ownerId, actorId, purpose, field, label }: ImageReference): Promise<string> {
  const image = await lockImage(trx, imageId, [ownerId, actorId])
  if (image === undefined) throw invalid('IMAGE_CHOICE_NOT_FOUND', { label }).inField(field)
  if (image.purpose !== purpose) {
    const uploaded = PURPOSES[image.purpose as Purpose].name()
    throw invalid('IMAGE_CHOICE_OTHER_PURPOSE', { label, uploaded, needed: PURPOSES[purpose].name() }).inField(field)
  }
  if (image.owner_id === ownerId) return image.id
  // Saving the same form twice creates one copy.
  const existing = await trx
    .selectFrom('images')
    .select('id')
    .where('file', '=', image.file)
    .where('owner_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .orderBy('id')
    .limit(1)
    .forKeyShare()
    .executeTakeFirst()
  return existing?.id ?? (await insertCopy(trx, image, ownerId))
}

/** Copies an image's row to another owner and returns the new id. Throws `not-found`. */
export async function copyImage(trx: Db, imageId: string, toOwnerId: string): Promise<string> {
  return insertCopy(trx, orNotFound(await lockImage(trx, imageId), 'IMAGE_NOT_FOUND'), toOwnerId)
}

async function insertCopy(trx: Db, image: NonNullable<Awaited<ReturnType<typeof lockImage>>>, ownerId: string): Promise<string> {
  const id = uuidv7()
  await trx
    .insertInto('images')
    .values({ ...image, id, owner_id: ownerId, is_copy: true })
    .execute()
  return id
}

/** Locks an image against deletion until the transaction ends. @param ownerIds undefined for any owner. */
function lockImage(trx: Db, id: string, ownerIds?: readonly string[]) {
  return trx
    .selectFrom('images')
    .select(['id', 'owner_id', 'purpose', 'file', 'width', 'height', 'mime', 'bytes'])
    .where('id', '=', id)
    .$if(ownerIds !== undefined, (query) => query.where('owner_id', 'in', ownerIds ?? []))
    .forKeyShare()
    .executeTakeFirst()
}

/** The rules on who may use an image for what. */
import { v7 as uuidv7 } from 'uuid'
import { PURPOSES, type Purpose } from '#contract/servers/images.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { invalid, notFound } from '#backend/platform/errors.ts'
import { lockImage, lockImageOfSameFile, insertImage } from './images.queries.ts'

interface ImageReference {
  readonly imageId: string
  readonly ownerId: string
  /** The user who chose the image: the owner, one of their managers, or an administrator. */
  readonly actorId: string
  readonly purpose: Purpose
  /** The field's name, which starts error messages. */
  readonly label: string
}

/**
 * Returns the id of the owner's image, locked until the transaction ends. Copies the actor's image to the owner (the row, not the file).
 * Throws `invalid` if neither has the image, or if it was uploaded for another purpose.
 */
export async function lockOrCopyImage(trx: Db, { imageId, ownerId, actorId, purpose, label }: ImageReference): Promise<string> {
  const image = await lockImage(trx, imageId, [ownerId, actorId])
  if (image === undefined) throw invalid('IMAGE_CHOICE_NOT_FOUND', { label })
  if (image.purpose !== purpose) {
    const uploaded = PURPOSES[image.purpose as Purpose].name()
    throw invalid('IMAGE_CHOICE_OTHER_PURPOSE', { label, uploaded, needed: PURPOSES[purpose].name() })
  }
  if (image.owner_id === ownerId) return image.id
  // Saving the same form twice creates one copy.
  const existing = await lockImageOfSameFile(trx, ownerId, image.file, purpose)
  return existing?.id ?? (await insertCopy(trx, image, ownerId))
}

/** Copies an image's row to another owner and returns the new id. Throws `not-found`. */
export async function copyImage(trx: Db, imageId: string, toOwnerId: string): Promise<string> {
  const image = await lockImage(trx, imageId)
  if (image === undefined) throw notFound('IMAGE_NOT_FOUND')
  return insertCopy(trx, image, toOwnerId)
}

async function insertCopy(trx: Db, image: NonNullable<Awaited<ReturnType<typeof lockImage>>>, ownerId: string): Promise<string> {
  const { purpose, file, width, height, mime, bytes } = image
  const id = uuidv7()
  await insertImage(trx, { id, owner_id: ownerId, purpose, file, width, height, mime, bytes, is_copy: true })
  return id
}

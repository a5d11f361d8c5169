/** The SQL of pictures: their rows, and the files that may have to go. */
import type { Db } from '#backend/database/open.ts'

/** What a picture is besides whose. */
const PICTURE = ['purpose', 'file', 'width', 'height', 'mime', 'bytes'] as const

/** A picture of one of these owners, held so that nobody deletes it before the transaction ends. */
export function holdImage(trx: Db, id: string, ownerIds: readonly string[]) {
  return trx
    .selectFrom('images')
    .select(['id', 'owner_id', ...PICTURE])
    .where('id', '=', id)
    .where('owner_id', 'in', ownerIds)
    .forKeyShare()
    .executeTakeFirst()
}

/** The owner's own row of the same picture, held as above. */
export function holdSameImage(trx: Db, ownerId: string, file: string, purpose: string) {
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

/** Any picture by its id alone, held as above. */
export function holdAnyImage(trx: Db, id: string) {
  return trx.selectFrom('images').select(PICTURE).where('id', '=', id).forKeyShare().executeTakeFirst()
}

export interface NewImage {
  readonly id: string
  readonly owner_id: string
  readonly purpose: string
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mime: string
  readonly bytes: number
}

export async function insertImage(trx: Db, image: NewImage): Promise<void> {
  await trx.insertInto('images').values(image).execute()
}

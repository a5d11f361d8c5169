/** Uploads an image: receives the form, decodes and stores the file, then inserts its row. */
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { CONCURRENCY } from '#contract/api/limits.ts'
import { type Image, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS, PURPOSES, PURPOSE_KEYS, type Purpose } from '#contract/servers/images.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, invalid, tooMany, unavailable } from '#backend/platform/errors.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { readForm } from '#backend/platform/http/form.ts'
import { imageUrl } from './image-urls.ts'
import type { ImageServices } from './image-services.ts'
import type { ImageType } from './image-header.ts'
import { RANDOM_LENGTH, type ImageStorage } from './storage.ts'

/** Per user. Far more than their servers and settings can show at once. */
export const MAX_IMAGES = 300
/** Per user. A launcher theme of the largest images takes 20 MiB. */
export const MAX_MEBIBYTES = 256
const EXTENSIONS: Readonly<Record<ImageType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
const uploadsFolder = ({ DATA_DIR }: Pick<Deps['env'], 'DATA_DIR'>) => join(DATA_DIR, 'uploads')
/** Far longer than any upload takes. */
const STALE_FOLDER_MS = 3_600_000

/**
 * Throws `invalid` for a bad form or image, `forbidden` over the user's quota, `too-many` over the concurrency limit, and `unavailable` if
 * the storage is unavailable. The sweep deletes files of failed uploads.
 */
export async function upload(deps: Deps, services: ImageServices, userId: string, request: FastifyRequest): Promise<Image> {
  const release = services.activeUploads.acquire(userId)
  if (release === undefined) throw tooMany(2, 'TOO_MANY_UPLOADS', { max: CONCURRENCY.uploads.max })
  const abort = new AbortController()
  const { socket } = request.raw
  const onClose = () => abort.abort()
  socket.once('close', onClose)
  let folder: string | undefined
  try {
    folder = await createUploadFolder(uploadsFolder(deps.env))
    const purpose = await receiveForm(request, folder)
    if (socket.destroyed) onClose()
    const { width, height } = PURPOSES[purpose]
    const job = { folder, width, height, maxPixels: MAX_IMAGE_PIXELS }
    const mime = await services.decoder.decode(job, { userId, signal: abort.signal })
    const out = join(folder, 'out')
    const { size: bytes } = await stat(out)
    const file = await services.storing(async () => store(deps, services.storage, await readFile(out), mime))
    const image = { id: uuidv7(), purpose, width, height, mime, bytes }
    await insertRow(deps, userId, { ...image, file })
    return { ...image, url: imageUrl(deps.env, file) }
  } finally {
    release()
    socket.off('close', onClose)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function createUploadFolder(uploads: string): Promise<string> {
  try {
    await mkdir(uploads, { recursive: true })
    return await mkdtemp(join(uploads, 'upload-'))
  } catch (error) {
    throw unavailable('UPLOADS_UNAVAILABLE', 60, error)
  }
}

/** Writes the form's file to `in` of the folder. */
async function receiveForm(request: FastifyRequest, folder: string): Promise<Purpose> {
  const rule = { texts: ['purpose'], file: 'file', path: join(folder, 'in'), maxBytes: MAX_IMAGE_BYTES }
  const { texts, hasFile } = await readForm(request, rule)
  const given = texts.get('purpose')
  const purpose = PURPOSE_KEYS.find((key) => key === given)
  const purposes = PURPOSE_KEYS.join(', ')
  if (given === undefined) throw invalid('FORM_PURPOSE_MISSING', { purposes }).inField('purpose')
  if (purpose === undefined) throw invalid('FORM_PURPOSE_UNKNOWN', { purposes }).inField('purpose')
  if (!hasFile) throw invalid('FORM_FILE_MISSING').inField('file')
  return purpose
}

/** Schedules the file for deletion before its first byte is written, so that a crash leaves no orphaned file. */
async function store({ db }: Deps, storage: ImageStorage, bytes: Buffer, mime: ImageType): Promise<string> {
  const file = `${randomBase62(RANDOM_LENGTH)}.${EXTENSIONS[mime]}`
  await db.insertInto('file_deletions').values({ file }).execute()
  try {
    await storage.put(file, bytes, mime)
  } catch (error) {
    throw unavailable('IMAGE_STORAGE_UNAVAILABLE', 30, error)
  }
  return file
}

async function insertRow({ db }: Deps, userId: string, image: Omit<Image, 'url'> & { readonly file: string }): Promise<void> {
  await transaction(db, async (trx) => {
    await lockActor(trx, userId, 'update')
    const uploaded = trx.selectFrom('images').select('bytes').where('owner_id', '=', userId).where('is_copy', '=', false)
    const sizes = (await uploaded.execute()).map(({ bytes }) => bytes)
    if (sizes.length >= MAX_IMAGES) throw forbidden('IMAGE_LIMIT_REACHED', { max: MAX_IMAGES })
    if (sizes.reduce((sum, bytes) => sum + bytes, image.bytes) > MAX_MEBIBYTES * 1024 * 1024)
      throw forbidden('IMAGE_SPACE_USED_UP', { max: MAX_MEBIBYTES })
    const { numDeletedRows } = await trx.deleteFrom('file_deletions').where('file', '=', image.file).executeTakeFirst()
    // The sweep has already deleted the file.
    if (numDeletedRows === 0n) throw unavailable('UPLOAD_TOO_SLOW', 1)
    await trx
      .insertInto('images')
      .values({ ...image, owner_id: userId })
      .execute()
  })
}

/** Removes folders of interrupted uploads. Uses this node's clock, because it sets the times of folders. */
export async function removeStaleUploads({ env }: Pick<Deps, 'env'>): Promise<void> {
  const cutoff = systemClock.now() - STALE_FOLDER_MS
  for (const name of await readdir(uploadsFolder(env)).catch(() => [])) {
    const path = join(uploadsFolder(env), name)
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined && stats.mtimeMs < cutoff) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Where the bytes of pictures lie: a folder, or whatever speaks S3. A file never changes, so nothing here overwrites or locks. */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Env } from '#backend/platform/env.ts'
import { diskStorage } from './disk-storage.ts'
import { s3Storage } from './s3-storage.ts'

export interface StoredFile {
  readonly bytes: number
  /** To be read to its end or destroyed. */
  readonly body: Readable
}

/** Every call may fail where the storage is away. */
export interface Storage {
  /** Resolves when the bytes are safe. */
  put(file: string, bytes: Buffer, type: string): Promise<void>
  /** Undefined where there is no such file. */
  open(file: string): Promise<StoredFile | undefined>
  /** One that is not there counts as deleted. */
  delete(file: string): Promise<void>
}

/** What makes a file's name; checked before any storage is asked. */
export const FILE_NAME = /^[0-9A-Za-z]{24}\.(?:png|jpg|webp)$/
export const RANDOM_LENGTH = 24

/** The S3-compatible storage where one is configured, else a folder of the data directory. */
export function createStorage(env: Env): Storage {
  return env.IMAGES_URL === undefined ? diskStorage(join(env.DATA_DIR, 'images')) : s3Storage(env, env.IMAGES_URL)
}

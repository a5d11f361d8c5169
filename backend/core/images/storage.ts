/** Stores image files in a folder or in S3. A file never changes, so nothing here overwrites or locks. */
import { constants } from 'node:fs'
import { access, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import type { Env } from '#backend/platform/env.ts'

export interface StoredFile {
  readonly bytes: number
  /** Must be read to its end or destroyed. */
  readonly body: Readable
}

/** Every call rejects if the storage is unavailable. */
export interface ImageStorage {
  /** Resolves when the bytes are durable. */
  put(file: string, bytes: Buffer, type: string): Promise<void>
  /** Undefined if there is no such file. */
  open(file: string): Promise<StoredFile | undefined>
  /** Also resolves for a missing file. */
  delete(file: string): Promise<void>
  /** Rejects if the storage does not work. */
  check(): Promise<void>
}

/** Check names against this before any storage call. */
export const FILE_NAME = /^[0-9A-Za-z]{24}\.(?:png|jpg|webp)$/
export const RANDOM_LENGTH = 24

/** S3-compatible storage if configured, otherwise a folder in the data directory. */
export function createStorage(env: Env): ImageStorage {
  return env.IMAGES_URL === undefined ? diskStorage(join(env.DATA_DIR, 'images')) : s3Storage(env, env.IMAGES_URL)
}

/** Appended to a file's name until it is complete. */
const PARTIAL_SUFFIX = '.part'

/** @param root is created with the first image. */
export function diskStorage(root: string): ImageStorage {
  // Spread over about 4,000 folders, because a huge folder is slow.
  const pathOf = (file: string) => join(root, file.slice(0, 2), file)
  return {
    async put(file, bytes) {
      const path = pathOf(file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}${PARTIAL_SUFFIX}`, bytes, { flush: true })
      await rename(`${path}${PARTIAL_SUFFIX}`, path)
      await syncFolder(dirname(path))
    },
    async open(file) {
      const handle = await open(pathOf(file), 'r').catch(ignoreMissingFile)
      if (handle === undefined) return undefined
      try {
        const { size } = await handle.stat()
        return { bytes: size, body: handle.createReadStream({ highWaterMark: 64 * 1024 }) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    async delete(file) {
      for (const path of [pathOf(file), `${pathOf(file)}${PARTIAL_SUFFIX}`]) await rm(path, { force: true })
    },
    async check() {
      await access(root, constants.W_OK).catch(ignoreMissingFile)
    },
  }
}

function ignoreMissingFile(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}

const RESPONSE_TIMEOUT_MS = 10_000
/** For browsers that read from the bucket directly (`IMAGES_PUBLIC_URL`). */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** @param url the bucket's address: `https://s3.example.com/bucket`. */
function s3Storage(env: Pick<Env, 'IMAGES_ACCESS_KEY_ID' | 'IMAGES_SECRET_ACCESS_KEY' | 'IMAGES_REGION'>, url: string): ImageStorage {
  const bucket = new S3mini({
    endpoint: url,
    accessKeyId: env.IMAGES_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.IMAGES_SECRET_ACCESS_KEY ?? '',
    region: env.IMAGES_REGION,
    fetch: fetchWithTimeout,
  })
  return {
    async put(file, bytes, type) {
      // The library's types allow only "x-amz-" headers, but it signs and sends any.
      const headers: Readonly<Record<string, string>> = { 'cache-control': IMMUTABLE }
      const response = await bucket.putObject(file, bytes, type, undefined, headers)
      await response.body?.cancel()
    },
    async open(file) {
      const response = await bucket.getObjectResponse(file)
      if (response?.body == null) return undefined
      const body = Readable.fromWeb(response.body as ReadableStream)
      // If the connection breaks before anyone reads, the program must not end. A later reader still gets the error.
      body.on('error', () => undefined)
      return { bytes: Number(response.headers.get('content-length')), body }
    },
    async delete(file) {
      await bucket.deleteObject(file).catch(ignoreMissingObject)
    },
    async check() {
      if (await bucket.bucketExists()) return
      // A key that may not list the bucket is rejected above, and here too, because the file is missing.
      const error: unknown = await bucket.getObjectResponse('health-check').catch((reason: unknown) => reason)
      if ((error as { serviceCode?: string } | null)?.serviceCode === 'AccessDenied') return
      throw error instanceof Error ? error : new Error('There is no such bucket.')
    },
  }
}

/** Limits the time until the response starts, not the time to read it. */
async function fetchWithTimeout(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), RESPONSE_TIMEOUT_MS)
  try {
    return await fetch(input, { ...init, signal: stop.signal })
  } finally {
    clearTimeout(timer)
  }
}

function ignoreMissingObject(error: unknown): void {
  if ((error as { status?: number }).status !== 404) throw error
}

/** Makes a rename survive a crash. Windows needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}

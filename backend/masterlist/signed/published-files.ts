/** Where the signed list is published: a folder or an S3-compatible bucket, with the same paths as on the list. */
import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { S3mini } from 's3mini'
import type { Env } from '#backend/platform/env.ts'
import { isBucket } from '#backend/platform/signing/signing-env.ts'
import { SHA256 } from './signed-file.ts'

const HEAD = 'signed/head'
const KEYS = 'signed/keys'
const CHUNKS = 'signed/chunks'

/** A file's path below the published folder, as in its URL. */
export const pathOf = { head: HEAD, keys: KEYS, chunk: (sha256: string) => `${CHUNKS}/${sha256}` } as const

const RESPONSE_TIMEOUT_MS = 10_000

/** Every call rejects if the store is unavailable. */
export interface PublishedFiles {
  /** No reader sees half of it. */
  put(path: string, bytes: string | Buffer): Promise<void>
  /** Also resolves for a missing file. */
  delete(path: string): Promise<void>
  /** The hashes of all published chunks. */
  chunks(): Promise<string[]>
}

export function openPublished(env: Env, target: string): PublishedFiles {
  return isBucket(target) ? publishedBucket(env, target) : publishedFolder(target)
}

/** Also reads it, as a mirror does. */
export function publishedFolder(folder: string): PublishedFiles & { read(path: string): Promise<Buffer | undefined> } {
  const root = resolve(folder)
  return {
    async put(path, bytes) {
      const file = join(root, path)
      await makePublicFolder(dirname(file))
      await writeFile(`${file}.part`, bytes)
      await chmod(`${file}.part`, 0o644)
      await rename(`${file}.part`, file)
    },
    async delete(path) {
      await rm(join(root, path), { force: true })
    },
    async chunks() {
      const names = await readdir(join(root, CHUNKS)).catch(ignoreMissing)
      return names?.filter((name) => SHA256.test(name)) ?? []
    },
    read: (path) => readFile(join(root, path)).catch(ignoreMissing),
  }
}

/** A web server reads it as another user, so the umask does not apply. Folders that exist keep their modes. */
async function makePublicFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let each = path; each.length >= first.length; each = dirname(each)) await chmod(each, 0o755)
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}

/** What a bucket sends to its readers with each file. */
const HEADERS = {
  text: { type: 'text/plain; charset=utf-8', cacheControl: 'public, no-cache' },
  chunk: { type: 'application/json', cacheControl: 'public, max-age=31536000, immutable' },
} as const

function publishedBucket(env: Env, url: string): PublishedFiles {
  const bucket = new S3mini({
    endpoint: url,
    accessKeyId: env.PUBLISH_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.PUBLISH_SECRET_ACCESS_KEY ?? '',
    region: env.PUBLISH_REGION,
    requestAbortTimeout: RESPONSE_TIMEOUT_MS,
  })
  return {
    async put(path, bytes) {
      const { type, cacheControl } = HEADERS[path.startsWith(CHUNKS) ? 'chunk' : 'text']
      // The library's types allow only "x-amz-" headers, but it signs and sends any.
      const headers: Readonly<Record<string, string>> = { 'cache-control': cacheControl }
      const response = await bucket.putObject(path, bytes, type, undefined, headers)
      await response.body?.cancel()
    },
    async delete(path) {
      await bucket.deleteObject(path).catch((error: unknown) => {
        if ((error as { status?: number }).status !== 404) throw error
      })
    },
    async chunks() {
      const objects = (await bucket.listObjects('/', `${CHUNKS}/`)) ?? []
      return objects.map(({ Key }) => Key.slice(Key.lastIndexOf('/') + 1)).filter((name) => SHA256.test(name))
    },
  }
}

/** Pictures in a bucket of anything that speaks S3. */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { S3mini } from 's3mini'
import type { Env } from '#backend/platform/env.ts'
import type { Storage } from './storage.ts'

/** Longer than any storage that works takes for a few megabytes, shorter than people wait. */
const WITHIN_MS = 10_000
/** For whoever reads the bucket by itself (`IMAGES_PUBLIC_URL`): the same as we say. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** @param url the bucket's address: `https://s3.example.com/bucket`. */
export function s3Storage(env: Pick<Env, 'IMAGES_ACCESS_KEY_ID' | 'IMAGES_SECRET_ACCESS_KEY' | 'IMAGES_REGION'>, url: string): Storage {
  const bucket = new S3mini({
    endpoint: url,
    accessKeyId: env.IMAGES_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.IMAGES_SECRET_ACCESS_KEY ?? '',
    region: env.IMAGES_REGION,
    fetch: answeredInTime,
  })
  return {
    async put(file, bytes, type) {
      // Its types know headers that begin with "x-amz-" only; it signs and sends any.
      const headers: Readonly<Record<string, string>> = { 'cache-control': FOR_EVER }
      const answer = await bucket.putObject(file, bytes, type, undefined, headers)
      await answer.body?.cancel()
    },
    async open(file) {
      const response = await bucket.getObjectResponse(file)
      if (response?.body == null) return undefined
      return { bytes: Number(response.headers.get('content-length')), body: Readable.fromWeb(response.body as ReadableStream) }
    },
    async delete(file) {
      await bucket.deleteObject(file).catch(unlessMissing)
    },
  }
}

/** The storage has to begin its answer in time; who reads it may then be as slow as he is. */
async function answeredInTime(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), WITHIN_MS)
  try {
    return await fetch(input, { ...init, signal: stop.signal })
  } finally {
    clearTimeout(timer)
  }
}

function unlessMissing(error: unknown): void {
  if ((error as { status?: number }).status !== 404) throw error
}

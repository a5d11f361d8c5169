/** URLs of stored images. They are served from the list's host, which uses no cookies. */
import type { Env } from '#backend/platform/env.ts'

type Where = Pick<Env, 'IMAGES_PUBLIC_URL' | 'MASTERLIST_PUBLIC_URL' | 'MASTERLIST_PORT'>

/** The base URL without a trailing slash: `https://list.example.com/images`. Defaults to localhost where no public URL is set. */
export function imagesBase(env: Where): string {
  return env.IMAGES_PUBLIC_URL ?? `${env.MASTERLIST_PUBLIC_URL ?? `http://localhost:${env.MASTERLIST_PORT}`}/images`
}

/** @param file the image's name in the storage; null for none. */
export function imageUrl(env: Where, file: string): string
export function imageUrl(env: Where, file: string | null): string | null
export function imageUrl(env: Where, file: string | null): string | null {
  return file === null ? null : `${imagesBase(env)}/${file}`
}

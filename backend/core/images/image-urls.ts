/** URLs of stored images. They are served from the list's host, which uses no cookies. */
import type { Env } from '#backend/platform/env.ts'

type ImageUrlEnv = Pick<Env, 'IMAGES_PUBLIC_URL' | 'MASTERLIST_PUBLIC_URL' | 'MASTERLIST_PORT'>

/** The base URL without a trailing slash: `https://list.example.com/images`. Defaults to localhost. */
export function imagesBase(env: ImageUrlEnv): string {
  return env.IMAGES_PUBLIC_URL ?? `${env.MASTERLIST_PUBLIC_URL ?? `http://localhost:${env.MASTERLIST_PORT}`}/images`
}

/** @param file the name in the storage; null for no image. */
export function imageUrl(env: ImageUrlEnv, file: string): string
export function imageUrl(env: ImageUrlEnv, file: string | null): string | null
export function imageUrl(env: ImageUrlEnv, file: string | null): string | null {
  return file === null ? null : `${imagesBase(env)}/${file}`
}

/** Where a stored picture is served: one address everywhere, on the list's host, which knows no cookie. */
import type { Env } from '#backend/platform/env.ts'

type Where = Pick<Env, 'IMAGES_PUBLIC_URL' | 'MASTERLIST_PUBLIC_URL' | 'MASTERLIST_PORT'>

/** Without a slash at the end: `https://list.example.com/images`. A newcomer's machine, where nothing is set, is its own host. */
export function imagesBase(env: Where): string {
  return env.IMAGES_PUBLIC_URL ?? `${env.MASTERLIST_PUBLIC_URL ?? `http://localhost:${env.MASTERLIST_PORT}`}/images`
}

/** @param file the picture's name in the storage; null for none. */
export function imageUrl(env: Where, file: string): string
export function imageUrl(env: Where, file: string | null): string | null
export function imageUrl(env: Where, file: string | null): string | null {
  return file === null ? null : `${imagesBase(env)}/${file}`
}

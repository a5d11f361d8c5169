/** What pictures need of the running program: a storage and a decoder. */
import type { Deps } from '#backend/deps.ts'
import type { Env } from '#backend/env.ts'
import { Decoding } from './decoding.ts'
import { imagesBase } from './image-urls.ts'
import { type Storage, createStorage } from './storage.ts'

export interface ImageParts {
  readonly storage: Storage
  readonly decoding: Decoding
}

export function createImageParts({ env, log }: Pick<Deps, 'env' | 'log'>): ImageParts {
  return { storage: createStorage(env), decoding: new Decoding(log) }
}

/** From where the panel's pages may show pictures. A newcomer's machine has two names for itself. */
export function imageOrigins(env: Env): string[] {
  const { origin } = new URL(imagesBase(env))
  return origin.startsWith('http://localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}

/** What pictures need of the running program. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { AtOnce } from '#backend/platform/http/at-once.ts'
import { Decoding } from './decoding.ts'
import { HotFiles } from './hot-files.ts'
import { imagesBase } from './image-urls.ts'
import { Room } from './room.ts'
import { type Storage, createStorage } from './storage.ts'

/** One who sends many large ones leaves room for the others. */
export const MOST_UNDER_WAY = 8
/** A few large pictures, or many usual ones, are in memory on their way into the storage. */
const MOST_STORING_BYTES = 12 * 1024 * 1024

export interface ImageParts {
  readonly storage: Storage
  readonly decoding: Decoding
  /** What is served from memory. */
  readonly hot: HotFiles
  /** Uploads of each person. */
  readonly underWay: AtOnce
  /** For the bytes of those that are being stored. */
  readonly storing: Room
}

export function createImageParts({ env, log, clock }: Pick<Deps, 'env' | 'log' | 'clock'>): ImageParts {
  return {
    storage: createStorage(env),
    decoding: new Decoding(log, clock),
    hot: new HotFiles(clock),
    underWay: new AtOnce(MOST_UNDER_WAY),
    storing: new Room(MOST_STORING_BYTES),
  }
}

/** From where the panel's pages may show pictures. A newcomer's machine has two names for itself. */
export function imageOrigins(env: Env): string[] {
  const { origin } = new URL(imagesBase(env))
  return origin.startsWith('http://localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}

/** Check of `doctor`: the disk of DATA_DIR. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { LOW_FREE_BYTES, MIN_FREE_BYTES } from '#backend/app/status/thresholds.ts'
import { nearestFolder, spaceOf } from '#backend/platform/free-space.ts'
import type { Env } from '#backend/platform/env.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

const GIB = 1024 ** 3

export function createDiskCheck({ DATA_DIR, DATABASE_URL, IMAGES_URL }: Env): Check {
  return { id: 'disk', title: 'Disk of DATA_DIR', run: () => checkDisk(DATA_DIR, DATABASE_URL === undefined || IMAGES_URL === undefined) }
}

/** @param isGrowing whether the folder holds the database or images. */
async function checkDisk(folder: string, isGrowing: boolean): Promise<Finding> {
  const existing = await nearestFolder(folder)
  const isWritable = await access(existing, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return failed(`${existing} is not writable for this user.`, 'Run this command and Muster as the same user, the owner of the folder.')
  const { free } = await spaceOf(existing)
  const message = `${(free / GIB).toFixed(1)} GiB are free for ${folder}.`
  const remedy = 'Free some space, or move DATA_DIR to a larger disk.'
  if (free < MIN_FREE_BYTES) return failed(message, remedy)
  return free < LOW_FREE_BYTES && isGrowing ? warning(message, remedy) : ok(message)
}

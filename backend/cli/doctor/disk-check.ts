/** Check of `doctor`: the disk of DATA_DIR. */
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Env } from '#backend/platform/env.ts'
import { type Check, type Finding, failed, ok, warning } from './check.ts'

const MIB = 1024 * 1024
/** Postgres stops when it can't write its log, so this is for an operator to react in time. */
const FAILED_BELOW_BYTES = 256 * MIB
const WARNING_BELOW_BYTES = 2048 * MIB

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
  const { bavail, bsize } = await statfs(existing)
  const free = bavail * bsize
  const message = `${(free / (1024 * MIB)).toFixed(1)} GiB are free for ${folder}.`
  const remedy = 'Free some space, or move DATA_DIR to a larger disk.'
  if (free < FAILED_BELOW_BYTES) return failed(message, remedy)
  return free < WARNING_BELOW_BYTES && isGrowing ? warning(message, remedy) : ok(message)
}

/** The folder itself, or the one in which the first start creates it. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    await statfs(folder)
    return folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearestFolder(dirname(folder))
  }
}

/** The free space of a disk. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Space {
  /** For this process, in bytes. */
  readonly free: number
  readonly size: number
}

/** The space for a folder, which may not exist yet. */
export async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(await nearestFolder(folder))
  return { free: bavail * bsize, size: blocks * bsize }
}

/** The folder itself, or the one in which the first start creates it. */
export async function nearestFolder(folder: string): Promise<string> {
  try {
    await statfs(folder)
    return folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearestFolder(dirname(folder))
  }
}

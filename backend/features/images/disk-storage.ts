/** Pictures in a folder of this machine. */
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '#backend/platform/sync-folder.ts'
import type { Storage } from './storage.ts'

/** Written under this name first, so that a file that has its own name is whole. */
const UNFINISHED = '.part'

/** @param root made when the first picture comes. */
export function diskStorage(root: string): Storage {
  // Some thousand folders: no file system is slow with what then lies in each.
  const pathOf = (file: string) => join(root, file.slice(0, 2), file)
  return {
    async put(file, bytes) {
      const path = pathOf(file)
      await mkdir(dirname(path), { recursive: true })
      const handle = await open(`${path}${UNFINISHED}`, 'w')
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${path}${UNFINISHED}`, path)
      await syncFolder(dirname(path))
    },
    async open(file) {
      const handle = await open(pathOf(file), 'r').catch(unlessMissing)
      if (handle === undefined) return undefined
      try {
        const { size } = await handle.stat()
        return { bytes: size, body: handle.createReadStream({ highWaterMark: 64 * 1024 }) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    async delete(file) {
      // One that was being written when the program was killed has the other name.
      for (const path of [pathOf(file), `${pathOf(file)}${UNFINISHED}`]) await rm(path, { force: true })
    },
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}

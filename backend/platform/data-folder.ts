/** Creates DATA_DIR, and explains why it can't be used. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates the folder, which only its owner may enter, and its missing parents, which others may. Throws a sentence if it's not writable. */
export function createDataFolder(folder: string): void {
  try {
    create(folder, 0o700)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw explainFolder(folder, error)
  }
}

/** Not `recursive`, which gives every new folder the same mode and never ends below /proc. */
function create(folder: string, mode: number): void {
  if (!existsSync(dirname(folder))) create(dirname(folder), 0o777)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

const NOT_USABLE = ['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']

/** A sentence if the folder can't be used; any other error as it is, such as a full disk. */
export function explainFolder(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !NOT_USABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return error
  return new Error(`The folder ${folder} is not writable. Set DATA_DIR to a folder that this user may write to.`, { cause: error })
}

import { open } from 'node:fs/promises'

/** Makes a file's new name survive a crash; call it after the rename. Windows needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

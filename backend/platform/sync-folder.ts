import { open } from 'node:fs/promises'

/** A name is safe only when its folder is: to be called after a file was renamed to it. Windows knows no such thing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

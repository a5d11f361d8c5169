import { open } from 'node:fs/promises'

/** Makes a rename survive a crash; call it after the rename. Windows needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}

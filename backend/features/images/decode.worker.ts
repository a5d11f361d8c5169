/** Decodes untrusted pictures in a process without secrets or connections, which may be killed at any moment. Imports little: memory counts. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecodeJob, DecodeReply } from './image-decoder.ts'
import { resizeImage } from './resize-image.ts'
import { DAMAGED, ImageRejection, checkSize } from './image-header.ts'
import { readImageHeader } from './read-image-header.ts'

/** Where memory runs out, the system kills this process first. Linux only. */
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

const LARGE_PIXELS = 4_000_000
const LARGE_BYTES = 2 * 1024 * 1024

async function decode({ folder, width, height, maxPixels }: DecodeJob): Promise<DecodeReply> {
  let needsRestart = false
  try {
    const bytes = await readFile(join(folder, 'in'))
    needsRestart = bytes.length > LARGE_BYTES
    const head = readImageHeader(bytes)
    checkSize(head, maxPixels)
    needsRestart ||= head.width * head.height > LARGE_PIXELS
    await writeFile(join(folder, 'out'), await resizeImage(head, { width, height }, join(folder, 'between')))
    return { type: head.type, needsRestart }
  } catch (error) {
    if (error instanceof ImageRejection) return { rejection: error.message, needsRestart }
    return { rejection: DAMAGED, cause: String(error), needsRestart }
  }
}

process.on('message', (job: DecodeJob) => {
  void decode(job).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))

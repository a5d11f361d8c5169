/** Decodes untrusted images in a process that has no secrets or connections and can be killed at any time. Imports little, to save memory. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecodeJob, DecodeReply } from './image-decoder.ts'
import { resizeImage } from './resize-image.ts'
import { ImageRejection, checkSize } from './image-header.ts'
import { readImageHeader } from './read-image-header.ts'

/** Makes Linux kill this process first when memory runs out. */
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

const LARGE_PIXELS = 4_000_000
const LARGE_BYTES = 2 * 1024 * 1024

async function decode({ folder, width, height, maxPixels }: DecodeJob): Promise<DecodeReply> {
  let needsRestart = false
  try {
    const bytes = await readFile(join(folder, 'in'))
    needsRestart = bytes.length > LARGE_BYTES
    const header = readImageHeader(bytes)
    checkSize(header, maxPixels)
    needsRestart ||= header.width * header.height > LARGE_PIXELS
    await writeFile(join(folder, 'out'), await resizeImage(header, { width, height }, join(folder, 'intermediate')))
    return { type: header.type, needsRestart }
  } catch (error) {
    if (error instanceof ImageRejection) return { rejection: error.reason, needsRestart }
    return { rejection: { code: 'IMAGE_DAMAGED', values: {} }, cause: String(error), needsRestart }
  }
}

process.on('message', (job: DecodeJob) => {
  void decode(job).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))

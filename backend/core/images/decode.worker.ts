/** Decodes untrusted images in a process that has no secrets or connections and can be killed at any time. Imports little, to save memory. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveJobs } from '#backend/platform/concurrency/serve-jobs.ts'
import type { DecodeJob, DecodeReply } from './image-decoder.ts'
import { resizeImage } from './resize-image.ts'
import { ImageRejection, readImageHeader } from './image-header.ts'

const LARGE_PIXELS = 4_000_000
const LARGE_BYTES = 2 * 1024 * 1024

async function decode({ folder, width, height, maxPixels }: DecodeJob): Promise<DecodeReply> {
  let needsRestart = false
  try {
    const bytes = await readFile(join(folder, 'in'))
    needsRestart = bytes.length > LARGE_BYTES
    const header = await readImageHeader(bytes, maxPixels)
    needsRestart ||= header.width * header.height > LARGE_PIXELS
    await writeFile(join(folder, 'out'), await resizeImage(bytes, header, { width, height }, join(folder, 'intermediate')))
    return { type: header.type, needsRestart }
  } catch (error) {
    if (error instanceof ImageRejection) return { rejection: error.reason, needsRestart }
    return { rejection: { code: 'IMAGE_DAMAGED', values: {} }, cause: String(error), needsRestart }
  }
}

await serveJobs(decode)

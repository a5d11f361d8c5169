/** Decodes untrusted pictures in a process without secrets or connections, which may be killed at any moment. Imports little: memory counts. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecodeJob, DecodeReply } from './decoding.ts'
import { fit } from './fitting.ts'
import { DAMAGED, Refused, checkSize } from './picture.ts'
import { readHead } from './picture-type.ts'

/** Where memory runs out, the system kills this process first. Linux only. */
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

const LARGE_PIXELS = 4_000_000
const LARGE_BYTES = 2 * 1024 * 1024

async function decode({ folder, width, height, mostPixels }: DecodeJob): Promise<DecodeReply> {
  let isSpent = false
  try {
    const bytes = await readFile(join(folder, 'in'))
    isSpent = bytes.length > LARGE_BYTES
    const head = readHead(bytes)
    checkSize(head, mostPixels)
    isSpent ||= head.width * head.height > LARGE_PIXELS
    await writeFile(join(folder, 'out'), await fit(head, { width, height }, join(folder, 'between')))
    return { type: head.type, isSpent }
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.message, isSpent }
    return { refusal: DAMAGED, cause: String(error), isSpent }
  }
}

process.on('message', (job: DecodeJob) => {
  void decode(job).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))

/**
 * The process that decodes pictures: what others made goes through native code here, and only here. It has no secrets in its
 * environment, no connection, and one picture at a time; it may be killed at any moment.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DecodeJob, DecodeReply } from './decoding.ts'
import { fit } from './fitting.ts'
import { DAMAGED, Refused, checkSize } from './picture.ts'
import { readHead } from './picture-type.ts'

/** Where memory runs out, the system should take this process and not the program. Linux only; elsewhere there is no such file. */
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

async function decode({ folder, width, height }: DecodeJob): Promise<DecodeReply> {
  try {
    const head = readHead(await readFile(join(folder, 'in')))
    checkSize(head)
    await writeFile(join(folder, 'out'), await fit(head, { width, height }, join(folder, 'between')))
    return { type: head.type }
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.message }
    return { refusal: DAMAGED, cause: String(error) }
  }
}

process.on('message', (job: DecodeJob) => {
  void decode(job).then((reply) => process.send?.(reply))
})
// Whoever gave the orders has ended, in whatever way.
process.on('disconnect', () => process.exit(0))

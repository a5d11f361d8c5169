/** The other side of a WorkerProcess: runs in the child process. Imports little, to save memory. */
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Announces go first on a busy machine. */
const NICE = 5

export interface JobFailure {
  readonly jobFailure: string
}

/** Replies to each job, also to one that throws. */
export async function serveJobs<Job, Reply extends object>(run: (job: Job) => Reply | Promise<Reply>): Promise<void> {
  setPriority(NICE)
  // Makes Linux kill this process first when memory runs out.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)
  process.on('message', (job: Job) => void replyTo(run, job).then((reply) => process.send?.(reply)))
  process.on('disconnect', () => process.exit(0))
}

async function replyTo<Job, Reply extends object>(run: (job: Job) => Reply | Promise<Reply>, job: Job): Promise<Reply | JobFailure> {
  try {
    return await run(job)
  } catch (error) {
    return { jobFailure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

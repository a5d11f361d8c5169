/** The other side of a WorkerProcess: runs in the child process. Imports little, to save memory. */
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Announces go first on a busy machine. */
const NICE = 10

export interface JobMessage<Job> {
  readonly id: number
  readonly job: Job
}

/** A failure is what the job threw. */
export type JobReply<Reply> = { readonly id: number } & ({ readonly reply: Reply } | { readonly failure: string })

/** Replies to each job, also to one that throws. */
export async function serveJobs<Job, Reply extends object>(run: (job: Job) => Reply | Promise<Reply>): Promise<void> {
  setPriority(NICE)
  // Makes Linux kill this process first when memory runs out.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)
  process.on('message', (message: JobMessage<Job>) => void replyTo(run, message).then((reply) => process.send?.(reply)))
  process.on('disconnect', () => process.exit(0))
}

async function replyTo<Job, Reply>(run: (job: Job) => Reply | Promise<Reply>, { id, job }: JobMessage<Job>): Promise<JobReply<Reply>> {
  try {
    return { id, reply: await run(job) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

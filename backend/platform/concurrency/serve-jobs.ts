/** The other side of a WorkerProcess: runs in the child process. Imports little, to save memory. */
import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Announces go first on a busy machine. */
const NICE = 5

/** Replies to each job. A job that throws ends the process. */
export async function serveJobs<Job, Reply extends object>(run: (job: Job) => Reply | Promise<Reply>): Promise<void> {
  setPriority(NICE)
  // Makes Linux kill this process first when memory runs out.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)
  process.on('message', (job: Job) => {
    void Promise.resolve(run(job)).then((reply) => process.send?.(reply))
  })
  process.on('disconnect', () => process.exit(0))
}

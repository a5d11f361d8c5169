/** Every repeating task of the program, named, with its period. What repeats inside the master list is its own. */
import type { Deps } from './deps.ts'
import { deleteExpiredSignIns } from '#backend/features/auth/sessions.ts'
import { forgetEndedCredentials } from '#backend/features/servers/servers.ts'

interface Job {
  readonly name: string
  readonly everyMs: number
  run(): Promise<void>
}

/** Starts the jobs and answers how to stop them: it resolves when none is running any more. */
export function startJobs(deps: Deps): () => Promise<void> {
  const jobs: readonly Job[] = [
    { name: 'forget expired sign-ins', everyMs: 600_000, run: () => deleteExpiredSignIns(deps) },
    { name: 'forget credentials that ended long ago', everyMs: 86_400_000, run: () => forgetEndedCredentials(deps) },
  ]
  const running = new Set<Promise<void>>()
  const timers = jobs.map((job) =>
    setInterval(() => {
      const run = job.run().catch((error: unknown) => deps.log.warn({ err: error, job: job.name }, 'A job failed; it will run again.'))
      running.add(run)
      void run.finally(() => running.delete(run))
    }, job.everyMs),
  )
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running)
  }
}

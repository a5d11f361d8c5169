/** WorkerProcess with several jobs at once: replies, failures and crashes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { WorkerProcess } from './worker-process.ts'

interface Job {
  readonly act: 'return' | 'throw' | 'exit' | 'hang'
  readonly number: number
}

interface Reply {
  readonly number: number
  readonly pid: number
}

const MODULE = `
import { serveJobs } from '${pathToFileURL(join(import.meta.dirname, 'serve-jobs.ts')).href}'
await serveJobs(async ({ act, number }) => {
  if (act === 'throw') throw new Error('a broken job')
  if (act === 'exit') process.exit(1)
  if (act === 'hang') await new Promise(() => undefined)
  return { number, pid: process.pid }
})`

const folder = mkdtempSync(join(tmpdir(), 'muster-worker-'))
const path = join(folder, 'jobs.ts')
writeFileSync(path, MODULE)
afterAll(() => rmSync(folder, { recursive: true }))

async function withWorker(check: (worker: WorkerProcess<Job, Reply>) => Promise<void>): Promise<void> {
  const worker = new WorkerProcess<Job, Reply>({ path, timeoutMs: 60_000, maxHeap: 64, concurrency: 4 })
  try {
    await check(worker)
  } finally {
    worker.close()
  }
}

test('each job gets its own reply, and one that throws affects no other', () =>
  withWorker(async (worker) => {
    const jobs = Array.from({ length: 20 }, (_, number) => worker.run({ act: number === 3 ? 'throw' : 'return', number }))
    const results = await Promise.allSettled(jobs)
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value.number : result.reason.failure))).toEqual(
      Array.from({ length: 20 }, (_, number) => (number === 3 ? 'job-failed' : number)),
    )
    expect(new Set(results.map((result) => (result.status === 'fulfilled' ? result.value.pid : 'none'))).size).toBe(2)
  }))

test('a crash fails the jobs of the process, and those that waited get a new one', () =>
  withWorker(async (worker) => {
    const { pid } = await worker.run({ act: 'return', number: 0 })
    const results = await Promise.allSettled(
      (['hang', 'hang', 'hang', 'exit', 'return', 'return'] as const).map((act, number) => worker.run({ act, number })),
    )
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'fulfilled', 'fulfilled'])
    const pids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.pid] : []))
    expect(new Set(pids).size).toBe(1)
    expect(pids).not.toContain(pid)
  }))

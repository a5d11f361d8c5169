/** Restart of the embedded Postgres after its processes were killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { discard, killHard, postgresPids } from '#tests/program.ts'
import { connectionTo } from './embedded-host.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const START_SCRIPT = `
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
await startEmbeddedPostgres(process.argv[1])
console.log('started')
setInterval(() => undefined, 1000)
`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts a database under a paused parent process, which never reaps its child. */
async function startUnderPausedParent(): Promise<{ folder: string; parent: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-embedded-'))
  cleanups.push(() => discard(folder))
  const parent = spawn(process.execPath, ['--input-type=module', '-e', START_SCRIPT, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanups.push(() => parent.kill('SIGKILL'))
  const failed = once(parent, 'exit').then(() => Promise.reject(new Error('The parent exited before the database started.')))
  await Promise.race([once(parent.stdout, 'data'), failed])
  failed.catch(() => undefined)
  parent.kill('SIGSTOP')
  return { folder, parent }
}

const stateOf = (pid: number) => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

async function queryOne(postgres: EmbeddedPostgres): Promise<unknown> {
  const client = new pg.Client(connectionTo(postgres))
  await client.connect()
  const { rows } = await client.query<{ one: number }>('select 1 as one')
  await client.end()
  return rows[0]?.one
}

test('a killed database starts again even if its parent never reaps it', async () => {
  const { folder } = await startUnderPausedParent()
  const pids = postgresPids(folder)
  for (const pid of pids) killHard(pid)
  const [postmaster = 0] = pids
  await expect.poll(() => stateOf(postmaster)).toBe('Z')
  const restarted = await startEmbeddedPostgres(folder)
  cleanups.push(() => restarted.stop())
  expect([restarted.isAdopted, await queryOne(restarted), stateOf(postmaster)]).toEqual([false, 1, 'Z'])
})

test('a killed database does not start while one of its processes still uses its shared memory', async () => {
  const { folder } = await startUnderPausedParent()
  const [postmaster = 0, ...others] = postgresPids(folder)
  const [survivor = 0] = others
  process.kill(survivor, 'SIGSTOP')
  for (const pid of [postmaster, ...others.slice(1)]) killHard(pid)
  await expect.poll(() => stateOf(postmaster)).toBe('Z')
  let hasStarted = false
  const starting = startEmbeddedPostgres(folder).finally(() => (hasStarted = true))
  cleanups.push(async () => {
    killHard(survivor)
    await (await starting).stop()
  })
  const log = () => readFileSync(join(folder, 'postgres.log'), 'utf8')
  await expect.poll(log, { timeout: 10_000 }).toContain('pre-existing shared memory block')
  await sleep(500)
  expect(hasStarted).toBe(false)
  killHard(survivor)
  expect(await queryOne(await starting)).toBe(1)
})

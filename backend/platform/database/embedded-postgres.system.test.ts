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

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A database whose parent process is paused, so that it never reaps its child. */
async function startUnderPausedParent(): Promise<{ folder: string; parent: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-embedded-'))
  ends.push(() => discard(folder))
  const parent = spawn(process.execPath, ['--input-type=module', '-e', START_SCRIPT, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => parent.kill('SIGKILL'))
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

test('a killed database starts again although its parent never reaps it', async () => {
  const { folder } = await startUnderPausedParent()
  const pids = postgresPids(folder)
  for (const pid of pids) killHard(pid)
  const [postmaster = 0] = pids
  await expect.poll(() => stateOf(postmaster)).toBe('Z')
  const again = await startEmbeddedPostgres(folder)
  ends.push(() => again.stop())
  expect([again.isAdopted, await queryOne(again), stateOf(postmaster)]).toEqual([false, 1, 'Z'])
})

test('a killed database does not start while one of its processes still uses its shared memory', async () => {
  const { folder } = await startUnderPausedParent()
  const [postmaster = 0, ...others] = postgresPids(folder)
  const [left = 0] = others
  process.kill(left, 'SIGSTOP')
  for (const pid of [postmaster, ...others.slice(1)]) killHard(pid)
  await expect.poll(() => stateOf(postmaster)).toBe('Z')
  let hasStarted = false
  const starting = startEmbeddedPostgres(folder).finally(() => (hasStarted = true))
  ends.push(async () => {
    killHard(left)
    await (await starting).stop()
  })
  const log = () => readFileSync(join(folder, 'postgres.log'), 'utf8')
  await expect.poll(log, { timeout: 10_000 }).toContain('pre-existing shared memory block')
  await sleep(500)
  expect(hasStarted).toBe(false)
  killHard(left)
  expect(await queryOne(await starting)).toBe(1)
})

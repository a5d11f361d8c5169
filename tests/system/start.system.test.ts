/** Starting and stopping the real program: double starts, kills, invalid configurations and orderly shutdowns. */
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'
import { startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { signInCookie } from '#tests/test-user.ts'
import {
  MUSTER,
  type Program,
  childrenOf,
  commandLineOf,
  freePort,
  isRunning,
  postmasterPid,
  runCommand,
  until,
  untilReady,
} from '#tests/program.ts'
import { closeAfterTest } from '#tests/running.ts'
import { create, namesOf, newFolder, start, usedFolder } from './started-programs.ts'

test('a first start creates missing parents of its folder for everyone, and the folder for its owner alone', async () => {
  const parent = newFolder()
  chmodSync(parent, 0o755)
  const folder = join(parent, 'not', 'there', 'data')
  const program = await untilReady(await start(folder))
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect([join(parent, 'not'), join(parent, 'not', 'there'), folder].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o755, 0o755, 0o700,
  ])
})

describe('a running program', () => {
  let program: Program
  beforeAll(async () => {
    program = await untilReady(await start(usedFolder()))
  })

  test('prints the addresses of panel and list and how to sign in, and serves the pages and health checks', async () => {
    const port = new URL(program.panelUrl).port
    await until(() => program.output().includes('sign in with any name'))
    expect(program.output()).toContain(`http://localhost:${port}`)
    expect(program.output()).toContain(`http://localhost:${new URL(program.listUrl).port}`)
    for (const url of [program.panelUrl, program.listUrl]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
    for (const path of ['/', '/login', '/servers/abc']) {
      const page = await fetch(`${program.panelUrl}${path}`)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  test('replaces the start script, with its flags and variables', async () => {
    const pid = program.child.pid ?? 0
    expect(commandLineOf(pid)).toEqual(expect.arrayContaining([...NODE_FLAGS, MUSTER, 'serve']))
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    expect(variables).toEqual(expect.arrayContaining(Object.entries(ENVIRONMENT).map((pair) => pair.join('='))))
  })

  test('is not disturbed by a second start on its folder, which exits with a message that names its process', async () => {
    const second = await start(program.folder)
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `Another Muster is already running on the data folder ${program.folder}, as process ${program.child.pid}. Stop it first`,
    )
    expect((await fetch(`${program.panelUrl}/readyz`)).status).toBe(200)
    expect((await create(program, await signInCookie(program.panelUrl, 'alice'), 'Still writing')).status).toBe(200)
  })

  test('takes a Ctrl+C that arrives twice, as npm forwards it, as one orderly shutdown', async () => {
    const postmaster = postmasterPid(program.folder) ?? 0
    program.child.kill('SIGINT')
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
    expect(isRunning(postmaster)).toBe(false)
  })
})

describe('an orderly shutdown', () => {
  test('SIGTERM stops the program and its database with code 0 despite an open event stream, and data survives the restart', async () => {
    const folder = usedFolder()
    const first = await untilReady(await start(folder))
    const cookie = await signInCookie(first.panelUrl, 'alice')
    expect((await create(first, cookie, 'Permanent')).status).toBe(200)
    const stream = await fetch(`${first.panelUrl}/api/users/tokens/events`, { headers: { cookie } })
    expect(stream.status).toBe(200)
    const postmaster = postmasterPid(folder) ?? 0
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(isRunning(postmaster)).toBe(false)
    await stream.text().catch(() => undefined)
    const second = await untilReady(await start(folder))
    expect(await namesOf(second, cookie)).toEqual(['Permanent'])
  })

  test('on Windows the start script needs no shell, forwards SIGTERM, and exits with the program', async () => {
    const folder = usedFolder()
    const asWindows = `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`
    const program = await untilReady(await start(folder, { PATH: '' }, [asWindows]))
    const postmaster = postmasterPid(folder) ?? 0
    const [child = 0] = childrenOf(program.child.pid ?? 0)
    expect(commandLineOf(child)).toEqual(expect.arrayContaining([...NODE_FLAGS, MUSTER, 'serve']))
    // The console sends Ctrl+C to the program too, so the script alone does nothing with it.
    program.child.kill('SIGINT')
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect([child, postmaster].map(isRunning)).toEqual([false, false])
  })
})

test('SIGTERM during the start stops the program and its database', async () => {
  const folder = usedFolder()
  for (const afterMs of [150, 220, 300, 380, 450, 600]) {
    const program = await start(folder)
    await sleep(afterMs)
    const isStillRunning = program.child.kill('SIGTERM')
    expect(isStillRunning).toBe(true)
    await program.ended
    const postmaster = postmasterPid(folder)
    await until(() => postmaster === undefined || !isRunning(postmaster))
  }
})

test('a command leaves a stopped folder stopped, and does not disturb a running program', async () => {
  const folder = newFolder()
  const run = (...args: string[]) => runCommand(args, { HOME: folder, DATA_DIR: folder })
  expect(await run('doctor')).toMatchObject({ code: 0, output: expect.stringContaining('There is no database yet') as string })
  expect(existsSync(join(folder, 'pg18'))).toBe(false)
  expect(await run('migrate')).toMatchObject({ code: 0, output: expect.stringContaining('Applied') as string })
  expect(await run('doctor')).toMatchObject({ code: 0, output: expect.stringContaining('The schema is up to date.') as string })
  expect(postmasterPid(folder)).toBeUndefined()
  const program = await untilReady(await start(folder))
  await signInCookie(program.panelUrl, 'alice')
  const ports = { PORT: new URL(program.panelUrl).port, MASTERLIST_PORT: new URL(program.listUrl).port }
  const diagnosis = await runCommand(['doctor'], { HOME: folder, DATA_DIR: folder, ...ports })
  expect(diagnosis).toMatchObject({ code: 0, output: expect.stringMatching(/The embedded PostgreSQL .*, which runs,/) as string })
  // On the wrong ports.
  expect(await run('doctor')).toMatchObject({ code: 1, output: expect.stringContaining('Muster runs on DATA_DIR') as string })
  expect(await run('migrate')).toEqual({ code: 0, output: 'The database is up to date.\n' })
  expect((await run('admin', 'grant', '1')).code).toBe(1)
  expect((await run('nonsense')).code).toBe(1)
  expect((await fetch(`${program.panelUrl}/readyz`)).status).toBe(200)
})

test('of two starts on the same folder at the same moment, one runs, the other exits with a message', async () => {
  const folder = newFolder()
  const both = await Promise.all([start(folder), start(folder)])
  expect(await Promise.race(both.map((program) => program.ended))).toBe(1)
  const survivor = both.find((program) => program.child.exitCode === null)
  const rejected = both.find((program) => program.child.exitCode !== null)
  expect(rejected?.output()).toContain('Another Muster is already running')
  expect(survivor).toBeDefined()
  if (survivor !== undefined) await untilReady(survivor)
})

describe('a failing start', () => {
  test('names a busy port, leaves no database running, and skips the drain', async () => {
    const folder = usedFolder()
    const port = await freePort()
    const blocker = createServer().listen(port, '127.0.0.1')
    const program = await start(folder, { PORT: String(port), DRAIN_SECONDS: '300' })
    expect(await program.ended).toBe(1)
    blocker.close()
    expect(program.output()).toContain(`Port ${port} is in use`)
    expect(postmasterPid(folder)).toBeUndefined()
  })

  test('reports every invalid variable and starts no database', async () => {
    const folder = newFolder()
    const program = await start(folder, { ANNOUNCE_TTL_SECONDS: 'long', PUBLIC_URL: 'panel' })
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain('ANNOUNCE_TTL_SECONDS')
    expect(program.output()).toContain('PUBLIC_URL')
    expect(postmasterPid(folder)).toBeUndefined()
  })

  test.each([
    ['below /proc', '/proc/muster/data', 'ENOENT'],
    ['below a file', '/etc/passwd/data', 'ENOTDIR'],
    ['that is a file', '/etc/passwd', 'EEXIST'],
  ])('ends at once on a data folder %s, and names DATA_DIR', async (_, folder, code) => {
    const program = await start(folder)
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain(`The folder ${folder} is not writable. Set DATA_DIR to a folder that this user may write to.`)
    expect(program.output()).toContain(`Cause: ${code}: `)
  })

  test.runIf(process.getuid?.() === 0)('as root, names the folder that keeps out the user of the database', async () => {
    const parent = newFolder()
    const program = await start(join(parent, 'data'))
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain(
      `runs as another user, who can't enter ${parent}. Start Muster as a regular user, or set DATA_DIR to`,
    )
  })

  test('names HOST if this machine does not have the address', async () => {
    // TEST-NET-1 (RFC 5737)
    const program = await start(usedFolder(), { HOST: '192.0.2.7' })
    expect(await program.ended).toBe(1)
    expect(program.output()).toBe('This machine has no address 192.0.2.7. Set HOST to one of its addresses, or remove HOST.\n')
  })
})

test('with DATABASE_URL the program uses an external Postgres and starts none', async () => {
  const [folder, other] = [usedFolder(), newFolder()]
  const postgres = await startEmbeddedPostgres(folder)
  closeAfterTest(() => postgres.stop())
  const client = new pg.Client({ host: postgres.socketFolder, user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query('create database own')
  const url = `postgres://postgres@/own?host=${encodeURIComponent(postgres.socketFolder)}`
  const program = await untilReady(await start(other, { DATABASE_URL: url }))
  const cookie = await signInCookie(program.panelUrl, 'alice')
  expect((await create(program, cookie, 'On my own database')).status).toBe(200)
  expect(postmasterPid(other)).toBeUndefined()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect((await client.query('select 1')).rowCount).toBe(1)
  await client.end()
})

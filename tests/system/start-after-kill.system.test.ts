/** Starts after a kill of the program, its database or both. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signInCookie } from '#tests/test-user.ts'
import { isRunning, killHard, postgresPids, postmasterPid, until, untilReady } from '#tests/program.ts'
import { create, namesOf, newFolder, start, usedFolder } from './started-programs.ts'

/** Includes pending connections. Two are subtracted: the text before the first match, and the listener. */
const connectionsTo = (folder: string) => readFileSync('/proc/net/unix', 'utf8').split(`${folder}/.s.PGSQL`).length - 2

describe('after a kill', () => {
  test('of the program alone: the next start takes over the running database', async () => {
    const folder = usedFolder()
    const first = await untilReady(await start(folder))
    const cookie = await signInCookie(first.panelUrl, 'alice')
    await create(first, cookie, 'Before the kill')
    const postmaster = postmasterPid(folder)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await untilReady(await start(folder))
    expect(postmasterPid(folder)).toBe(postmaster)
    expect(await namesOf(second, cookie)).toEqual(['Before the kill'])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(isRunning(postmaster ?? 0)).toBe(false)
  })

  test('of everything: the next start recovers, and the data is there', async () => {
    const folder = usedFolder()
    const first = await untilReady(await start(folder))
    const cookie = await signInCookie(first.panelUrl, 'alice')
    await create(first, cookie, 'Before the kill')
    for (const pid of [first.child.pid ?? 0, ...postgresPids(folder)]) killHard(pid)
    const second = await untilReady(await start(folder))
    expect(await namesOf(second, cookie)).toEqual(['Before the kill'])
  })

  test('of everything, with a database that exits slowly: the next start waits for that and starts it again', async () => {
    const folder = usedFolder()
    const first = await untilReady(await start(folder))
    const cookie = await signInCookie(first.panelUrl, 'alice')
    await create(first, cookie, 'Before the kill')
    const dying = postgresPids(folder)
    // A stopped process looks like one that is dying but still writes: alive and unresponsive.
    process.kill(dying[0] ?? 0, 'SIGSTOP')
    first.child.kill('SIGKILL')
    await first.ended
    await until(() => connectionsTo(folder) === 0)
    const second = await start(folder)
    await until(() => connectionsTo(folder) > 0)
    // The postmaster last, because its children exit with it.
    for (const pid of dying.toReversed()) killHard(pid)
    await untilReady(second)
    expect(second.output()).toContain('is shutting down')
    expect(await namesOf(second, cookie)).toEqual(['Before the kill'])
  })

  test('of the database alone: calls get 503 at once, and the database is restarted', async () => {
    const folder = usedFolder()
    const program = await untilReady(await start(folder))
    const cookie = await signInCookie(program.panelUrl, 'alice')
    for (const pid of postgresPids(folder)) killHard(pid)
    const rejected = await create(program, cookie, 'While it is gone')
    expect(rejected.status).toBe(503)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await fetch(`${program.listUrl}/servers`)).status).toBe(200)
    expect((await fetch(`${program.panelUrl}/healthz`)).status).toBe(200)
    await until(async () => (await create(program, cookie, 'When it is back')).status === 200)
    expect((await fetch(`${program.panelUrl}/readyz`)).status).toBe(200)
    expect(await namesOf(program, cookie)).toEqual(['When it is back'])
  })

  test('of a first start: a partial database folder does not block the next start', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'pg18.999999'))
    writeFileSync(join(folder, 'pg18.999999', 'half'), '')
    await untilReady(await start(folder))
    expect(postmasterPid(folder)).toBeGreaterThan(0)
  })
})

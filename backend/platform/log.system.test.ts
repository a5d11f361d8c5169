/** Log lines, and a log that cannot be written. Secrets in the log: tests/api/secrets.test.ts. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { newName } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { MUSTER, discard, freePort, killHard, temporaryFolder, until } from '#tests/program.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

describe('a log that cannot be written', () => {
  const running: { readonly folder: string; readonly pid: number }[] = []
  afterEach(() => {
    for (const { folder, pid } of running.splice(0)) {
      killHard(pid)
      discard(folder)
    }
  })

  /** Starts the real program with stdout and stderr on this file. */
  async function startWith(file: number) {
    const folder = preparedFolder()
    const [port, listPort] = [await freePort(), await freePort()]
    const child = spawn(process.execPath, [...NODE_FLAGS, MUSTER, 'serve'], {
      env: {
        PATH: process.env.PATH,
        ...ENVIRONMENT,
        LOG_LEVEL: 'debug',
        DATA_DIR: folder,
        PORT: String(port),
        MASTERLIST_PORT: String(listPort),
      },
      stdio: ['ignore', file, file],
    })
    running.push({ folder, pid: child.pid ?? 0 })
    const url = `http://127.0.0.1:${port}`
    await until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200)
    return { url, child }
  }

  test('breaks neither requests nor the program, and counts lost lines', async () => {
    const full = openSync('/dev/full', 'w')
    const { url, child } = await startWith(full)
    closeSync(full)
    // A rejected code of the identity provider is logged.
    const started = await fetch(`${url}/api/auth/discord`)
    const state = new URL(await started.text()).searchParams.get('state')
    const rejected = await fetch(`${url}/api/auth/discord`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: started.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
      body: JSON.stringify({ code: 'unknown', state }),
    })
    expect([rejected.status, (await rejected.json()) as unknown]).toEqual([502, expect.objectContaining({ statusCode: 502 })])
    const lost = /^muster_log_lines_lost_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]
    expect(Number(lost)).toBeGreaterThan(0)
    child.kill('SIGTERM')
    const code = await new Promise((resolve) => {
      child.once('exit', resolve)
    })
    expect(code).toBe(0)
  }, 300_000)

  test('reports the number of lost lines once it can be written again', async () => {
    const script = `
      import { writeSync } from 'node:fs'
      import { createLog, countLostLogLines } from '#backend/platform/log.ts'
      const log = createLog('info')
      process.stdin.setEncoding('utf8')
      for await (const word of process.stdin) for (const _ of word.trim()) { log.info('a line'); writeSync(1, countLostLogLines() + '\\n') }`
    const folder = temporaryFolder()
    const target = join(folder, 'log')
    const file = openSync(target, 'w')
    // A size limit acts like a full disk: one line fits, then none, until the limit is removed.
    const child = spawn('bash', ['-c', 'trap "" XFSZ; exec "$0" --input-type=module -e "$1"', process.execPath, script], {
      stdio: ['pipe', 'pipe', file],
      cwd: join(import.meta.dirname, '../..'),
    })
    const { pid = 0 } = child
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const limit = (bytes: string) =>
      new Promise((resolve) => {
        spawn('prlimit', ['--pid', String(pid), `--fsize=${bytes}`]).once('exit', resolve)
      })
    const write = async (lines: number) => {
      const before = output.split('\n').length
      child.stdin?.write('x'.repeat(lines))
      await until(() => output.split('\n').length >= before + lines)
    }
    await write(1)
    await limit(`${readFileSync(target).length}:unlimited`)
    await write(3)
    await limit('unlimited:unlimited')
    await write(2)
    child.stdin?.end()
    closeSync(file)
    const lines = readFileSync(target, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ msg, lost_lines: lost }) => [msg, lost])).toEqual([
      ['a line', undefined],
      ['a line', undefined],
      ['log lines were lost', 3],
      ['a line', undefined],
    ])
    discard(folder)
  })
})

describe('a log line', () => {
  test('of a failed call has the host, one request ID and a stack', async () => {
    const app = await startApp({ LOG_LEVEL: 'warn' })
    const user = await app.newUser()
    await sql`alter table servers rename to elsewhere`.execute(app.db)
    expect((await user.call(servers.create, { body: { name: newName() } })).status).toBe(500)
    await sql`alter table elsewhere rename to servers`.execute(app.db)
    const [line = ''] = app.takeLogs()
    expect(line.match(/"reqId":/g)).toHaveLength(1)
    expect(JSON.parse(line)).toMatchObject({ host: expect.any(String), reqId: expect.any(String), err: { stack: expect.any(String) } })
  })

  test('has a stack only for the first failure of an outage', async () => {
    const app = await startApp({ LOG_LEVEL: 'warn' })
    const user = await app.newUser()
    await sql`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(app.db)
    await sql`create trigger disk_full before insert on all_servers execute function disk_full()`.execute(app.db)
    for (let call = 0; call < 5; call += 1) expect((await user.call(servers.create, { body: { name: newName() } })).status).toBe(503)
    const lines = app.takeLogs()
    expect(lines.filter((line) => line.includes('"stack"'))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('"reqId"'))).toHaveLength(5)
  })
})

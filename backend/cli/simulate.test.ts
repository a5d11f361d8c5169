/** `simulate` on another database than the program's. */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'
import { discard, temporaryFolder } from '#tests/program.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

test('with the DATA_DIR of no running program, it says which one it needs, and creates no database', async () => {
  const folder = temporaryFolder()
  const listPort = new URL(app.listUrl).port
  const child = spawn(process.execPath, [join(import.meta.dirname, 'muster.ts'), 'simulate', '--servers', '1'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, HOST: '127.0.0.1', MASTERLIST_PORT: listPort },
    cwd: folder,
  })
  expect(await text(child.stderr)).toBe(
    `The master list on http://127.0.0.1:${listPort} does not use the data folder ${folder}. Start this command with the DATA_DIR of that program.\n`,
  )
  expect(readdirSync(folder)).toEqual([])
  discard(folder)
})

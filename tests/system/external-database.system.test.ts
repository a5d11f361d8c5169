/** The real program on an external Postgres (DATABASE_URL): requirements at the start, and the contents of its folder. */
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { MIGRATIONS, SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { freePort, type Program, discard, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'

const programs: Program[] = []
const folders: string[] = []

afterEach(() => {
  for (const program of programs.splice(0)) discard(program.folder, program)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

const urlOf = (database: string, user = 'postgres') => `postgres://${user}@/${database}?host=${encodeURIComponent(inject('socketFolder'))}`

async function newDatabase(options = ''): Promise<string> {
  const database = `own_${randomBytes(8).toString('hex')}`
  const client = new pg.Client(urlOf('postgres'))
  await client.connect()
  await client.query(`create database ${database} ${options}`)
  await client.end()
  return database
}

async function start(folder: string, url: string, variables: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(folder, { DATABASE_URL: url, ...variables })
  programs.push(program)
  return program
}

async function startErrorOf(folder: string, url: string): Promise<string> {
  const program = await start(folder, url)
  expect(await program.ended).toBe(1)
  return program.output()
}

test('a missing folder is created at the start', async () => {
  const folder = join(newFolder(), 'not', 'there')
  await untilReady(await start(folder, urlOf(await newDatabase())))
  expect(existsSync(folder)).toBe(true)
})

test('a folder that is not writable stops the start with a message that names it', async () => {
  const file = join(newFolder(), 'a-file')
  writeFileSync(file, '')
  const output = await startErrorOf(join(file, 'data'), urlOf(await newDatabase()))
  expect(output).toContain(`The folder ${join(file, 'data')} is not writable.`)
  expect(output).toContain('ENOTDIR')
})

test('a database without UTF8 stops the start with a message that says how to create one', async () => {
  const database = await newDatabase("encoding 'LATIN1' locale 'C' template template0")
  const output = await startErrorOf(newFolder(), urlOf(database))
  expect(output).toContain(
    'stores text as LATIN1. Muster needs UTF8. Create another with "createdb --encoding=UTF8 --template=template0 NAME"',
  )
})

test('a failed connection is reported with what to do and its cause, in two lines, and without the password', async () => {
  const port = await freePort()
  for (const [url, remedy] of [
    [
      urlOf('postgres', 'nobody_of_this_name:hidden-word'),
      'Correct the user and password in DATABASE_URL.\nCause: role "nobody_of_this_name" does not exist',
    ],
    [
      urlOf('not_there', 'postgres:hidden-word'),
      'Create it with "createdb --encoding=UTF8 --template=template0 not_there", or correct its name in DATABASE_URL.\nCause: database "not_there" does not exist',
    ],
    [
      `postgres://postgres:hidden-word@127.0.0.1:${port}/postgres`,
      `Start Postgres, or correct the host and port in DATABASE_URL.\nCause: connect ECONNREFUSED 127.0.0.1:${port}`,
    ],
    [
      'postgres://postgres:hidden-word@host.invalid/postgres',
      'Correct the host in DATABASE_URL, or the name servers of this machine.\nCause: getaddrinfo ',
    ],
  ] as const) {
    const output = await startErrorOf(newFolder(), url)
    expect(output).toMatch(/^The database in DATABASE_URL cannot be reached\. .*\nCause: .*\n$/)
    expect(output).toContain(remedy)
    expect(output).not.toContain('hidden-word')
  }
})

test('a program runs and restarts on a compatible newer schema, and does not start on an incompatible one', async () => {
  const database = await newDatabase()
  const folder = newFolder()
  const first = await untilReady(await start(folder, urlOf(database)))
  const steps = mkdtempSync(join(tmpdir(), 'muster-steps-'))
  folders.push(steps)
  cpSync(MIGRATIONS, steps, { recursive: true })
  const db = connect({ connectionString: urlOf(database) }, createLog('silent'), 1)
  writeFileSync(
    join(steps, '9001_expand.sql'),
    `-- compatible-with-level: ${SCHEMA_LEVEL}\nalter table all_servers add column later text;\n`,
  )
  expect(await migrateToLatest(db, steps)).toEqual(['9001_expand'])
  // It keeps running on the newer schema, and restarts on it.
  expect((await fetch(`${first.listUrl}/servers`)).status).toBe(200)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  const second = await untilReady(await start(folder, urlOf(database)))
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  writeFileSync(join(steps, '9002_contract.sql'), '-- compatible-with-level: 9002\nalter table all_servers drop column later;\n')
  expect(await migrateToLatest(db, steps)).toEqual(['9002_contract'])
  await db.destroy()
  expect(await startErrorOf(folder, urlOf(database))).toContain(
    `The database needs a program with schema level 9002 or higher; this one has ${SCHEMA_LEVEL}.`,
  )
  expect(existsSync(join(folder, 'pg18'))).toBe(false)
})

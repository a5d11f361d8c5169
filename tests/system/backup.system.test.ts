/** A backup of the real program under load, restored into another folder, with its daily backups and the erasures since. */
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as servers from '#contract/servers/servers.ts'
import { COMPILE_CACHE } from '#backend/cli/runtime-options.ts'
import { type Db, joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { upload } from '#tests/images/upload.ts'
import { announceFrom, readList } from '#tests/list/send.ts'
import { preparedFolder } from '#tests/prepared-folder.ts'
import { MUSTER, type Program, discard, runCommand, startProgram, temporaryFolder, until, untilReady } from '#tests/program.ts'
import { signIn } from '#tests/test-user.ts'
import { newFolder, start } from './started-programs.ts'

const folder = preparedFolder()
const backups = temporaryFolder()
const VARIABLES = { BACKUP_DIR: backups, ACCOUNT_DELETION_DELAY_HOURS: '0' }
let program: Program

beforeAll(async () => {
  program = await untilReady(await startProgram(folder, VARIABLES))
})

const stop = async () => {
  program.child.kill('SIGTERM')
  await program.ended
}

afterAll(() => {
  discard(folder, program)
  discard(backups)
})

const backup = (...args: readonly string[]) => runCommand(['backup', ...args], { DATA_DIR: folder })
const restore = (into: string, ...args: readonly string[]) => runCommand(['restore', ...args], { DATA_DIR: into })

/** Not there yet. */
const newFile = () => join(backups, `${randomUUID()}.tar.zst`)
const user = (name: string) => signIn(() => program.panelUrl, name)

/** A new user with a listed server and an image. Returns the server's ID. */
async function newOwner(): Promise<string> {
  const owner = await user(randomUUID().replaceAll('-', '').slice(0, 20))
  await upload(owner)
  const { status, data, text } = await owner.call(servers.create, { body: { name: randomUUID() } })
  expect(status, text).toBe(200)
  expect((await announceFrom(program, data.credential)).status).toBe(200)
  return data.public_id
}

async function inDatabase<T>(of: string, act: (db: Db) => Promise<T>): Promise<T> {
  const database = await joinDatabase({ DATA_DIR: of }, createLog('silent'))
  try {
    return await act(database.db)
  } finally {
    await database.close()
  }
}

/** All rows as text, by table, and the digests of all images. */
function contentOf(of: string): Promise<Record<string, readonly string[]>> {
  return inDatabase(of, async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname not in ('schema_migrations', 'migration_digests', 'nodes', 'leases')`.execute(db)
    const content: Record<string, readonly string[]> = { images: imagesOf(of) }
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db)
      content[`table ${name}`] = rows.map(({ row }) => row)
    }
    return content
  })
}

function imagesOf(of: string): string[] {
  const files = readdirSync(join(of, 'images'), { recursive: true, encoding: 'utf8' }).map((name) => join(of, 'images', name))
  const digestOf = (file: string) => `${file.slice(of.length)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`
  return files
    .filter((file) => statSync(file).isFile())
    .map(digestOf)
    .toSorted()
}

test('a backup under load has everything that was acknowledged before it, and erasures since then are repeated', async () => {
  const bob = await user('bob')
  expect((await bob.call(servers.create, { body: { name: randomUUID() } })).status).toBe(200)
  const created: string[] = []
  let isStopped = false
  const load = async () => {
    while (!isStopped) created.push(await newOwner())
  }
  const loads = Promise.all([load(), load()])
  await Promise.race([loads, until(() => created.length >= 10)])
  const before = [...created]
  const file = newFile()
  const { code, output } = await backup(file)
  expect(code, output).toBe(0)
  expect(output).toMatch(/^Backed up \d+ tables and \d+ images to .*\.tar\.zst\. Keep it secret/)
  isStopped = true
  await loads
  const ledger = join(backups, 'erasures.txt')
  const former = readFileSync(ledger, 'utf8')
  await bob.call(account.requestDeletion)
  await until(() => readFileSync(ledger, 'utf8').length > former.length)

  const elsewhere = newFolder()
  const restored = await restore(elsewhere, file)
  expect(restored.code, restored.output).toBe(0)
  expect(restored.output).toContain('Every row and file was compared.')
  expect(restored.output).toContain(`Erased 1 account again, as ${ledger} says.`)
  const second = await untilReady(await start(elsewhere))
  expect((await readList(second)).map(({ publicId }) => publicId)).toEqual(expect.arrayContaining(before))
  expect((await (await signIn(() => second.panelUrl, 'bob')).call(servers.list)).data.owned).toEqual([])
})

test('each day, a verified backup is made at the first occasion', async () => {
  await until(() => readdirSync(backups).some((name) => /^muster-\d{8}T\d{6}Z\.tar\.zst$/.test(name)))
  const [name = ''] = readdirSync(backups).filter((each) => each.startsWith('muster-'))
  const verified = await backup('--verify', join(backups, name))
  expect(verified.code, verified.output).toBe(0)
  expect(verified.output).toMatch(
    /is intact: it was restored into a scratch database, and every row is the same\.\n[\d,]+ rows and \d+ images/,
  )
})

test('a backup that does not fit on the disk, or is killed, leaves no file that looks like one', async () => {
  const file = newFile()
  // The limit of a file's size stands in for a full disk, in blocks of 1 KiB.
  const limited = `ulimit -f 4; exec "${process.execPath}" "${MUSTER}" backup "${file}"`
  const { status, stderr } = spawnSync('bash', ['-c', limited], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, NODE_COMPILE_CACHE: COMPILE_CACHE },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(`${file} can't be written.\nCause: EFBIG`)
  expect(readdirSync(backups).filter((name) => join(backups, name).startsWith(file))).toEqual([])
  const killed = spawnSync('bash', ['-c', `exec timeout --signal=KILL 0.4 "${process.execPath}" "${MUSTER}" backup "${file}"`], {
    env: { PATH: process.env.PATH, DATA_DIR: folder },
  })
  expect(killed.signal ?? killed.status).not.toBe(0)
  expect(existsSync(file)).toBe(false)
  expect(await backup(file)).toMatchObject({ code: 0 })
})

test('every row and every file of a stopped program is in its backup, and the restored program starts', async () => {
  await newOwner()
  await stop()
  const file = newFile()
  expect(await backup(file)).toMatchObject({ code: 0 })
  const elsewhere = newFolder()
  expect(await restore(elsewhere, file)).toMatchObject({ code: 0 })
  expect(await contentOf(elsewhere)).toEqual(await contentOf(folder))
  const again = await restore(elsewhere, file)
  expect(again).toMatchObject({ code: 1 })
  expect(again.output).toContain('The database is not empty. A restore needs an empty one')
})

test('a wrong command is explained and changes nothing', async () => {
  const empty = newFolder()
  for (const [args, sentence] of [
    [['backup'], 'Usage: npm run muster -- backup [--verify] FILE'],
    [['restore', 'one', 'two'], 'Usage: npm run muster -- restore [--erasures LEDGER | --without-erasures] FILE'],
    [['backup', '--verify', join(empty, 'none')], "can't be read.\nCause: ENOENT"],
    [['restore', '--without-erasures', join(empty, 'none')], "can't be read.\nCause: ENOENT"],
    [['restore', join(empty, 'none')], `There is no ledger of erasures at ${join(empty, 'erasures.txt')}.`],
    [['restore', '--erasures', join(empty, 'none'), join(empty, 'backup')], `There is no ledger of erasures at ${join(empty, 'none')}.`],
  ] as const) {
    const { code, output } = await runCommand(args, { DATA_DIR: empty })
    expect([code, output], args.join(' ')).toEqual([1, expect.stringContaining(sentence)])
  }
})

/** The presence file restores live states that the database lost in a crash or failover, because they are unlogged. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'

/** Only marks the database as shared: the harness provides the connection. */
const SHARED = { DATABASE_URL: 'postgres://elsewhere' }

const fileOf = (app: TestApp) => join(app.env.DATA_DIR, 'presence.gz')
const loseLiveStates = (app: TestApp) => sql`truncate presence`.execute(app.db).then(() => undefined)

async function startWithTwoServers(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp({ ...SHARED, ...variables })
  const owner = await fleetOwner(app)
  const fleet = [await buildServer(owner), await buildServer(owner)] as const
  for (const [index, { credential }] of fleet.entries())
    expect((await announceFrom(app, credential, { playersCount: index, port: 7000 + index })).status).toBe(200)
  await expect.poll(() => readList(app)).toHaveLength(2)
  return { app, owner, fleet, before: await readList(app) }
}

test('a restart with lost live states restores the list and saves it again', async () => {
  const { app, before, fleet } = await startWithTwoServers()
  await app.restart(() => loseLiveStates(app))
  expect(await readList(app)).toEqual(before)
  const saved = () => sql<{ server_id: string }>`select server_id from presence where online order by server_id`.execute(app.db)
  await expect
    .poll(async () => (await saved()).rows.map((row) => row.server_id))
    .toEqual(fleet.map((server) => server.public_id).toSorted())
  // Servers have a full TTL after the restart, then they expire.
  app.clock.advance(74_000)
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(await readList(app)).toHaveLength(2)
  app.clock.advance(2000)
  await expect.poll(() => readList(app)).toEqual([])
})

test('a missing folder is created, and its file restores the list after a crash of the program and the database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-missing-'))
  const { app, before } = await startWithTwoServers({ DATA_DIR: join(folder, 'not', 'there') })
  // The program writes the file every half minute, so a crash leaves the last version.
  app.clock.advance(31_000)
  await expect.poll(() => existsSync(fileOf(app))).toBe(true)
  const crashed = readFileSync(fileOf(app))
  await app.restart(async () => {
    writeFileSync(fileOf(app), crashed)
    await loseLiveStates(app)
  })
  expect((await readList(app)).map((row) => row.publicId)).toEqual(before.map((row) => row.publicId))
  await app.close()
  rmSync(folder, { recursive: true })
})

test('a newer state in the database wins, and servers with revoked credentials are not restored', async () => {
  const { app, owner, fleet } = await startWithTwoServers()
  const [left, reissued] = fleet
  let file = Buffer.alloc(0)
  await app.restart(async () => {
    file = readFileSync(fileOf(app))
  })
  const leaving = await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${left.credential}` } })
  expect(leaving.status).toBe(204)
  expect((await owner.call(servers.reissue, { params: { id: reissued.public_id }, body: {} })).status).toBe(200)
  await expect.poll(() => readList(app)).toEqual([])
  await app.restart(async () => writeFileSync(fileOf(app), file))
  expect(await readList(app)).toEqual([])
  await app.restart(async () => {
    writeFileSync(fileOf(app), file)
    await sql`delete from presence where server_id = ${reissued.public_id}`.execute(app.db)
  })
  expect(await readList(app)).toEqual([])
})

test('an incomplete, corrupt or missing file is ignored', async () => {
  const { app } = await startWithTwoServers()
  let whole = Buffer.alloc(0)
  await app.restart(async () => {
    whole = readFileSync(fileOf(app))
  })
  const invalidFiles = [whole.subarray(0, whole.length - 20), Buffer.from(whole).fill(7, 40, 60), Buffer.from('{}'), Buffer.alloc(0)]
  for (const bytes of invalidFiles) {
    await app.restart(async () => {
      writeFileSync(fileOf(app), bytes)
      await loseLiveStates(app)
    })
    expect(await readList(app)).toEqual([])
  }
  await app.restart(async () => rmSync(fileOf(app)))
  expect(await readList(app)).toEqual([])
})

const onlineOf = async (app: TestApp) =>
  Number(/^muster_servers_online (\d+)$/m.exec(await (await fetch(`${app.listUrl}/metrics`)).text())?.[1])

/** Makes the database's state older than the file, with both servers online. */
const backdateRows = (app: TestApp) =>
  sql`update presence set online = true, ended_by = '', since = since - interval '1 minute',
    last_announce_at = last_announce_at - interval '1 minute', changed_at = changed_at - interval '1 minute'`
    .execute(app.db)
    .then(() => undefined)

test('a server that is online in both the database and the file is counted once, with the newer state', async () => {
  const { app, before } = await startWithTwoServers()
  await app.restart(() => backdateRows(app))
  expect(await readList(app)).toEqual(before)
  expect(await onlineOf(app)).toBe(2)
  app.clock.advance(76_000)
  await expect.poll(() => readList(app)).toEqual([])
  expect(await onlineOf(app)).toBe(0)
})

test('a server that left after the last save is not restored from the database', async () => {
  const { app, before, fleet } = await startWithTwoServers()
  const leaving = await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${fleet[0].credential}` } })
  expect(leaving.status).toBe(204)
  await app.restart(() => backdateRows(app))
  const remaining = before.filter((row) => row.publicId !== fleet[0].public_id)
  expect(await readList(app)).toEqual(remaining)
  expect(await onlineOf(app)).toBe(1)
  expect((await announceFrom(app, fleet[0].credential)).status).toBe(200)
  await expect.poll(() => readList(app)).toHaveLength(2)
  expect(await onlineOf(app)).toBe(2)
})

test('a start that fails before reading the file leaves it unchanged', async () => {
  const { app, before } = await startWithTwoServers()
  const failing = app.restart(async () => {
    await loseLiveStates(app)
    await sql`alter table servers rename to elsewhere`.execute(app.db)
  })
  await expect(failing).rejects.toThrow('servers')
  // Closes the failed start first.
  await app.restart(async () => {
    await sql`alter table elsewhere rename to servers`.execute(app.db)
  })
  expect(await readList(app)).toEqual(before)
})

test('no file is written with the embedded database, which logs live states', async () => {
  const app = await startApp()
  await app.restart()
  expect(() => readFileSync(fileOf(app))).toThrow('ENOENT')
})

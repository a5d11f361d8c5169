/** A reachable database that fails: a full disk or a locked table. See also database-outage.system.test.ts. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { me } from '#contract/users/users.ts'
import { buildServer, newName } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, readList } from '#tests/list/send.ts'

/** The lock timeout of three seconds, plus a margin for a busy machine. */
const MAX_LOCK_WAIT_MS = 15_000

async function failuresOf(app: TestApp, kind: string): Promise<number> {
  const text = await (await fetch(`${app.panelUrl}/metrics`)).text()
  return Number(new RegExp(`^muster_database_failures_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

const readiness = async (app: TestApp) => (await fetch(`${app.panelUrl}/readyz`)).status

/** Makes writes fail as they do on a full disk. */
async function fillDisk(app: TestApp, ...tables: readonly string[]): Promise<void> {
  await sql`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(app.db)
  for (const table of tables)
    await sql`create trigger no_room before insert or update on ${sql.table(table)} execute function no_room()`.execute(app.db)
}

const freeDisk = (app: TestApp) => sql`drop function no_room cascade`.execute(app.db)

test('with a full disk, a change gets a 503 that says so and is counted, while reads, announces and the list still work', async () => {
  const app = await startApp()
  const user = await app.newUser()
  const { credential } = await buildServer(user)
  expect((await announceFrom(app, credential)).status).toBe(200)
  await expect.poll(() => readList(app)).toHaveLength(1)
  await fillDisk(app, 'all_servers', 'presence')
  const rejected = await user.call(servers.create, { body: { name: newName() } })
  expect([rejected.status, rejected.error.errors.join()]).toEqual([
    503,
    expect.stringMatching(/^The database cannot store data right now\. Try again in a few seconds\./),
  ])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
  expect(await failuresOf(app, 'full')).toBeGreaterThanOrEqual(1)
  expect((await user.call(me)).status).toBe(200)
  expect((await announceFrom(app, credential, { playersCount: 7 })).status).toBe(200)
  await expect.poll(async () => (await readList(app)).map((row) => row.playersCount)).toEqual([7])
  // The node stays ready: other nodes share the same full database.
  expect(await readiness(app)).toBe(200)
  await freeDisk(app)
  expect((await user.call(servers.create, { body: { name: newName() } })).status).toBe(200)
  app.takeLogs()
})

test('a change that waits for a locked table gets a 503 with its own message within seconds', async () => {
  const app = await startApp()
  const user = await app.newUser()
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table servers in access exclusive mode`.execute(trx)
    const began = performance.now()
    const rejected = await user.call(servers.create, { body: { name: newName() } })
    expect(performance.now() - began).toBeLessThan(MAX_LOCK_WAIT_MS)
    expect([rejected.status, rejected.error.errors.join()]).toEqual([
      503,
      expect.stringMatching(/^The database is busy with another change to the same data\. Try again in a few seconds\./),
    ])
    expect(await readiness(app)).toBe(200)
  })
  expect(await failuresOf(app, 'locked')).toBeGreaterThanOrEqual(1)
  expect((await user.call(servers.create, { body: { name: newName() } })).status).toBe(200)
  app.takeLogs()
})

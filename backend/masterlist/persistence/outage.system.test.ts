/** Announces, the list and saving while the database does not respond. */
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { sql } from 'kysely'
import * as serverCalls from '#contract/servers/servers.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

/** Locks the table while `act` runs: statements on it wait, as with an unresponsive database. */
async function whileLocked(table: 'presence' | 'credential_uses' | 'benefit_settings', act: () => Promise<void>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    await act()
  })
  // Statements that waited for the lock more than three seconds were logged.
  app.takeLogs()
}

const savedOf = async ({ db }: TestApp, publicId: string) =>
  (await db.selectFrom('presence').select('announce').where('server_id', '=', publicId).executeTakeFirst())?.announce

const playersOf = async (publicId: string) => (await readList(app)).find((row) => row.publicId === publicId)?.playersCount

test('announces and the list work while the database does not respond, and changes are saved once it does', async () => {
  const { credential, public_id } = await buildServer(owner)
  await announceFrom(app, credential)
  await expect.poll(() => playersOf(public_id)).toBe(12)
  await whileLocked('presence', async () => {
    expect((await announceFrom(app, credential, { playersCount: 77 })).status).toBe(200)
    await expect.poll(() => playersOf(public_id)).toBe(77)
    expect((await announceFrom(app, credential, { playersCount: 78 })).status).toBe(200)
    await expect.poll(() => playersOf(public_id)).toBe(78)
  })
  await expect.poll(() => savedOf(app, public_id)).toMatchObject({ playersCount: 78 })
})

test('failed changes are saved as soon as the other nodes are back, before the scheduled retry', async () => {
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  const shared = await startApp({}, { isShared: true, postgres: proxy.connection })
  const { credential, public_id } = await buildServer(await shared.newUser())
  await announceFrom(shared, credential)
  await expect.poll(() => savedOf(shared, public_id)).toMatchObject({ playersCount: 12 })
  // The program's clock is stopped, so no scheduled retry happens.
  const stoppedClock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  try {
    proxy.cut()
    expect((await announceFrom(shared, credential, { playersCount: 77 })).status).toBe(200)
    await expect.poll(() => shared.allLogs()).toContain('saving failed')
    proxy.restore()
    await expect.poll(() => savedOf(shared, public_id)).toMatchObject({ playersCount: 77 })
    expect(
      shared.takeLogs().filter((line) => !/other nodes|database connection lost|database failed|saving failed|job failed/.test(line)),
    ).toEqual([])
  } finally {
    stoppedClock.mockRestore()
    shared.takeLogs()
    await shared.close()
    proxy.close()
  }
})

test('a first announce to an unresponsive database gets 503 with Retry-After, and binds later', async () => {
  const { credential } = await buildServer(owner)
  await whileLocked('credential_uses', async () => {
    const rejected = await announceFrom(app, credential)
    expect([rejected.status, rejected.rejection.code]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  })
  expect((await announceFrom(app, credential)).status).toBe(200)
  // The statement may have timed out when the lock was released.
  app.takeLogs()
})

test("while an owner's change cannot be loaded, list versions are not comparable between nodes, and afterwards they are again", async () => {
  const [changed, other] = [await buildServer(owner), await buildServer(owner)]
  let players = 0
  /** The wall time in the version of a list that contains a new announce. */
  const wallTimeAfterAnnounce = async () => {
    players = (players + 1) % 64
    await announceFrom(app, other.credential, { playersCount: players })
    await expect.poll(() => playersOf(other.public_id)).toBe(players)
    const { headers } = await send(`${app.listUrl}/servers`)
    return String(headers['x-list-version']).split('.')[0]
  }
  let response: Promise<{ readonly status: number }> | undefined
  await whileLocked('benefit_settings', async () => {
    response = owner.call(serverCalls.change, { params: { id: changed.public_id }, body: { description: 'Not loaded yet' } })
    const isCommitted = async () =>
      (await app.db.selectFrom('servers').select('description').where('public_id', '=', changed.public_id).executeTakeFirst())?.description
    await expect.poll(isCommitted).toBe('Not loaded yet')
    await expect.poll(wallTimeAfterAnnounce, { timeout: 10_000 }).toBe('0')
  })
  expect((await response)?.status).toBe(200)
  await expect.poll(wallTimeAfterAnnounce, { timeout: 20_000, interval: 1000 }).not.toBe('0')
})

import { beforeAll, expect, inject, test, vi } from 'vitest'
import { sql } from 'kysely'
import * as serverCalls from '#contract/servers.ts'
import { wireTo } from '#tests/cut-off.ts'
import { buildServer } from '#tests/factories.ts'
import { type Person, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: Person & { readonly id: string }

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

/** While `act` runs, whoever touches the table waits, as with a database that has gone silent. */
async function whileSilent(table: 'presence' | 'credential_uses' | 'benefit_settings', act: () => Promise<void>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    await act()
  })
  // Whoever waited for the lock longer than three seconds said so.
  app.takeLogs()
}

const savedOf = async ({ db }: TestApp, publicId: string) =>
  (await db.selectFrom('presence').select('announce').where('server_id', '=', publicId).executeTakeFirst())?.announce

const playersOf = async (publicId: string) => (await readList(app)).find((row) => row.publicId === publicId)?.playersCount

test('a silent database stops neither announces nor the list, and what happened meanwhile is saved when it is back', async () => {
  const { credential, public_id } = await buildServer(owner)
  await announceFrom(app, credential)
  await expect.poll(() => playersOf(public_id)).toBe(12)
  await whileSilent('presence', async () => {
    expect((await announceFrom(app, credential, { playersCount: 77 })).status).toBe(200)
    await expect.poll(() => playersOf(public_id)).toBe(77)
    expect((await announceFrom(app, credential, { playersCount: 78 })).status).toBe(200)
    await expect.poll(() => playersOf(public_id)).toBe(78)
  })
  await expect.poll(() => savedOf(app, public_id)).toMatchObject({ playersCount: 78 })
})

test('what could not be saved is saved once the other nodes are heard again, before it would be tried again by itself', async () => {
  const wire = await wireTo({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  const shared = await startApp({}, { isShared: true, reach: wire.connection })
  const { credential, public_id } = await buildServer(await shared.someone())
  await announceFrom(shared, credential)
  await expect.poll(() => savedOf(shared, public_id)).toMatchObject({ playersCount: 12 })
  // The program's clock stands still: whatever is to be tried later is not.
  const standstill = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  try {
    wire.cut()
    expect((await announceFrom(shared, credential, { playersCount: 77 })).status).toBe(200)
    await expect.poll(() => shared.everythingLogged()).toContain('saving failed')
    wire.mend()
    await expect.poll(() => savedOf(shared, public_id)).toMatchObject({ playersCount: 77 })
    expect(shared.takeLogs().filter((line) => !/other nodes|database connection lost|database failed|saving failed/.test(line))).toEqual([])
  } finally {
    standstill.mockRestore()
    shared.takeLogs()
    await shared.close()
    wire.close()
  }
})

test('a first announce while the database is silent is refused with 503 and when to come again, and then binds', async () => {
  const { credential } = await buildServer(owner)
  await whileSilent('credential_uses', async () => {
    const refused = await announceFrom(app, credential)
    expect([refused.status, refused.refusal.code]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
  expect((await announceFrom(app, credential)).status).toBe(200)
  // The lock was given up and waited for no longer in the same moment.
  app.takeLogs()
})

test("an owner's change that can not be read makes the list's versions good for nobody else, until some seconds after it was", async () => {
  const [changed, other] = [await buildServer(owner), await buildServer(owner)]
  let players = 0
  /** The wall time in the version of a list that shows what is announced now. */
  const wallOfNew = async () => {
    players = (players + 1) % 64
    await announceFrom(app, other.credential, { playersCount: players })
    await expect.poll(() => playersOf(other.public_id)).toBe(players)
    const { headers } = await send(`${app.listUrl}/servers`)
    return String(headers['x-list-version']).split('.')[0]
  }
  let answer: Promise<{ readonly status: number }> | undefined
  await whileSilent('benefit_settings', async () => {
    answer = owner.call(serverCalls.change, { params: { id: changed.public_id }, body: { description: 'Not to be read yet' } })
    const isCommitted = async () =>
      (await app.db.selectFrom('servers').select('description').where('public_id', '=', changed.public_id).executeTakeFirst())?.description
    await expect.poll(isCommitted).toBe('Not to be read yet')
    await expect.poll(wallOfNew, { timeout: 10_000 }).toBe('0')
  })
  expect((await answer)?.status).toBe(200)
  await expect.poll(wallOfNew, { timeout: 20_000, interval: 1000 }).not.toBe('0')
})

import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as serverCalls from '#contract/servers.ts'
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
}

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
  const saved = async () =>
    (await app.db.selectFrom('presence').select('announce').where('server_id', '=', public_id).executeTakeFirst())?.announce
  await expect.poll(saved).toMatchObject({ playersCount: 78 })
})

test('a first announce while the database is silent is refused with 503 and when to come again, and then binds', async () => {
  const { credential } = await buildServer(owner)
  await whileSilent('credential_uses', async () => {
    const refused = await announceFrom(app, credential)
    expect([refused.status, refused.refusal.code]).toEqual([503, 'UNAVAILABLE'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
  expect((await announceFrom(app, credential)).status).toBe(200)
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

/** Sampling: what each minute adds, and the effects of restarts, transfers and deletions. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { buildServer, emptyBin, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { announceFrom, send } from '#tests/list/send.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

const runSampler = () => app.runJob('sample-players')

/** Announces each number and samples it in the next minute; undefined sends no announce. */
async function sampleMinutes(credential: string, ...players: readonly (number | undefined)[]): Promise<void> {
  for (const playersCount of players) {
    if (playersCount !== undefined) expect((await announceFrom(app, credential, { playersCount })).status).toBe(200)
    app.clock.advance(MINUTE_MS)
    await runSampler()
  }
}

/** Starts at a full hour, so that the following minutes fall into known steps. */
async function advanceToFullHour(): Promise<void> {
  app.clock.advance(HOUR_MS - (app.clock.now() % HOUR_MS))
  await runSampler()
}

const day = async (owner: SignedInUser, id: string) => {
  const { status, data, text } = await owner.call(history.ofServer, { params: { id }, query: { range: '24h' } })
  expect(status, text).toBe(200)
  return data
}

describe('a minute', () => {
  test('appears in the graph as soon as it is over, and survives a restart', async () => {
    const { owner, public_id, credential } = await ownServer()
    await advanceToFullHour()
    await sampleMinutes(credential, 10, 20, 30)
    const current = await day(owner, public_id)
    expect([current.average.at(-1), current.highest.at(-1), current.peak?.players]).toEqual([20, 30, 30])
    await sampleMinutes(credential, 30, 30, 30, 30, 30, 30, 60)
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    await sampleMinutes(credential, ...Array.from({ length: 10 }, () => undefined))
    const offline = await day(owner, public_id)
    expect(offline.highest.at(-2)).toBe(60)
    expect([offline.average.at(-1), offline.online.at(-1)]).toEqual([null, 0])
    expect(offline.peak).toEqual({ players: 60, at: new Date(Date.parse(offline.from) + 142 * 600_000).toISOString(), seconds: 300 })
    await app.restart()
    expect((await day(owner, public_id)).highest.slice(-2)).toEqual(offline.highest.slice(-2))
    // Forty minutes without samples.
    app.clock.advance(40 * MINUTE_MS)
    await runSampler()
    const after = await day(owner, public_id)
    expect(after.online.slice(-4, -1)).toEqual([null, null, null])
    const admin = await app.signIn('admin')
    const list = await admin.call(history.ofList, { query: { range: '24h' } })
    expect(list.data.players.highest.slice(-6)).toEqual([60, 0, null, null, null, 0])
    expect((await admin.call(history.ofAdminServer, { params: { id: public_id }, query: {} })).data).toEqual(await day(owner, public_id))
  })

  test('before the registration of a server does not count as offline', async () => {
    await advanceToFullHour()
    app.clock.advance(30 * MINUTE_MS)
    await runSampler()
    const { owner, public_id, credential } = await ownServer()
    // The database’s clock does not advance.
    await app.db
      .updateTable('servers')
      .set({ created_at: new Date(app.clock.now()) })
      .where('public_id', '=', public_id)
      .execute()
    await owner.call(servers.change, { params: { id: public_id }, body: { description: 'New' } })
    await sampleMinutes(credential, 5, 5)
    const { uptime, online } = await day(owner, public_id)
    expect([uptime, online.at(-1), online.at(-2)]).toEqual([100, 100, null])
  })
})

describe('a server', () => {
  test('keeps its history in a transfer: only the new owner can read it', async () => {
    const { owner, public_id, credential } = await ownServer()
    const recipient = await app.newUser()
    await advanceToFullHour()
    await sampleMinutes(credential, 40, 41, 42)
    const before = await day(owner, public_id)
    const { id } = await offer(owner, public_id, recipient.id)
    expect((await recipient.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
    await sampleMinutes(credential, undefined, undefined)
    await app.restart()
    const after = await day(recipient, public_id)
    expect([after.average.at(-1), after.highest.at(-1)]).toEqual([before.average.at(-1), before.highest.at(-1)])
    expect(after.online.at(-1)).toBeLessThan(100)
    expect((await owner.call(history.ofServer, { params: { id: public_id }, query: {} })).status).toBe(404)
  })

  test('leaves no samples when deleted for good', async () => {
    const { owner, public_id, credential } = await ownServer()
    await seedHistory(app, public_id, { days: 20 })
    await sampleMinutes(credential, 3)
    expect((await owner.call(servers.remove, { params: { id: public_id } })).status).toBeLessThan(300)
    await runSampler()
    await emptyBin(app)
    await app.restart()
    expect(await app.db.selectFrom('player_buckets').selectAll().where('server_id', '=', public_id).execute()).toEqual([])
    expect((await owner.call(history.ofServer, { params: { id: public_id }, query: {} })).status).toBe(404)
    expect((await send(`${app.listUrl}/servers/${public_id}/avg/1d`)).status).toBe(404)
  })
})

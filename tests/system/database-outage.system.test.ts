/** A database that is cut off, hangs or becomes read-only, between a program and a real Postgres. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { me } from '#contract/users/users.ts'
import { type FaultProxy, startFaultProxy } from '#tests/fault-proxy.ts'
import { buildServer, newName } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom } from '#tests/list/send.ts'

/** Outages by cut connections; MUSTER_OUTAGES=1000 for a long run. */
const OUTAGES = Number(process.env.MUSTER_OUTAGES ?? 20)
/** A stalled connection takes longer to detect. */
const STALLS = Math.ceil(OUTAGES / 7)
/** Every call returns within three seconds, plus a margin for a busy machine. */
const MAX_RESPONSE_MS = 15_000

let proxy: FaultProxy
let app: TestApp
let user: SignedInUser
let credential: string

beforeAll(async () => {
  proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  app = await startApp({ LOG_LEVEL: 'warn' }, { postgres: proxy.connection })
  user = await app.newUser()
  credential = (await buildServer(user)).credential
  expect((await announceFrom(app, credential)).status).toBe(200)
})
afterAll(() => proxy.close())

const statusOf = async (path: string, base = app.panelUrl) => (await fetch(`${base}${path}`)).status

async function expectRejectedInTime(call: () => Promise<{ status: number; headers: Headers; error: unknown }>): Promise<void> {
  const began = performance.now()
  const { status, headers, error } = await call()
  expect(performance.now() - began).toBeLessThan(MAX_RESPONSE_MS)
  expect([status, error]).toEqual([503, expect.objectContaining({ statusCode: 503, isBusiness: false })])
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(2)
  expect(seconds).toBeLessThanOrEqual(8)
}

/** Holds from the first moment of an outage. */
async function expectOutageBehaviour(): Promise<true> {
  const [read, change, announced, list, health] = await Promise.all([
    expectRejectedInTime(() => user.call(me)),
    expectRejectedInTime(() => user.call(servers.create, { body: { name: newName() } })),
    announceFrom(app, credential, { playersCount: Math.floor(Math.random() * 100) }),
    fetch(`${app.listUrl}/servers`),
    statusOf('/healthz'),
  ])
  expect([read, change, announced.status, list.status, health]).toEqual([undefined, undefined, 200, 200, 200])
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(503)
  // Once the outage is detected, calls fail at once, and the list has an Age.
  await expect.poll(async () => (await fetch(`${app.listUrl}/servers`)).headers.get('age')).toMatch(/^\d+$/)
  await expectRejectedInTime(() => user.call(me))
  return true
}

async function expectRecovery(): Promise<void> {
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(200)
  expect((await user.call(me)).status).toBe(200)
  expect((await fetch(`${app.listUrl}/servers`)).headers.get('age')).toBeNull()
  const { public_id: publicId } = await buildServer(user)
  expect((await user.call(servers.remove, { params: { id: publicId } })).status).toBe(204)
}

test(
  'with cut connections, panel calls get 503 with Retry-After, the list and announces work, and everything recovers',
  async () => {
    for (let outage = 0; outage < OUTAGES; outage += 1) {
      proxy.cut()
      expect(await expectOutageBehaviour()).toBe(true)
      proxy.restore()
      await expectRecovery()
    }
    app.takeLogs()
  },
  OUTAGES * 10_000,
)

test(
  'the same holds with stalled connections',
  async () => {
    for (let outage = 0; outage < STALLS; outage += 1) {
      proxy.stall()
      expect(await expectOutageBehaviour()).toBe(true)
      proxy.restore()
      await expectRecovery()
    }
    app.takeLogs()
  },
  STALLS * 20_000,
)

test('with a read-only database, a change gets 503, the node is not ready, and announces are accepted', async () => {
  const name = sql.ref((await sql<{ name: string }>`select current_database() as name`.execute(app.db)).rows[0]?.name ?? '')
  const setReadOnly = async (isOn: boolean) => {
    await app.db.connection().execute(async (db) => {
      await sql`set transaction_read_only = off`.execute(db)
      await sql`set default_transaction_read_only = off`.execute(db)
      await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(isOn ? 'on' : 'off')}`.execute(db)
    })
    // Applies to new connections only.
    proxy.cut()
    proxy.restore()
  }
  await setReadOnly(true)
  await expectRejectedInTime(() => user.call(servers.create, { body: { name: newName() } }))
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(503)
  expect((await announceFrom(app, credential)).status).toBe(200)
  await setReadOnly(false)
  await expectRecovery()
  app.takeLogs()
})

test('a create during a cut is stored completely or not at all', async () => {
  const name = `Half ${randomUUID().slice(0, 8)}`
  const called = user.call(servers.create, { body: { name } })
  proxy.cut()
  const { status } = await called
  proxy.restore()
  await expectRecovery()
  const rows = await app.db.selectFrom('servers').select('public_id').where('name', '=', name).execute()
  // After a 200 the server exists. A server that exists has its credential.
  if (status === 200) expect(rows).toHaveLength(1)
  else expect(status).toBe(503)
  for (const { public_id: publicId } of rows)
    expect(await app.db.selectFrom('credentials').select('id').where('server_id', '=', publicId).execute()).toHaveLength(1)
  app.takeLogs()
})

/** A database that is cut off, hangs, or takes no changes for a while, between a real program and a real Postgres. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as servers from '#contract/servers.ts'
import { me } from '#contract/users.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { buildServer, newName } from './factories.ts'
import { type SignedIn, type TestApp, startApp } from './harness.ts'
import { announceFrom } from './list/send.ts'

/** How often each kind of outage comes; many more than this for a longer run: MUSTER_OUTAGES=1000. */
const OUTAGES = Number(process.env.MUSTER_OUTAGES ?? 20)
/** What is silent takes its time each time. */
const SILENCES = Math.ceil(OUTAGES / 7)
/** Every call is answered within three seconds; a busy machine takes a little more. */
const ANSWERED_MS = 4000

let wire: FaultProxy
let app: TestApp
let person: SignedIn
let credential: string

beforeAll(async () => {
  wire = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  app = await startApp({ LOG_LEVEL: 'warn' }, { reach: wire.connection })
  person = await app.someone()
  credential = (await buildServer(person)).credential
  expect((await announceFrom(app, credential)).status).toBe(200)
})
afterAll(() => wire.close())

const statusOf = async (path: string, base = app.panelUrl) => (await fetch(`${base}${path}`)).status

async function isRefusedInTime(call: () => Promise<{ status: number; headers: Headers; error: unknown }>): Promise<void> {
  const began = performance.now()
  const { status, headers, error } = await call()
  expect(performance.now() - began).toBeLessThan(ANSWERED_MS)
  expect([status, error]).toEqual([503, expect.objectContaining({ statusCode: 503, isBusiness: false })])
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(2)
  expect(seconds).toBeLessThanOrEqual(8)
}

/** What holds from the first moment on. */
async function holdsMeanwhile(): Promise<true> {
  const [read, change, announced, list, health] = await Promise.all([
    isRefusedInTime(() => person.call(me)),
    isRefusedInTime(() => person.call(servers.create, { body: { name: newName() } })),
    announceFrom(app, credential, { playersCount: Math.floor(Math.random() * 100) }),
    fetch(`${app.listUrl}/servers`),
    statusOf('/healthz'),
  ])
  expect([read, change, announced.status, list.status, health]).toEqual([undefined, undefined, 200, 200, 200])
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(503)
  // Once it is known that it is gone, nobody waits for it, and the list says how old it may be.
  await expect.poll(async () => (await fetch(`${app.listUrl}/servers`)).headers.get('age')).toMatch(/^\d+$/)
  await isRefusedInTime(() => person.call(me))
  return true
}

async function isWellAgain(): Promise<void> {
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(200)
  expect((await person.call(me)).status).toBe(200)
  expect((await fetch(`${app.listUrl}/servers`)).headers.get('age')).toBeNull()
  const { public_id: publicId } = await buildServer(person)
  expect((await person.call(servers.remove, { params: { id: publicId } })).status).toBe(204)
}

test(
  'a database whose connections are cut costs 503 with when to come again, never the list or an announce, and all is well when it is back',
  async () => {
    for (let outage = 0; outage < OUTAGES; outage += 1) {
      wire.cut()
      expect(await holdsMeanwhile()).toBe(true)
      wire.restore()
      await isWellAgain()
    }
    app.takeLogs()
  },
  OUTAGES * 10_000,
)

test(
  'the same of one that goes silent without a word',
  async () => {
    for (let outage = 0; outage < SILENCES; outage += 1) {
      wire.stall()
      expect(await holdsMeanwhile()).toBe(true)
      wire.restore()
      await isWellAgain()
    }
    app.takeLogs()
  },
  SILENCES * 20_000,
)

test('one that takes no changes, as a replica before it takes over, is answered with 503 where something would change', async () => {
  const name = sql.ref((await sql<{ name: string }>`select current_database() as name`.execute(app.db)).rows[0]?.name ?? '')
  const setReadOnly = async (isOn: boolean) => {
    await app.db.connection().execute(async (db) => {
      await sql`set transaction_read_only = off`.execute(db)
      await sql`set default_transaction_read_only = off`.execute(db)
      await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(isOn ? 'on' : 'off')}`.execute(db)
    })
    // It counts for new connections.
    wire.cut()
    wire.restore()
  }
  await setReadOnly(true)
  await isRefusedInTime(() => person.call(servers.create, { body: { name: newName() } }))
  await expect.poll(() => statusOf('/readyz'), { interval: 50 }).toBe(503)
  expect((await announceFrom(app, credential)).status).toBe(200)
  await setReadOnly(false)
  await isWellAgain()
  app.takeLogs()
})

test('a call whose database is gone half-way leaves nothing half done', async () => {
  const name = `Half ${randomUUID().slice(0, 8)}`
  const called = person.call(servers.create, { body: { name } })
  wire.cut()
  const { status } = await called
  wire.restore()
  await isWellAgain()
  const rows = await app.db.selectFrom('servers').select('public_id').where('name', '=', name).execute()
  // Said to be made, it is there with a credential; otherwise either all of it is there or nothing.
  if (status === 200) expect(rows).toHaveLength(1)
  else expect(status).toBe(503)
  for (const { public_id: publicId } of rows)
    expect(await app.db.selectFrom('credentials').select('id').where('server_id', '=', publicId).execute()).toHaveLength(1)
  app.takeLogs()
})

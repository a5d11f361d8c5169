/**
 * What is announced and shown while a save waits for the database. The writer is driven by hand, for what is to come between two of its
 * statements may not be a matter of when a beat comes; the database is a real one that is held.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { announced, credentialOf, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { createLog } from '#backend/platform/log.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { Attempts } from './attempts.ts'
import { MAX_BATCH, Writer } from './writer.ts'

let app: TestApp
let ownerId: string
let registry: Registry
let shown: ChangeLog
let writer: Writer
let made = 0

beforeAll(async () => {
  app = await startApp()
  ownerId = (await app.someone()).id
})
beforeEach(() => {
  registry = new Registry(75_000, now())
  shown = new ChangeLog()
  registry.onListChange = (server, how) => shown.enqueue(server, how)
  const others = { publishSaved: () => undefined, mergeNewer: () => Promise.resolve(), publishRejections: () => undefined }
  const alone = { databaseHealth: HEALTHY, bus: localBus('alone') }
  writer = new Writer({ db: app.db, ...alone, clock: app.clock, log: createLog('silent') }, registry, new Attempts(), others)
})

const now = () => ({ uptime: app.clock.uptime(), now: app.clock.now() })

async function register(count: number): Promise<ServerRecord[]> {
  const { rows } = await sql<{ id: string }>`
    insert into servers (public_id, owner_id, name, name_key) select 'R' || lpad(n::text, 6, '0'), ${ownerId}, 'Race ' || n, 'race ' || n
    from generate_series(${made}::int, ${made + count - 1}::int) n returning public_id as id`.execute(app.db)
  made += count
  return rows.map(({ id }) => registry.apply(fieldsOf(id, { ownerId }), [credentialOf(id, { id: randomUUID() })], now()))
}

function announce(server: ServerRecord, playersCount: number, version = '1'): void {
  for (const credential of server.credentials)
    registry.announce(server, credential, { ...announced, playersCount, setup: { ...announced.setup, version } }, '1.2.3.4', now())
}

const show = () => shown.commit(shown.drain(), app.clock.uptime())

/** Players and version. */
async function savedOf({ publicId }: ServerRecord): Promise<unknown> {
  const row = await app.db.selectFrom('presence').select('announce').where('server_id', '=', publicId).executeTakeFirstOrThrow()
  const { playersCount, version } = row.announce as Record<string, unknown>
  return [playersCount, version]
}

/** Resolves when a save is over that began before `act` and had got no further than this server's row until `act` was done. */
async function whileSaveWaitsFor({ publicId }: ServerRecord, act: () => void): Promise<void> {
  const isWaiting = async () => {
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%presence%'`
    return (await waits.execute(app.db)).rows.length > 0
  }
  const { saving } = await app.db.transaction().execute(async (trx) => {
    await sql`select from presence where server_id = ${publicId} for update`.execute(trx)
    const begun = writer.flush()
    await expect.poll(isWaiting).toBe(true)
    act()
    return { saving: begun }
  })
  await saving
}

test('however many changes of players are saved at once, what is announced meanwhile is saved after them and as a whole', async () => {
  const fleet = await register(MAX_BATCH + 1)
  const [first, last] = [fleet[0], fleet.at(-1)] as [ServerRecord, ServerRecord]
  for (const server of fleet) announce(server, 1)
  await writer.flush()
  show()
  for (const server of fleet) announce(server, 2)
  await whileSaveWaitsFor(first, () => announce(last, 3, 'next'))
  // Its new players beside its old version would be a state that nobody announced; whoever reads it has it for good.
  expect(await savedOf(last)).toEqual([2, '1'])
  expect(await savedOf(first)).toEqual([2, '1'])
  await writer.flush()
  expect(await savedOf(last)).toEqual([3, 'next'])
})

test('a server that players see for the first time while its change of players waits to be saved is saved with it', async () => {
  const [listed, coming] = (await register(2)) as [ServerRecord, ServerRecord]
  announce(listed, 1)
  await writer.flush()
  show()
  // Saved, and not shown yet, as one that announced while the save of a beat before its own was under way.
  announce(coming, 1)
  await writer.flush()
  announce(coming, 2)
  announce(listed, 2)
  // What the list does when a save takes long.
  await whileSaveWaitsFor(listed, show)
  expect(coming.published).toBeDefined()
  expect([await savedOf(listed), await savedOf(coming)]).toEqual([
    [2, '1'],
    [2, '1'],
  ])
})

/**
 * Announces and ticks while a save waits for the database. Tests call the writer directly, so that the order of events is fixed. The
 * database is real, with locked rows.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import { createLog } from '#backend/platform/log.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { Attempts } from './attempts.ts'
import { MAX_BATCH, Writer } from './writer.ts'

let app: TestApp
let ownerId: string
let registry: Registry
let log: ChangeLog
let writer: Writer
let registered = 0

beforeAll(async () => {
  app = await startApp()
  ownerId = (await app.newUser()).id
})
beforeEach(() => {
  registry = new Registry(75_000)
  log = new ChangeLog()
  registry.onListChange = (server, change) => log.enqueue(server, change)
  const others = { publishSaved: () => undefined, mergeNewer: () => Promise.resolve(), publishRejections: () => undefined }
  const singleNode = { databaseHealth: HEALTHY, bus: localBus('alone') }
  writer = new Writer({ db: app.db, ...singleNode, clock: app.clock, log: createLog('silent') }, registry, new Attempts(), others)
})

const now = () => ({ uptime: app.clock.uptime(), now: app.clock.now() })

async function register(count: number): Promise<ServerRecord[]> {
  const { rows } = await sql<{ id: string }>`
    insert into servers (public_id, owner_id, name, name_key) select 'R' || lpad(n::text, 6, '0'), ${ownerId}, 'Race ' || n, 'race ' || n
    from generate_series(${registered}::int, ${registered + count - 1}::int) n returning public_id as id`.execute(app.db)
  registered += count
  return rows.map(({ id }) => registry.apply(fieldsOf(id, { ownerId }), [credentialOf(id, { id: randomUUID() })], now()))
}

function announce(server: ServerRecord, playersCount: number, version = '1'): void {
  for (const credential of server.credentials)
    registry.announce(server, credential, { ...announced, playersCount, version }, addressOf(server.publicId), now())
}

const publish = () => log.commit(log.drain(), app.clock.uptime())

/** The saved players and version. */
async function savedOf({ publicId }: ServerRecord): Promise<unknown> {
  const row = await app.db.selectFrom('presence').select('announce').where('server_id', '=', publicId).executeTakeFirstOrThrow()
  const { playersCount, version } = row.announce as Record<string, unknown>
  return [playersCount, version]
}

/** Runs `act` while a save waits for this server's row. Resolves when that save has ended. */
async function whileSaveWaitsFor({ publicId }: ServerRecord, act: () => void): Promise<void> {
  const isWaiting = async () => {
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%presence%'`
    return (await waits.execute(app.db)).rows.length > 0
  }
  const { saving } = await app.db.transaction().execute(async (trx) => {
    await sql`select from presence where server_id = ${publicId} for update`.execute(trx)
    const flushing = writer.flush()
    await expect.poll(isWaiting).toBe(true)
    act()
    return { saving: flushing }
  })
  await saving
}

test('an announce during a save is saved completely', async () => {
  const fleet = await register(MAX_BATCH + 1)
  const [first, last] = [fleet[0], fleet.at(-1)] as [ServerRecord, ServerRecord]
  for (const server of fleet) announce(server, 1)
  await writer.flush()
  publish()
  for (const server of fleet) announce(server, 2)
  await whileSaveWaitsFor(first, () => announce(last, 3, 'next'))
  expect(await savedOf(first)).toEqual([2, '1'])
  await writer.flush()
  expect(await savedOf(last)).toEqual([3, 'next'])
})

/** How the program monitors its database. What clients see: tests/system/database-outage.system.test.ts. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '#backend/platform/log.ts'
import { connectMonitored } from './open.ts'

/** A proxy to the test's Postgres that counts connections. */
async function countingProxy() {
  let connections = 0
  const server = createServer((near) => {
    connections += 1
    const far = connect({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { config: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }, connections: () => connections }
}

test('an idle program probes only after more than three seconds', async () => {
  const { config, connections } = await countingProxy()
  const { db, databaseHealth } = connectMonitored(config, createLog('silent'))
  await sql`select 1`.execute(db)
  await sleep(3500)
  expect(connections()).toBe(1)
  await expect.poll(connections).toBe(2)
  await expect.poll(() => databaseHealth.lastResponseAgeMs).toBeLessThan(1000)
  await db.destroy()
})

test('a slow query starts a probe, and the database does not count as lost', async () => {
  const { config, connections } = await countingProxy()
  const { db, databaseHealth } = connectMonitored(config, createLog('silent'))
  const slow = sql`select pg_sleep(8)`.execute(db)
  await expect.poll(connections, { timeout: 7500 }).toBeGreaterThan(1)
  await slow
  expect(databaseHealth.isLost).toBe(false)
  await db.destroy()
})

test('an invalid connection configuration counts as an unavailable database and does not crash', async () => {
  const connection = { connectionString: 'postgres://localhost/muster?sslmode=verify-full&sslrootcert=/is/not/there' }
  const { db, databaseHealth } = connectMonitored(connection, createLog('silent'))
  await expect(sql`select 1`.execute(db)).rejects.toThrow('ENOENT')
  await expect.poll(() => databaseHealth.isLost).toBe(true)
  await db.destroy()
})

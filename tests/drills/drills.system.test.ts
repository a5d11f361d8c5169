/**
 * Faults of nodes, of the database and of its disk, under load. Nothing acknowledged is lost, and everything recovers by itself. Only a kill
 * fails announces or reads of the list. `npm run test:system -- drills` prints a row each.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#tests/cluster/cluster.ts'
import { registerServers } from '#tests/cluster/fleet.ts'
import { roundRobin } from '#tests/cluster/load-balancer.ts'
import { startReplica } from '#tests/cluster/replica.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { closeAfterTest } from '#tests/running.ts'
import { Drill } from './drill.ts'

/** `--full` kills a hundred times, and lets faults last longer. */
const KILLS = Number(process.env.MUSTER_DRILL_KILLS ?? 2)
const FAULT_MS = Number(process.env.MUSTER_DRILL_MS ?? 3000)
const SERVERS = 60

let cluster: Cluster
let drill: Drill

beforeAll(async () => {
  cluster = await startCluster(2, { DRAIN_SECONDS: '1' })
  const servers = await registerServers(cluster.db, SERVERS)
  drill = await Drill.prepare(cluster, await roundRobin(cluster.nodes), servers)
}, 300_000)

test('a node is killed and starts again', { timeout: 1_800_000 }, async () => {
  const problems = await drill.run({
    name: `kill -9 of a node, ${KILLS} times`,
    // A call that the killed node had received gets no answer, or none before the load balancer has noticed.
    mayFail: ['announce', 'list', 'read', 'change'],
    async run() {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const node = cluster.nodes[kill % 2]
        await node?.kill()
        await node?.start()
        // Until the load balancer has noticed.
        await sleep(1000)
      }
    },
  })
  expect(problems).toEqual([])
})

test('the database is killed and starts again', async () => {
  const problems = await drill.run({
    name: 'database stopped',
    mayFail: ['read', 'change'],
    async run() {
      await cluster.crashDatabase()
      await sleep(FAULT_MS)
      await cluster.startDatabase()
    },
  })
  expect(problems).toEqual([])
})

test('the database hangs', async () => {
  const problems = await drill.run({
    name: 'database hung',
    mayFail: ['read', 'change'],
    async run() {
      for (const { databaseProxy } of cluster.nodes) databaseProxy.stall()
      await sleep(FAULT_MS * 2)
      for (const { databaseProxy } of cluster.nodes) databaseProxy.restore()
    },
  })
  expect(problems).toEqual([])
})

test('the disk of the database is full', async () => {
  const problems = await drill.run({
    name: 'disk full',
    mayFail: ['change'],
    async run() {
      // Writes fail as they do on a full disk.
      await sql`create function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(cluster.db)
      for (const table of ['all_servers', 'presence', 'activity'])
        await sql`create trigger no_room before insert or update on ${sql.table(table)} execute function no_room()`.execute(cluster.db)
      await sleep(FAULT_MS)
      await sql`drop function no_room cascade`.execute(cluster.db)
    },
  })
  expect(problems).toEqual([])
})

test('a newer node migrates the database beside older ones', async () => {
  const problems = await drill.run({
    name: 'newer schema beside running nodes',
    mayFail: [],
    async run() {
      await sql`alter table all_servers add column later text`.execute(cluster.db)
      await cluster.db
        .insertInto('schema_migrations')
        .values({ name: '9001_later', digest: '', compatible_with: '1.3.1', compatible_level: SCHEMA_LEVEL })
        .execute()
      await cluster.nodes[0]?.stop()
      await cluster.nodes[0]?.start()
      await sleep(FAULT_MS)
    },
  })
  expect(problems).toEqual([])
})

test('the database fails over to a replica', async () => {
  const replica = await startReplica(cluster.folder)
  closeAfterTest(() => replica.close())
  const problems = await drill.run({
    name: 'failover to a replica',
    mayFail: ['read', 'change'],
    async run() {
      // Acknowledged changes reach the replica first, as with synchronous replication.
      for (const { databaseProxy } of cluster.nodes) databaseProxy.cut()
      await replica.caughtUp()
      await cluster.crashDatabase()
      await replica.promote()
      await cluster.failOver(replica.folder)
    },
  })
  expect(problems).toEqual([])
  expect((await cluster.db.selectFrom('users').select('id').limit(1).execute()).length).toBe(1)
})

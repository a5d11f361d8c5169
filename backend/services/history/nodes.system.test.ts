/** Sampling by two complete nodes: one writes, and the other takes over when it stops. */
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, readOne } from '#tests/list/send.ts'
import { until } from '#tests/program.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

/** Identifies a node by a setting of its connections, which Postgres can read. */
const connectionNamed = (name: string) => ({ host: inject('socketFolder'), port: 5432, options: `-c test.node=${name}` })

test('one of two nodes writes the minutes; the other takes over without a gap', async () => {
  const app = await startApp({}, { isShared: true, postgres: connectionNamed('first') })
  const other = await app.addNode({ postgres: connectionNamed('second') })
  await sql`create table writers (name text primary key)`.execute(app.db)
  await sql`
    create function note_writer() returns trigger language plpgsql as $$ begin
      insert into writers values (current_setting('test.node')) on conflict do nothing;
      return null;
    end $$`.execute(app.db)
  await sql`create trigger note_writer after insert or update on player_buckets for each statement execute function note_writer()`.execute(
    app.db,
  )
  const writers = async () => (await sql<{ name: string }>`select name from writers order by 1`.execute(app.db)).rows.map((row) => row.name)

  const owner = await app.newUser()
  const { public_id, credential } = await buildServer(owner)
  // Starts at a full hour, so that the following minutes begin with a whole bucket.
  app.clock.advance(HOUR_MS - (app.clock.now() % HOUR_MS))
  let players = 0
  const highest = async () =>
    (await sql<{ highest: number | null }>`select max(highest) as highest from player_buckets`.execute(app.db)).rows[0]?.highest
  /** Advances by minutes; each is stored before the next begins. */
  const sampleMinutes = async (count: number, ...nodes: readonly { readonly listUrl: string }[]) => {
    for (let minute = 0; minute < count; minute += 1) {
      players += 1
      const node = nodes[minute % nodes.length]
      expect((await announceFrom({ listUrl: node?.listUrl ?? '' }, credential, { playersCount: players })).status).toBe(200)
      for (const each of nodes) await until(async () => (await readOne(each, public_id)).playersCount === players)
      app.clock.advance(MINUTE_MS)
      await until(async () => (await highest()) === players)
    }
  }
  await sampleMinutes(6, app, other)
  expect(await writers()).not.toContain('second')
  await app.restart(async () => {
    // A node writes its samples when it stops.
    expect(await writers()).toEqual(['first'])
    // The other node samples meanwhile.
    await until(async () => (await app.db.selectFrom('leases').selectAll().execute()).length > 0)
    await sampleMinutes(3, other)
    await other.close()
  })
  expect(await writers()).toEqual(['first', 'second'])
  const buckets = await app.db
    .selectFrom('player_buckets')
    .select(['online', 'sampled', 'highest'])
    .where('server_id', '=', public_id)
    .where('bucket_minutes', '=', 5)
    .orderBy('at')
    .execute()
  // The last node has sampled all minutes, so no bucket has a gap.
  expect(buckets.map(({ highest }) => highest).at(-1)).toBe(players)
  expect(buckets.slice(1, -1).every(({ online }) => online === 5)).toBe(true)
  expect(buckets.reduce((sum, { sampled }) => sum + sampled, 0)).toBeGreaterThanOrEqual(players)
})

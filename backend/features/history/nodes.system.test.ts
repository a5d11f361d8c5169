/** Sampling by two complete nodes: one writes, and the other takes over when it stops. */
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import * as history from '#contract/history.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, readOne } from '#tests/list/send.ts'
import { until } from '#tests/program.ts'
import { HOUR_MS, MINUTE_MS, startOf } from './time.ts'

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
  await sql`create trigger note_writer after insert or update on player_samples for each statement execute function note_writer()`.execute(
    app.db,
  )
  const writers = async () => (await sql<{ name: string }>`select name from writers order by 1`.execute(app.db)).rows.map((row) => row.name)

  const owner = await app.newUser()
  const { public_id, credential } = await buildServer(owner)
  // Starts at a full hour, so that the following minutes fall into one row.
  app.clock.advance(HOUR_MS - (app.clock.now() % HOUR_MS))
  const hour = new Date(startOf(app.clock.now(), HOUR_MS))
  let players = 0
  /** Advances by minutes; every node samples each minute before the next begins. */
  const sampleMinutes = async (count: number, ...nodes: readonly { readonly panelUrl: string; readonly listUrl: string }[]) => {
    for (let minute = 0; minute < count; minute += 1) {
      players += 1
      const node = nodes[minute % nodes.length]
      expect((await announceFrom({ listUrl: node?.listUrl ?? '' }, credential, { playersCount: players })).status).toBe(200)
      for (const each of nodes) await until(async () => (await readOne(each, public_id)).playersCount === players)
      app.clock.advance(MINUTE_MS)
      for (const { panelUrl } of nodes)
        await until(async () => {
          const { data } = await owner.at({ panelUrl }).call(history.ofServer, { params: { id: public_id }, query: { range: '24h' } })
          return data.peak?.players === players
        })
    }
  }
  await sampleMinutes(3, app, other)
  expect(await writers()).not.toContain('second')
  await app.restart(async () => {
    // A node writes its samples when it stops.
    expect(await writers()).toEqual(['first'])
    await sampleMinutes(3, other)
    await other.close()
  })
  expect(await writers()).toEqual(['first', 'second'])
  const row = await app.db
    .selectFrom('player_samples')
    .select('players')
    .where('server_id', '=', public_id)
    .where('hour', '=', hour)
    .executeTakeFirst()
  const all = row?.players ?? []
  // Nodes sample a minute at different moments, so the first one may already have the next number.
  const sampled = all.slice(
    all.findIndex((count) => count > 0),
    all.lastIndexOf(players) + 1,
  )
  expect(sampled.length).toBeGreaterThanOrEqual(players)
  expect(
    sampled.every((count, minute) => count > 0 && count >= (sampled[minute - 1] ?? 0)),
    sampled.join(' '),
  ).toBe(true)
})

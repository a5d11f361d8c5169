/** A shared database of an earlier program, whose live states were unlogged, keeps them and logs them from now on. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { formerDatabase } from '#tests/former-database.ts'
import { migrateToLatest } from './migrate.ts'

const OWNER = '0198c000-0000-7000-8000-000000000001'

test('unlogged live states are kept and logged', async () => {
  const { db } = await formerDatabase(26)
  await sql
    .raw(`
    alter table presence set unlogged;
    insert into users (id, discord_id, username) values ('${OWNER}', '1', 'alice');
    insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', '${OWNER}', 'One', 'one');
    insert into presence (server_id, online, since, ended_by, last_announce_at, address, announce, changed_at, registered_at)
      values ('Aaaaaaa', true, now(), '', now(), '192.0.2.1', '{"playersCount": 7}', now(), now())`)
    .execute(db)
  await migrateToLatest(db)
  const { rows } = await sql`
    select relpersistence, (select json_agg(players) from presence) as players from pg_class where oid = 'presence'::regclass`.execute(db)
  expect(rows).toEqual([{ relpersistence: 'p', players: [7] }])
})

/** A database of an earlier program keeps every bound address. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { formerDatabase } from '#tests/former-database.ts'
import { migrateToLatest } from './migrate.ts'

const OWNER = '0198c000-0000-7000-8000-000000000001'
const credential = (index: number) => `0198c000-0000-7000-8000-00000000010${index}`

test('bound addresses stay bound, each in its family, since the same time', async () => {
  const { db } = await formerDatabase(27)
  await sql
    .raw(`
    insert into users (id, discord_id, username) values ('${OWNER}', '1', 'alice');
    insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', '${OWNER}', 'One', 'one');
    insert into credentials (id, server_id, hash, hint, grace_until, revoked_at) values
      ('${credential(1)}', 'Aaaaaaa', '\\x01', 'aaaa', null, null), ('${credential(2)}', 'Aaaaaaa', '\\x02', 'bbbb', now(), null),
      ('${credential(3)}', 'Aaaaaaa', '\\x03', 'cccc', null, now());
    insert into credential_uses (credential_id, bound_address, bound_at, last_used_at) values
      ('${credential(1)}', '192.0.2.1', '2026-11-01', '2026-11-02'), ('${credential(2)}', '2001:db8::7', null, '2026-11-02'),
      ('${credential(3)}', null, null, '2026-11-03');
    insert into presence (server_id, online, since, ended_by, last_announce_at, address, announce, changed_at, registered_at)
      values ('Aaaaaaa', true, now(), '', now(), '192.0.2.1', '{"port": 7788}', now(), now())`)
    .execute(db)
  await migrateToLatest(db)
  const { rows } = await sql`
    select credential_id, host(address) as address, family, bound_at from credential_addresses order by credential_id`.execute(db)
  expect(rows).toEqual([
    { credential_id: credential(1), address: '192.0.2.1', family: 4, bound_at: new Date('2026-11-01T00:00:00Z') },
    { credential_id: credential(2), address: '2001:db8::7', family: 6, bound_at: new Date('2026-11-02T00:00:00Z') },
  ])
  const uses = await db.selectFrom('credential_uses').select('credential_id').execute()
  expect(uses).toHaveLength(3)
  expect(await db.selectFrom('servers').select('address_policy').execute()).toEqual([{ address_policy: 'bound' }])
})

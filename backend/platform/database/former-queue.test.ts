/** A database whose deliveries were jobs of the library graphile-worker migrates without losing any. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { formerDatabase } from '#tests/former-database.ts'
import { migrateToLatest } from './migrate.ts'
import type { Db } from './open.ts'

const OWNER = '0198c000-0000-7000-8000-000000000001'
const WEBHOOK = '0198c000-0000-7000-8000-000000000002'

/** At the level before deliveries were a queue of their own. */
async function databaseWithJobs(): Promise<Db> {
  const { db } = await formerDatabase(23)
  await sql
    .raw(`
    insert into users (id, discord_id, username) values ('${OWNER}', '1', 'alice');
    insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', '${OWNER}', 'One', 'one');
    insert into webhooks (id, owner_id, name, kind, url, events, server_ids, offline_after_seconds, secret)
      values ('${WEBHOOK}', '${OWNER}', 'Hook', 'standard', 'https://a.example/', '{server.offline}', '{}', 180, 'whsec_x');
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, body, next_attempt_at)
      values (gen_random_uuid(), '${WEBHOOK}', 'evt_1', 'server.offline', '{}', now());
    insert into webhook_server_states values ('${WEBHOOK}', 'Aaaaaaa', true, true, true, 'a');
    insert into notification_server_states values ('Aaaaaaa', '${OWNER}', false, true, 'b');
    create schema graphile_worker;
    create table graphile_worker._private_tasks (id int primary key, identifier text not null);
    create table graphile_worker._private_jobs (
      id bigint primary key, task_id int not null, payload json not null, run_at timestamptz not null default now(), attempts int not null, max_attempts int not null);
    insert into graphile_worker._private_tasks values (1, 'deliver-webhook'), (2, 'notify-operator');
    insert into graphile_worker._private_jobs (id, task_id, payload, attempts, max_attempts)
      values (1, 1, '{"id": "x"}', 0, 25), (2, 2, '{"id": "evt_2", "body": "{\\"type\\": \\"operator.job_failed\\"}"}', 1, 25),
        (3, 2, '{"id": "evt_3", "body": "{}"}', 25, 25)`)
    .execute(db)
  return db
}

const hasSchema = async (db: Db) => {
  const { rows } = await sql<{ has: boolean }>`select to_regnamespace('graphile_worker') is not null as has`.execute(db)
  return rows[0]?.has
}

test('waiting deliveries of users and operators stay, and so do the states of servers', async () => {
  const db = await databaseWithJobs()
  await migrateToLatest(db)
  const deliveries = await db.selectFrom('webhook_deliveries').select(['webhook_id', 'event_id', 'state', 'body']).orderBy('seq').execute()
  expect(deliveries).toEqual([
    { webhook_id: WEBHOOK, event_id: 'evt_1', state: 'pending', body: '{}' },
    { webhook_id: '00000000-0000-0000-0000-000000000000', event_id: 'evt_2', state: 'pending', body: '{"type": "operator.job_failed"}' },
  ])
  const states = await db.selectFrom('server_watch_states').selectAll().orderBy('is_offline').execute()
  const row = { server_id: 'Aaaaaaa', user_id: OWNER, is_listed: true }
  expect(states).toEqual([
    { ...row, webhook_id: null, is_offline: false, is_above: false, is_shared: false, binding: 'b' },
    { ...row, webhook_id: WEBHOOK, is_offline: true, is_above: true, is_shared: false, binding: 'a' },
  ])
  expect(await hasSchema(db)).toBe(false)
})

test('jobs of another program on the same database stay', async () => {
  const db = await databaseWithJobs()
  await sql`insert into graphile_worker._private_tasks values (3, 'send-email')`.execute(db)
  await migrateToLatest(db)
  expect(await hasSchema(db)).toBe(true)
})

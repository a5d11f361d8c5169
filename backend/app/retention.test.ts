/** `AUDIT_DAYS`, `SESSION_DAYS` and `DELIVERY_DAYS`: what the jobs delete, and what they and everything else keep. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as about from '#contract/public-site/about.ts'
import * as users from '#contract/users/users.ts'
import { readEnv } from '#backend/platform/env.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { buildWebhook, deliveriesOf } from '#tests/webhook-calls.ts'
import { type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

const DAY_MS = 86_400_000

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({ AUDIT_DAYS: '60', SESSION_DAYS: '7', DELIVERY_DAYS: '3' }, { postPublic: host.postPublic })
})
afterAll(() => host.close())

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

describe('the audit log', () => {
  const insert = (days: number, count = 1) =>
    sql`insert into activity (at, action, role, server_name) select ${daysAgo(days)}::timestamptz, 'SERVER_CREATED', 'owner', ${`of ${days}`}
      from generate_series(1, ${count}::integer)`.execute(app.db)
  const ages = async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct server_name as name from activity where server_name like 'of %' order by 1`.execute(app.db)
    return rows.map(({ name }) => name)
  }

  test('loses what is older than AUDIT_DAYS, in batches, and nothing else', async () => {
    // One more than a batch.
    await insert(61, 5001)
    for (const days of [59.9, 60.1, 1]) await insert(days)
    await app.runJob('delete-old-activity')
    expect(await ages()).toEqual(['of 1', 'of 59.9'])
  })

  test.each([
    ['without naming the days', undefined],
    ['that is newer than the named days', '70'],
    ['if the days are fewer than 30', '29'],
    ['if the days are empty', ''],
  ])('rejects deleting a row %s', async (_, days) => {
    await insert(65)
    const attempt = app.db.transaction().execute(async (trx) => {
      if (days !== undefined) await sql`select set_config('muster.audit_days', ${days}, true)`.execute(trx)
      await sql`delete from activity where server_name = 'of 65'`.execute(trx)
    })
    await expect(attempt).rejects.toThrow('The audit log is append-only.')
    expect(await ages()).toContain('of 65')
  })

  test('rejects changing and emptying it in a transaction that may delete', async () => {
    for (const statement of [sql`update activity set action = 'X' where server_name = 'of 65'`, sql`truncate activity`]) {
      const attempt = app.db.transaction().execute(async (trx) => {
        await sql`set local muster.audit_days = '60'`.execute(trx)
        await statement.execute(trx)
      })
      await expect(attempt).rejects.toThrow('The audit log is append-only.')
    }
  })

  test('is kept forever without AUDIT_DAYS', async () => {
    const other = await startApp()
    await sql`insert into activity (at, action, role) values (${daysAgo(9999)}::timestamptz, 'SERVER_CREATED', 'owner')`.execute(other.db)
    await other.runJob('delete-old-activity')
    expect((await sql`select from activity where at < ${daysAgo(9000)}::timestamptz`.execute(other.db)).rows).toHaveLength(1)
  })
})

describe('a session', () => {
  test('ends SESSION_DAYS after its last use, as its cookie does, and use extends both', async () => {
    const user = await app.signIn('visitor')
    const expiry = async () => {
      const { expires_at } = await app.db
        .selectFrom('sessions')
        .select('expires_at')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      return (expires_at.getTime() - app.clock.now()) / DAY_MS
    }
    expect(await expiry()).toBeCloseTo(7, 2)
    app.clock.advance(DAY_MS)
    expect(await expiry()).toBeCloseTo(6, 2)
    const used = await user.fetch('/api/auth/me')
    expect(used.headers.getSetCookie().join()).toContain(`Max-Age=${7 * 86_400}`)
    expect(await expiry()).toBeCloseTo(7, 2)
  })

  test('that began with a longer SESSION_DAYS ends by the current one', async () => {
    const [stale, fresh] = [await app.signIn('stale'), await app.signIn('fresh')]
    const use = (id: string, days: number) =>
      app.db
        .updateTable('sessions')
        .set({ last_seen_at: daysAgo(days), expires_at: daysAgo(days - 30) })
        .where('user_id', '=', id)
        .execute()
    await use(stale.id, 7.1)
    await use(fresh.id, 6.9)
    await app.runJob('delete-expired-sign-ins')
    expect((await stale.call(users.me)).status).toBe(403)
    expect((await fresh.call(users.me)).status).toBe(200)
  })
})

test('the log of deliveries goes back DELIVERY_DAYS, and what still waits is kept', async () => {
  const owner = await app.newUser()
  const webhook = await buildWebhook(owner, { events: ['account.banned'] })
  const row = { webhook_id: webhook.id, event_type: 'server.created', body: '{}' }
  const rows = [
    { event_id: 'newer', state: 'succeeded', created_at: daysAgo(2.9) },
    { event_id: 'older', state: 'failed', created_at: daysAgo(3.1) },
    { event_id: 'waits', state: 'pending', created_at: daysAgo(4), next_attempt_at: daysAgo(-1) },
  ]
  await app.db
    .insertInto('webhook_deliveries')
    .values(rows.map((own) => ({ ...row, id: randomUUID(), ...own })))
    .execute()
  expect((await deliveriesOf(owner, webhook)).map((delivery) => delivery.event_id)).toEqual(['waits', 'newer'])
  await app.runJob('delete-old-deliveries')
  const left = await app.db
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('webhook_id', '=', webhook.id)
    .orderBy('seq')
    .execute()
  expect(left.map((delivery) => delivery.event_id)).toEqual(['newer', 'waits'])
  expect((await app.anonymous.call(about.about)).data.delivery_days).toBe(3)
})

test.each([
  ['AUDIT_DAYS', '0', 'AUDIT_DAYS must be a whole number of days from 30 to 36500. Leave it out to keep everything.'],
  ['AUDIT_DAYS', '29', 'AUDIT_DAYS must be a whole number of days from 30 to 36500. Leave it out to keep everything.'],
  ['SESSION_DAYS', '0.5', 'SESSION_DAYS must be a whole number of days from 1 to 365.'],
  ['SESSION_DAYS', '366', 'SESSION_DAYS must be a whole number of days from 1 to 365.'],
  ['DELIVERY_DAYS', 'all', 'DELIVERY_DAYS must be a whole number of days from 1 to 365.'],
])('rejects %s=%s with the limits', (name, value, sentence) => {
  expect(() => readEnv({ [name]: value })).toThrow(sentence)
})

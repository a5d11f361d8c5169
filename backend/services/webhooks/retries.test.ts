/** Failed deliveries: when they are tried again, when a webhook is disabled, and the log. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { buildWebhook, deliveriesOf, getWebhook, paramsOf, rejectionOf } from '#tests/webhook-calls.ts'
import { type ReceiverHost, makeDeliveriesDue, startReceiverHost } from '#tests/webhook-receiver.ts'
import { RETRY_SECONDS, nextAttemptAfter } from './retry-schedule.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

describe('a failed delivery', () => {
  test('is tried again after 5 s, 30 s, 5 min, 30 min, 2 h, 8 h and 24 h with jitter, then never', () => {
    expect(RETRY_SECONDS).toEqual([5, 30, 300, 1800, 7200, 28_800, 86_400])
    const at = new Date(0)
    for (const [index, seconds] of RETRY_SECONDS.entries()) {
      expect(nextAttemptAfter(index + 1, at, 0)).toEqual(new Date(seconds * 1000))
      expect(nextAttemptAfter(index + 1, at, 1)).toEqual(new Date(seconds * 1100))
    }
    expect(nextAttemptAfter(8, at)).toBeUndefined()
  })

  test('keeps its ID, counts its attempts, and ends after eight', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 500, body: 'broken' })
    await buildServer(owner)
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt, { timeout: 5000 }).toBe(attempt)
      const [delivery] = await deliveriesOf(owner, webhook)
      const seconds = RETRY_SECONDS[attempt - 1]
      if (seconds !== undefined) {
        const pause = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.attempted_at ?? '') - (delivery?.duration_ms ?? 0)
        expect(pause).toBeGreaterThanOrEqual(seconds * 1000 - 1)
        expect(pause).toBeLessThanOrEqual(seconds * 1100 + 1)
      }
      await makeDeliveriesDue(app)
    }
    const [last] = await deliveriesOf(owner, webhook)
    expect(last).toMatchObject({
      state: 'failed',
      next_attempt_at: null,
      error: 'The receiver answered with status 500.',
      response: { body: 'broken' },
    })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('can be sent again by hand', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 500 })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    receiver.answer({})
    const [failed] = await deliveriesOf(owner, webhook)
    const retried = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: failed?.id ?? '' } })
    expect(retried.data).toMatchObject({ id: failed?.id, state: 'pending' })
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]).toMatchObject({ state: 'succeeded', attempt: 2 })
    expect(await deliveriesOf(owner, webhook)).toHaveLength(1)
    await owner.call(webhooks.change, { ...paramsOf(webhook), body: { enabled: false } })
    const rejected = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: failed?.id ?? '' } })
    expect(rejectionOf(rejected)).toEqual({ status: 409, errors: ['This webhook is disabled. Enable it first.'] })
  })

  test('with 410 disables the webhook at once, with a reason and an entry in the activity', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 410 })
    await buildServer(owner)
    await expect.poll(async () => (await getWebhook(owner, webhook))?.enabled).toBe(false)
    expect((await getWebhook(owner, webhook))?.disabled_reason).toBe('The receiver answered 410 Gone.')
    expect((await owner.call(activity.ofAccount)).data[0]).toMatchObject({ action: 'WEBHOOK_DISABLED', as: 'system' })
    await buildServer(owner)
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'failed', attempt: 1 }])
    const enabled = await owner.call(webhooks.change, { ...paramsOf(webhook), body: { enabled: true } })
    expect(enabled.data).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test.each([
    ['in seconds', '120', 120],
    ['as a date', () => new Date(Date.now() + 300_000).toUTCString(), 300],
    ['that is too long, for an hour', '99999', 3600],
  ])('waits for Retry-After %s, and so do later ones', async (_what, given, seconds) => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 503, headers: { 'retry-after': typeof given === 'string' ? given : given() } })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    await buildServer(owner)
    const waits = async () =>
      (await deliveriesOf(owner, webhook)).map(({ attempt, next_attempt_at: at }) => [
        attempt,
        Math.round((Date.parse(at ?? '') - Date.now()) / 10_000),
      ])
    await expect.poll(waits).toEqual([
      [0, Math.round(seconds / 10)],
      [1, Math.round(seconds / 10)],
    ])
    expect(receiver.received).toHaveLength(1)
    // The owner can send one again by hand.
    const [, first] = await deliveriesOf(owner, webhook)
    await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: first?.id ?? '' } })
    await expect.poll(() => receiver.received.length).toBe(2)
    // A new receiver did not ask for it, and gets what waited.
    const moved = host.open()
    await owner.call(webhooks.change, { ...paramsOf(webhook), body: { url: moved.url } })
    await buildServer(owner)
    await expect.poll(() => moved.received.length).toBe(2)
  })

  test.each(['0', 'soon', '-5'])('with Retry-After %j is tried again as planned', async (given) => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 500, headers: { 'retry-after': given } })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    const [delivery] = await deliveriesOf(owner, webhook)
    expect(Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.attempted_at ?? '')).toBeLessThan(7000)
  })

  test('disables the webhook after five days without a success', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer({ status: 503 })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    expect((await getWebhook(owner, webhook))?.enabled).toBe(true)
    await app.db
      .updateTable('webhooks')
      .set({ failing_since: new Date(Date.now() - 5 * 86_400_000) })
      .where('id', '=', webhook.id)
      .execute()
    await makeDeliveriesDue(app)
    await expect
      .poll(async () => (await getWebhook(owner, webhook))?.disabled_reason, { timeout: 5000 })
      .toBe('No delivery succeeded for 5 days.')
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'failed', next_attempt_at: null }])
  })
})

test('of more than 1,000 waiting deliveries, the oldest is skipped', async () => {
  const owner = await app.newUser()
  const [webhook, other] = [await buildWebhook(owner), await buildWebhook(owner, { events: ['account.banned'] })]
  const row = { event_type: 'server.created', body: '{}', next_attempt_at: new Date(Date.now() + 3_600_000) }
  const rows = [webhook, other].flatMap(({ id }) =>
    Array.from({ length: 1000 }, (_, n) => ({ ...row, id: randomUUID(), webhook_id: id, event_id: `evt_${n}` })),
  )
  await app.db.insertInto('webhook_deliveries').values(rows).execute()
  await buildServer(owner)
  const skipped = await app.db
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'event_id', 'state', 'next_attempt_at'])
    .where('error', '=', 'Skipped, because too many deliveries were waiting.')
    .execute()
  expect(skipped).toEqual([{ webhook_id: webhook.id, event_id: 'evt_0', state: 'failed', next_attempt_at: null }])
})

test('a new URL has five days too', async () => {
  const [owner, receiver] = [await app.newUser(), host.open()]
  const webhook = await buildWebhook(owner, { url: receiver.url })
  const query = app.db.updateTable('webhooks').where('id', '=', webhook.id)
  await query.set({ failing_since: new Date(Date.now() - 5 * 86_400_000) }).execute()
  const moved = host.open()
  moved.answer({ status: 500 })
  await owner.call(webhooks.change, { ...paramsOf(webhook), body: { url: moved.url } })
  await buildServer(owner)
  await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
  expect((await getWebhook(owner, webhook))?.enabled).toBe(true)
})

test('the log has the last 100 deliveries of at most 30 days, and the job deletes the others', async () => {
  const owner = await app.newUser()
  const webhook = await buildWebhook(owner, { events: ['account.banned'] })
  const row = { webhook_id: webhook.id, event_type: 'server.created', body: '{}', state: 'succeeded' }
  const rows = Array.from({ length: 104 }, (_, n) => ({ ...row, id: randomUUID(), event_id: `evt_${n}` }))
  await app.db.insertInto('webhook_deliveries').values(rows).execute()
  await app.db
    .updateTable('webhook_deliveries')
    .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
    .where('event_id', '=', 'evt_103')
    .execute()
  const ids = (await deliveriesOf(owner, webhook)).map((delivery) => delivery.event_id)
  expect(ids).toHaveLength(100)
  expect(ids[0]).toBe('evt_102')
  await app.runJob('delete-old-deliveries')
  const { n } = await app.db
    .selectFrom('webhook_deliveries')
    .select((q) => q.fn.countAll().as('n'))
    .where('webhook_id', '=', webhook.id)
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(100)
})

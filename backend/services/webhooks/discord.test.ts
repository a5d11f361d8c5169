/** Webhooks of Discord: messages, languages and limits. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { m } from '#api-messages'
import * as activity from '#contract/events/activity.ts'
import * as preferences from '#contract/users/preferences.ts'
import * as servers from '#contract/servers/servers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { buildWebhook, deliveriesOf, getWebhook, paramsOf } from '#tests/webhook-calls.ts'
import { type Received, type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

describe('Discord', () => {
  test('gets an embed without mentions', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/70/embed')]
    const webhook = await buildWebhook(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/70/embed' })
    const server = await buildServer(owner, { name: 'Town @everyone **7**' })
    await expect.poll(() => receiver.received.length).toBe(1)
    const [delivery] = receiver.received as [Received]
    expect(JSON.parse(delivery.body)).toEqual({
      embeds: [
        {
          title: 'Server created',
          description: 'A server was created or restored.',
          color: 0x2f_9e_5b,
          url: `http://localhost:0/servers/${server.public_id}`,
          timestamp: expect.any(String),
          fields: [{ name: 'Server', value: String.raw`Town \@everyone \*\*7\*\*` }],
        },
      ],
      allowed_mentions: { parse: [] },
    })
    expect(Object.keys(delivery.headers).filter((name) => name.startsWith('webhook-'))).toEqual([])
    expect((await owner.call(webhooks.sendTest, paramsOf(webhook))).data).toMatchObject({ state: 'succeeded' })
  })

  test('gets its texts in the language that the owner chose', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/71/german')]
    const webhook = await buildWebhook(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/71/german' })
    await owner.call(preferences.change, { body: { language: 'de' } })
    await owner.call(webhooks.sendTest, paramsOf(webhook))
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(2)
    const descriptions = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { embeds: { description: string }[] }).embeds[0]?.description,
    )
    const expected = [m.event_webhook_test_description, m.event_server_created_description].map((text) => text({}, { locale: 'de' }))
    expect(descriptions).toEqual(
      expected.map((text) => text.replaceAll(/[.-]/g, (character) => (character === '-' ? String.raw`\-` : character))),
    )
  })

  test('that answers 429 gets the message after retry_after, without a counted attempt', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/72/busy')]
    const webhook = await buildWebhook(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/72/busy' })
    receiver.answer({ status: 429, body: '{"message":"slow down","retry_after":1.5}' })
    const startedAt = Date.now()
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.answer({})
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.state).toBe('succeeded')
    expect((await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    expect(Date.now() - startedAt).toBeGreaterThan(1400)
  })

  test('that answers 429 gets what waits meanwhile in order', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/73/order')]
    const { public_id: id } = await buildServer(owner)
    const webhook = await buildWebhook(owner, {
      kind: 'discord',
      url: 'https://discord.com/api/webhooks/73/order',
      events: ['server.updated'],
    })
    // The order does not depend on the last digits of the number.
    await sql`alter table webhook_deliveries alter column seq restart with 1000997`.execute(app.db)
    // Longer than the six calls take.
    receiver.answer({ status: 429, body: '{"retry_after":2}' })
    for (let n = 0; n < 6; n += 1) await owner.call(servers.change, { params: { id }, body: { description: `Number ${n}` } })
    receiver.answer({})
    const states = async () => (await deliveriesOf(owner, webhook)).map(({ state }) => state)
    await expect.poll(states).toEqual(Array.from({ length: 6 }, () => 'succeeded'))
    const times = (await deliveriesOf(owner, webhook)).map(({ attempted_at: at }) => at ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('that answers 429 for five days disables the webhook', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/74/never')]
    const webhook = await buildWebhook(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/74/never' })
    receiver.answer({ status: 429, body: '{"retry_after":0.2}' })
    await buildServer(owner)
    const query = app.db.updateTable('webhooks').where('id', '=', webhook.id).where('failing_since', 'is not', null)
    const failSince = (at: Date) => query.set({ failing_since: at }).executeTakeFirstOrThrow()
    await expect.poll(async () => (await failSince(new Date(Date.now() - 5 * 86_400_000))).numUpdatedRows).toBe(1n)
    await expect.poll(async () => (await getWebhook(owner, webhook))?.disabled_reason).toBe('No delivery succeeded for 5 days.')
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'failed', attempt: 0, error: 'The webhook was disabled.' }])
  })

  test.each([
    [
      404,
      '{"message": "Unknown Webhook", "code": 10015}',
      'Discord no longer knows this webhook. Create a new one there and enter its URL.',
    ],
    [
      401,
      '{"message": "Invalid Webhook Token", "code": 50027}',
      'Discord rejected this webhook with status 401. Create a new one there and enter its URL.',
    ],
    [403, '', 'Discord rejected this webhook with status 403. Create a new one there and enter its URL.'],
  ])('that answers %i %s disables the webhook at once', async (status, body, reason) => {
    const path = `/api/webhooks/8${status}/gone`
    const [owner, receiver] = [await app.newUser(), host.open(path)]
    const webhook = await buildWebhook(owner, { kind: 'discord', url: `https://discord.com${path}` })
    receiver.answer({ status, body })
    await buildServer(owner)
    await expect.poll(async () => (await getWebhook(owner, webhook))?.disabled_reason).toBe(reason)
    expect((await owner.call(activity.ofAccount)).data[0]).toMatchObject({ action: 'WEBHOOK_DISABLED', as: 'system' })
    expect(receiver.received).toHaveLength(1)
  })

  test('that answers 404 with another code, and a standard receiver with any of these, are tried again', async () => {
    const [owner, channel, receiver] = [await app.newUser(), host.open('/api/webhooks/85/thread'), host.open()]
    const discord = await buildWebhook(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/85/thread' })
    const standard = await buildWebhook(owner, { url: receiver.url })
    channel.answer({ status: 404, body: '{"message": "Unknown Channel", "code": 10003}' })
    receiver.answer({ status: 404, body: '{"code": 10015}' })
    await buildServer(owner)
    for (const webhook of [discord, standard]) {
      await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
      expect(await getWebhook(owner, webhook)).toMatchObject({ enabled: true })
      expect((await deliveriesOf(owner, webhook))[0]?.state).toBe('pending')
    }
  })

  test('gets at most 30 messages a minute per webhook, in whatever way its URL is written', async () => {
    const paths = ['/api/webhooks/75/flood', '/api/v10/webhooks/75/flood', '/api/webhooks/75/flood?thread_id=7']
    const [owner, ...receivers] = [await app.newUser(), ...paths.map((path) => host.open(path))]
    const hooks = paths.map((path) =>
      buildWebhook(owner, { kind: 'discord', url: `https://discord.com${path}`, events: ['server.updated'] }),
    )
    const [first] = await Promise.all(hooks)
    const count = () => receivers.flatMap(({ received }) => received).length
    const { public_id: id } = await buildServer(owner)
    for (let n = 0; n < 20; n += 1) await owner.call(servers.change, { params: { id }, body: { description: `Number ${n}` } })
    const pending = async () => (first === undefined ? [] : await deliveriesOf(owner, first)).filter(({ state }) => state === 'pending')
    await expect.poll(count).toBe(30)
    await expect
      .poll(async () => (await pending()).every(({ next_attempt_at: at }) => Date.parse(at ?? '') > Date.now() + 20_000))
      .toBe(true)
    expect(count()).toBe(30)
  })
})

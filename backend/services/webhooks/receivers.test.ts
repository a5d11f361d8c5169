/** What a receiver gets, and tests of a webhook. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { buildWebhook, deliveriesOf, getWebhook, paramsOf, rejectionOf } from '#tests/webhook-calls.ts'
import { type Received, type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

const headersOf = ({ headers }: Received) => headers as Record<string, string>
const verifies = (delivery: Received | undefined, secret: string | null) => {
  try {
    return delivery !== undefined && new Verifier(secret ?? '').verify(delivery.body, headersOf(delivery)) !== undefined
  } catch {
    return false
  }
}

describe('a receiver', () => {
  test('gets the envelope of an event, with a signature that the standard library verifies', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url, events: ['server.created', 'server.updated'] })
    const server = await buildServer(owner, { name: 'Town of hooks' })
    await expect.poll(() => receiver.types()).toEqual(['server.created'])
    const [first] = receiver.received as [Received]
    const verified = new Verifier(webhook.secret ?? '').verify(first.body, headersOf(first))
    expect(verified).toEqual({
      id: expect.stringMatching(/^evt_\w+$/),
      type: 'server.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { server: { public_id: server.public_id, name: 'Town of hooks', url: `http://localhost:0/servers/${server.public_id}` } },
    })
    expect(first.headers['webhook-id']).toBe(first.event.id)
    await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'New' } })
    await expect.poll(() => receiver.received[1]?.event.data['changed']).toEqual(['description'])
    await expect.poll(async () => (await deliveriesOf(owner, webhook)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    const [, logged] = await deliveriesOf(owner, webhook)
    expect(logged).toMatchObject({
      event_id: first.event.id,
      event_type: 'server.created',
      attempt: 1,
      next_attempt_at: null,
      request: { body: first.body, headers: { 'webhook-id': first.event.id, 'webhook-signature': 'v1,…' } },
      response: { status: 204, body: '' },
      error: null,
    })
    expect((await getWebhook(owner, webhook))?.last_delivery).toMatchObject({ status: 204 })
  })

  test('verifies with both secrets for a day after a rotation, then with the new one only', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    const rotated = await owner.call(webhooks.rotateSecret, paramsOf(webhook))
    expect(rotated.data.secret).not.toBe(webhook.secret)
    await owner.call(webhooks.sendTest, paramsOf(webhook))
    expect([verifies(receiver.received[0], webhook.secret), verifies(receiver.received[0], rotated.data.secret)]).toEqual([true, true])
    await app.db
      .updateTable('webhooks')
      .set({ previous_secret_until: new Date(0) })
      .where('id', '=', webhook.id)
      .execute()
    await owner.call(webhooks.sendTest, paramsOf(webhook))
    expect([verifies(receiver.received[1], webhook.secret), verifies(receiver.received[1], rotated.data.secret)]).toEqual([false, true])
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(3)
    expect([verifies(receiver.received[2], webhook.secret), verifies(receiver.received[2], rotated.data.secret)]).toEqual([false, true])
  })

  test('verifies with each previous secret for its own day, also after another rotation', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    const secrets = [webhook.secret]
    const rotate = async () => secrets.push((await owner.call(webhooks.rotateSecret, paramsOf(webhook))).data.secret)
    const changeRow = (columns: { previous_secret_until?: Date; older_secrets?: string }) =>
      app.db.updateTable('webhooks').set(columns).where('id', '=', webhook.id).execute()
    const verifying = async () => {
      const before = receiver.received.length
      await owner.call(webhooks.sendTest, paramsOf(webhook))
      return secrets.map((secret) => verifies(receiver.received[before], secret))
    }
    await rotate()
    await rotate()
    await rotate()
    expect(await verifying()).toEqual([true, true, true, true])
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(secrets.map((secret) => verifies(receiver.received[1], secret))).toEqual([true, true, true, true])
    // The day of the first secret is over.
    const ofRow = app.db.selectFrom('webhooks').select('older_secrets').where('id', '=', webhook.id)
    const [second, first] = (await ofRow.executeTakeFirstOrThrow()).older_secrets
    await changeRow({ older_secrets: JSON.stringify([second, { ...first, until: '2026-01-01T00:00:00Z' }]) })
    expect(await verifying()).toEqual([false, true, true, true])
    await rotate()
    expect(await verifying()).toEqual([false, true, true, true, true])
    await changeRow({ previous_secret_until: new Date(0) })
    await rotate()
    expect(await verifying()).toEqual([false, true, true, false, true, true])
  })

  test('has at most ten signatures: a further rotation is a 429 that changes nothing', async () => {
    const owner = await app.newUser()
    const webhook = await buildWebhook(owner)
    const rotate = () => owner.call(webhooks.rotateSecret, paramsOf(webhook))
    for (let n = 0; n < 9; n += 1) expect((await rotate()).status).toBe(200)
    const rejected = await rotate()
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(86_000)
    const { older_secrets: older } = await app.db
      .selectFrom('webhooks')
      .select('older_secrets')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    expect(older).toHaveLength(8)
  })

  test('gets only chosen events of chosen servers, in order per server', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const [chosen, other] = [await buildServer(owner), await buildServer(owner)]
    await buildWebhook(owner, { url: receiver.url, events: ['server.updated'], server_ids: [chosen.public_id] })
    receiver.answer(async () => {
      await new Promise((done) => setTimeout(done, 5))
      return {}
    })
    for (let n = 0; n < 12; n += 1) {
      const body = n % 2 === 0 ? { description: `${n}` } : { game_mode: `${n}` }
      await owner.call(servers.change, { params: { id: chosen.public_id }, body })
      await owner.call(servers.change, { params: { id: other.public_id }, body })
    }
    await owner.call(servers.reissue, { params: { id: chosen.public_id } })
    await expect.poll(() => receiver.received.length).toBe(12)
    const times = receiver.received.map(({ event }) => event.timestamp)
    expect(times).toEqual(times.toSorted())
    expect(new Set(receiver.received.map(({ event }) => event.data.server?.public_id))).toEqual(new Set([chosen.public_id]))
  })

  test('that is slow delays nobody else', async () => {
    const [owner, slow, fast] = [await app.newUser(), host.open(), host.open()]
    const { promise, resolve } = Promise.withResolvers<void>()
    slow.answer(() => promise.then(() => ({})))
    await buildWebhook(owner, { url: slow.url })
    await buildWebhook(owner, { url: fast.url })
    for (let n = 0; n < 3; n += 1) await buildServer(owner)
    await expect.poll(() => fast.received.length).toBe(3)
    expect(slow.received).toHaveLength(1)
    resolve()
    await expect.poll(() => slow.received.length).toBe(3)
  })
})

describe('a test', () => {
  test('answers with what the receiver answered', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url, enabled: false })
    receiver.answer({ status: 418, body: 'x'.repeat(5000) })
    const sent = await owner.call(webhooks.sendTest, paramsOf(webhook))
    expect(sent.data).toMatchObject({
      event_type: 'webhook.test',
      state: 'failed',
      attempt: 1,
      next_attempt_at: null,
      response: { status: 418, body: 'x'.repeat(2048) },
      error: 'The receiver answered with status 418.',
    })
    expect(receiver.types()).toEqual(['webhook.test'])
    expect(await deliveriesOf(owner, webhook)).toEqual([sent.data])
    await owner.call(webhooks.change, { ...paramsOf(webhook), body: { enabled: true } })
    const retried = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: sent.data.id } })
    expect(rejectionOf(retried)).toEqual({ status: 409, errors: ['A test is not sent again. Send a new test.'] })
    expect(await deliveriesOf(owner, webhook)).toEqual([sent.data])
  })

  test.each([
    ['https://other.example/', 'This address is not on the public internet.'],
    ['https://10.1.2.3.nip.example/', 'This address is not on the public internet.'],
  ])('of %s, which is not public, is rejected', async (url, sentence) => {
    const owner = await app.newUser()
    const webhook = await buildWebhook(owner, { url })
    expect((await owner.call(webhooks.sendTest, paramsOf(webhook))).data).toMatchObject({
      state: 'failed',
      response: null,
      error: sentence,
    })
  })

  test('of a webhook that is deleted meanwhile is a 404', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await buildWebhook(owner, { url: receiver.url })
    receiver.answer(async () => {
      await owner.call(webhooks.remove, paramsOf(webhook))
      return {}
    })
    const sent = await owner.call(webhooks.sendTest, paramsOf(webhook))
    expect(rejectionOf(sent)).toEqual({ status: 404, errors: ['There is no such webhook.'] })
  })

  test('does not follow a redirect', async () => {
    const [owner, receiver, target] = [await app.newUser(), host.open(), host.open()]
    receiver.answer({ status: 302, headers: { location: target.url } })
    const webhook = await buildWebhook(owner, { url: receiver.url })
    const sent = await owner.call(webhooks.sendTest, paramsOf(webhook))
    expect(sent.data).toMatchObject({
      error: 'The receiver redirects to another address. Enter that one instead.',
      response: { status: 302 },
    })
    expect(target.received).toEqual([])
  })
})

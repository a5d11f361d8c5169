/** Webhooks: managing them, their rejections, and what a receiver gets. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as servers from '#contract/servers.ts'
import { m } from '#api-messages'
import * as preferences from '#contract/preferences.ts'
import * as webhooks from '#contract/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Received, type ReceiverHost, startReceiverHost, startWaitingJobs } from '#tests/webhook-receiver.ts'
import { RETRY_SECONDS, nextAttemptAfter } from './retry-schedule.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

type Input = Partial<webhooks.NewWebhook>
const create = (user: SignedInUser, input: Input = {}) =>
  user.call(webhooks.create, {
    body: { name: 'Hook', kind: 'standard', url: 'https://feeds.example/none', events: ['server.created'], ...input },
  })

async function build(user: SignedInUser, input: Input = {}): Promise<webhooks.WebhookWithSecret> {
  const created = await create(user, input)
  expect(created.status, created.text).toBe(200)
  return created.data
}

const params = (webhook: { readonly id: string }) => ({ params: { id: webhook.id } })
const deliveriesOf = async (user: SignedInUser, webhook: { readonly id: string }) =>
  (await user.call(webhooks.deliveries, params(webhook))).data
const get = async (user: SignedInUser, { id }: { readonly id: string }) =>
  (await user.call(webhooks.list)).data.find((each) => each.id === id)
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })
const headersOf = ({ headers }: Received) => headers as Record<string, string>
const verifies = (delivery: Received | undefined, secret: string | null) => {
  try {
    return delivery !== undefined && new Verifier(secret ?? '').verify(delivery.body, headersOf(delivery)) !== undefined
  } catch {
    return false
  }
}
const DISCORD_URL = 'https://discord.com/api/webhooks/1/abc'

test('a webhook can be created, listed, changed and deleted, and its secret is shown once', async () => {
  const owner = await app.newUser()
  const created = await create(owner, { name: '  My hook ' })
  expect(created.headers.get('cache-control')).toBe('no-store')
  const { secret, ...shown } = created.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'My hook',
    kind: 'standard',
    url: 'https://feeds.example/none',
    events: ['server.created'],
    server_ids: [],
    offline_after_seconds: 180,
    players_above: null,
    enabled: true,
    disabled_reason: null,
    created_at: expect.any(String),
    last_delivery: null,
  })
  const listed = await owner.call(webhooks.list)
  expect(listed.data).toEqual([shown])
  const changed = await owner.call(webhooks.change, { ...params(shown), body: { name: 'Renamed', players_above: 5, enabled: false } })
  expect(changed.data).toEqual({ ...shown, name: 'Renamed', players_above: 5, enabled: false })
  expect(listed.text + changed.text).not.toContain(secret)
  expect((await owner.call(webhooks.remove, params(shown))).status).toBe(204)
  expect((await owner.call(webhooks.list)).data).toEqual([])
  const entries = (await owner.call(activity.ofAccount)).data.slice(0, 3)
  expect(entries.map(({ action }) => action)).toEqual(['WEBHOOK_DELETED', 'WEBHOOK_CHANGED', 'WEBHOOK_CREATED'])
  expect(JSON.stringify(entries)).not.toContain('/none')
})

describe('a new webhook is rejected', () => {
  test.each<[Input | Record<string, unknown>, string]>([
    [{ name: '' }, 'Name is required.'],
    [{ name: 'Hook\uFFFC' }, "Name can't contain U+FFFC: it is an invisible, control or undefined character."],
    [{ kind: 'slack' }, 'kind must be one of standard, discord.'],
    [{ events: [] }, 'Choose at least one event.'],
    [{ events: ['server.exploded'] }, 'events has a type that does not exist. Use types such as server.offline.'],
    [{ events: ['webhook.test'] }, 'events has a type that does not exist. Use types such as server.offline.'],
    [{ events: ['server.online', 'server.online'] }, 'Each event can be given only once.'],
    [{ server_ids: ['AbCd123'] }, 'server_ids must be the public IDs of your servers.'],
    [{ server_ids: ['x'] }, 'server_ids must be a list of public IDs.'],
    [{ offline_after_seconds: 74 }, 'offline_after_seconds must be at least 75. A silent server leaves the list after that time.'],
    [{ offline_after_seconds: 86_401 }, 'offline_after_seconds must be a whole number from 1 to 86400.'],
    [{ players_above: -1 }, 'players_above must be a whole number from 0 to 1000000.'],
    [{ url: 'hello' }, 'This is not a web address.'],
    [{ url: 'http://feeds.example/' }, 'The address must begin with https://.'],
    [{ url: 'https://feeds.example:8443/' }, 'The address must not contain a port: only the default HTTPS port is allowed.'],
    [{ url: 'https://user:secret@feeds.example/' }, 'The address must not contain a username or a password.'],
    [{ url: 'https://127.0.0.1/' }, 'This address is not on the public internet.'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'This address is not on the public internet.'],
    [{ url: 'https://localhost/' }, 'This address is not on the public internet.'],
    [{ kind: 'discord' }, 'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.'],
    [
      { kind: 'discord', url: 'https://discord.com.evil.example/api/webhooks/1/a' },
      'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.',
    ],
    ...[
      'https://discord.com/api/v5/webhooks/1/a',
      'https://discord.com/api/v11/webhooks/1/a',
      'https://status.discord.com/api/webhooks/1/a',
      'http://discord.com/api/webhooks/1/a',
      'https://discord.com/api/webhooks/1',
      'https://discord.com/api/webhooks/1/a/slack',
      'https://discord.com/API/webhooks/1/a',
      'https://discord.com/api/webhooks/1/a?thread_id=x',
      'https://discord.com/api/webhooks/1/a?url=https://evil.example',
      'https://discord.com/api/webhooks/1/a#b',
    ].map((url): [Input, string] => [
      { kind: 'discord', url },
      'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.',
    ]),
    ...[
      ['https://feeds.example/a\nb', 'U+000A'],
      ['https://feeds\t.example/', 'U+0009'],
      ['https://feeds.example/\r\n', 'U+000D'],
      ['htt\nps://feeds.example/', 'U+000A'],
    ].map(([url = '', code]): [Input, string] => [
      { url },
      `URL can't contain ${code}: it is an invisible, control or undefined character.`,
    ]),
    [{ secret: 'mine' }, 'Unknown field “secret”. Leave it out.'],
  ])('%j', async (input, sentence) => {
    const user = await app.newUser()
    expect(rejection(await create(user, input as Input))).toEqual({ status: 400, errors: [sentence] })
    expect((await user.call(webhooks.list)).data).toEqual([])
  })

  test('beyond ten, even if all are created at once', async () => {
    const user = await app.newUser()
    const created = await Promise.all(Array.from({ length: 14 }, () => create(user)))
    expect(created.filter(({ status }) => status === 200)).toHaveLength(10)
    const [rejected] = created.filter(({ status }) => status !== 200)
    expect(rejected && rejection(rejected)).toEqual({ status: 403, errors: ['You have reached your limit of 10 webhooks.'] })
    expect((await user.call(webhooks.list)).data).toHaveLength(10)
  })
})

test('a change that happens while a webhook is deleted is not rejected', async () => {
  const owner = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  for (let round = 0; round < 8; round += 1) {
    const webhook = await build(owner, { events: ['server.updated'] })
    const [changed, removed] = await Promise.all([
      owner.call(servers.change, { params: { id }, body: { description: `Round ${round}` } }),
      owner.call(webhooks.remove, params(webhook)),
    ])
    expect([changed.status, removed.status], changed.text).toEqual([200, 204])
  }
})

test("another user's webhook is a 404 for every call", async () => {
  const [owner, stranger] = [await app.newUser(), await app.newUser()]
  const webhook = await build(owner)
  for (const id of [webhook.id, randomUUID(), 'x']) {
    const at = { params: { id } }
    const answers = [
      await stranger.call(webhooks.change, { ...at, body: { name: 'Taken over' } }),
      await stranger.call(webhooks.sendTest, at),
      await stranger.call(webhooks.rotateSecret, at),
      await stranger.call(webhooks.deliveries, at),
      await stranger.call(webhooks.retry, { params: { id, deliveryId: randomUUID() } }),
      await stranger.call(webhooks.remove, at),
    ]
    for (const answer of answers) expect(rejection(answer)).toEqual({ status: 404, errors: ['There is no such webhook.'] })
  }
  expect((await get(owner, webhook))?.name).toBe('Hook')
})

test.each([
  ['discord.com/api/webhooks/123456789012345678/AbC', 'discord.com/api/webhooks/123456789012345678/AbC'],
  ['discord.com/api/webhooks/1/AbC?thread_id=123456789012345678', 'discord.com/api/webhooks/1/AbC?thread_id=123456789012345678'],
  ['discord.com/api/webhooks/1/AbC/?wait=true', 'discord.com/api/webhooks/1/AbC?wait=true'],
  ['discord.com/api/webhooks/1/AbC/', 'discord.com/api/webhooks/1/AbC'],
  ['Discord.COM/api/webhooks/1/AbC', 'discord.com/api/webhooks/1/AbC'],
  ['ptb.discord.com/api/v10/webhooks/1/AbC', 'ptb.discord.com/api/v10/webhooks/1/AbC'],
  ['canary.discordapp.com/api/v6/webhooks/1/AbC', 'canary.discordapp.com/api/v6/webhooks/1/AbC'],
])('the Discord webhook https://%s is accepted', async (given, stored) => {
  const owner = await app.newUser()
  const webhook = await build(owner, { kind: 'discord', url: `https://${given}` })
  expect(webhook.url).toBe(`https://${stored}`)
  const changed = await owner.call(webhooks.change, { ...params(webhook), body: { url: `https://${given}` } })
  expect([changed.status, changed.data.url]).toEqual([200, `https://${stored}`])
})

test('a webhook for another kind keeps its kind, and a Discord URL stays one', async () => {
  const owner = await app.newUser()
  const webhook = await build(owner, { kind: 'discord', url: DISCORD_URL })
  expect(webhook.secret).toBeNull()
  const change = (body: object) => owner.call(webhooks.change, { ...params(webhook), body })
  expect((await change({ url: 'https://feeds.example/' })).status).toBe(400)
  expect((await change({ kind: 'standard' })).error.errors).toEqual(['Unknown field “kind”. Leave it out.'])
  expect(rejection(await owner.call(webhooks.rotateSecret, params(webhook)))).toEqual({
    status: 400,
    errors: ['Webhooks for Discord have no secret.'],
  })
})

describe('a receiver', () => {
  test('gets the envelope of an event, with a signature that the standard library verifies', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url, events: ['server.created', 'server.updated'] })
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
    expect((await get(owner, webhook))?.last_delivery).toMatchObject({ status: 204 })
  })

  test('verifies with both secrets for a day after a rotation, then with the new one only', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    const rotated = await owner.call(webhooks.rotateSecret, params(webhook))
    expect(rotated.data.secret).not.toBe(webhook.secret)
    await owner.call(webhooks.sendTest, params(webhook))
    expect([verifies(receiver.received[0], webhook.secret), verifies(receiver.received[0], rotated.data.secret)]).toEqual([true, true])
    await app.db
      .updateTable('webhooks')
      .set({ previous_secret_until: new Date(0) })
      .where('id', '=', webhook.id)
      .execute()
    await owner.call(webhooks.sendTest, params(webhook))
    expect([verifies(receiver.received[1], webhook.secret), verifies(receiver.received[1], rotated.data.secret)]).toEqual([false, true])
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(3)
    expect([verifies(receiver.received[2], webhook.secret), verifies(receiver.received[2], rotated.data.secret)]).toEqual([false, true])
  })

  test('verifies with each previous secret for its own day, also after another rotation', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    const secrets = [webhook.secret]
    const rotate = async () => secrets.push((await owner.call(webhooks.rotateSecret, params(webhook))).data.secret)
    const changeRow = (columns: { previous_secret_until?: Date; older_secrets?: string }) =>
      app.db.updateTable('webhooks').set(columns).where('id', '=', webhook.id).execute()
    const verifying = async () => {
      const before = receiver.received.length
      await owner.call(webhooks.sendTest, params(webhook))
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
    const webhook = await build(owner)
    const rotate = () => owner.call(webhooks.rotateSecret, params(webhook))
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
    await build(owner, { url: receiver.url, events: ['server.updated'], server_ids: [chosen.public_id] })
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
    await build(owner, { url: slow.url })
    await build(owner, { url: fast.url })
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
    const webhook = await build(owner, { url: receiver.url, enabled: false })
    receiver.answer({ status: 418, body: 'x'.repeat(5000) })
    const sent = await owner.call(webhooks.sendTest, params(webhook))
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
    await owner.call(webhooks.change, { ...params(webhook), body: { enabled: true } })
    const retried = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: sent.data.id } })
    expect(rejection(retried)).toEqual({ status: 409, errors: ['A test is not sent again. Send a new test.'] })
    expect(await deliveriesOf(owner, webhook)).toEqual([sent.data])
  })

  test.each([
    ['https://other.example/', 'This address is not on the public internet.'],
    ['https://10.1.2.3.nip.example/', 'This address is not on the public internet.'],
  ])('of %s, which is not public, is rejected', async (url, sentence) => {
    const owner = await app.newUser()
    const webhook = await build(owner, { url })
    expect((await owner.call(webhooks.sendTest, params(webhook))).data).toMatchObject({ state: 'failed', response: null, error: sentence })
  })

  test('of a webhook that is deleted meanwhile is a 404', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    receiver.answer(async () => {
      await owner.call(webhooks.remove, params(webhook))
      return {}
    })
    const sent = await owner.call(webhooks.sendTest, params(webhook))
    expect(rejection(sent)).toEqual({ status: 404, errors: ['There is no such webhook.'] })
  })

  test('does not follow a redirect', async () => {
    const [owner, receiver, target] = [await app.newUser(), host.open(), host.open()]
    receiver.answer({ status: 302, headers: { location: target.url } })
    const webhook = await build(owner, { url: receiver.url })
    const sent = await owner.call(webhooks.sendTest, params(webhook))
    expect(sent.data).toMatchObject({
      error: 'The receiver redirects to another address. Enter that one instead.',
      response: { status: 302 },
    })
    expect(target.received).toEqual([])
  })
})

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
    const webhook = await build(owner, { url: receiver.url })
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
      await startWaitingJobs(app)
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
    const webhook = await build(owner, { url: receiver.url })
    receiver.answer({ status: 500 })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    receiver.answer({})
    const [failed] = await deliveriesOf(owner, webhook)
    const retried = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: failed?.id ?? '' } })
    expect(retried.data).toMatchObject({ id: failed?.id, state: 'pending' })
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]).toMatchObject({ state: 'succeeded', attempt: 2 })
    expect(await deliveriesOf(owner, webhook)).toHaveLength(1)
    await owner.call(webhooks.change, { ...params(webhook), body: { enabled: false } })
    const rejected = await owner.call(webhooks.retry, { params: { id: webhook.id, deliveryId: failed?.id ?? '' } })
    expect(rejection(rejected)).toEqual({ status: 409, errors: ['This webhook is disabled. Enable it first.'] })
  })

  test('with 410 disables the webhook at once, with a reason and an entry in the activity', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    receiver.answer({ status: 410 })
    await buildServer(owner)
    await expect.poll(async () => (await get(owner, webhook))?.enabled).toBe(false)
    expect((await get(owner, webhook))?.disabled_reason).toBe('The receiver answered 410 Gone.')
    expect((await owner.call(activity.ofAccount)).data[0]).toMatchObject({ action: 'WEBHOOK_DISABLED', as: 'system' })
    await buildServer(owner)
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'failed', attempt: 1 }])
    const enabled = await owner.call(webhooks.change, { ...params(webhook), body: { enabled: true } })
    expect(enabled.data).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test.each([
    ['in seconds', '120', 120],
    ['as a date', () => new Date(Date.now() + 300_000).toUTCString(), 300],
    ['that is too long, for an hour', '99999', 3600],
  ])('waits for Retry-After %s, and so do later ones', async (_what, given, seconds) => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
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
    // A new receiver did not ask for it.
    const moved = host.open()
    await owner.call(webhooks.change, { ...params(webhook), body: { url: moved.url } })
    await buildServer(owner)
    await expect.poll(() => moved.received.length).toBe(1)
  })

  test.each(['0', 'soon', '-5'])('with Retry-After %j is tried again as planned', async (given) => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    receiver.answer({ status: 500, headers: { 'retry-after': given } })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    const [delivery] = await deliveriesOf(owner, webhook)
    expect(Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.attempted_at ?? '')).toBeLessThan(7000)
  })

  test('disables the webhook after five days without a success', async () => {
    const [owner, receiver] = [await app.newUser(), host.open()]
    const webhook = await build(owner, { url: receiver.url })
    receiver.answer({ status: 503 })
    await buildServer(owner)
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    expect((await get(owner, webhook))?.enabled).toBe(true)
    await app.db
      .updateTable('webhooks')
      .set({ failing_since: new Date(Date.now() - 5 * 86_400_000) })
      .where('id', '=', webhook.id)
      .execute()
    await startWaitingJobs(app)
    await expect.poll(async () => (await get(owner, webhook))?.disabled_reason, { timeout: 5000 }).toBe('No delivery succeeded for 5 days.')
    expect(await deliveriesOf(owner, webhook)).toMatchObject([{ state: 'failed', next_attempt_at: null }])
  })
})

test('of more than 1,000 waiting deliveries, the oldest is skipped', async () => {
  const owner = await app.newUser()
  const [webhook, other] = [await build(owner), await build(owner, { events: ['account.banned'] })]
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
  const webhook = await build(owner, { url: receiver.url })
  const query = app.db.updateTable('webhooks').where('id', '=', webhook.id)
  await query.set({ failing_since: new Date(Date.now() - 5 * 86_400_000) }).execute()
  const moved = host.open()
  moved.answer({ status: 500 })
  await owner.call(webhooks.change, { ...params(webhook), body: { url: moved.url } })
  await buildServer(owner)
  await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
  expect((await get(owner, webhook))?.enabled).toBe(true)
})

describe('Discord', () => {
  test('gets an embed without mentions', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/70/embed')]
    const webhook = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/70/embed' })
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
    expect((await owner.call(webhooks.sendTest, params(webhook))).data).toMatchObject({ state: 'succeeded' })
  })

  test('gets its texts in the language that the owner chose', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/71/german')]
    const webhook = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/71/german' })
    await owner.call(preferences.change, { body: { language: 'de' } })
    await owner.call(webhooks.sendTest, params(webhook))
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
    const webhook = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/72/busy' })
    receiver.answer({ status: 429, body: '{"message":"slow down","retry_after":1.5}' })
    const startedAt = Date.now()
    await buildServer(owner)
    await expect.poll(() => receiver.received.length).toBe(1)
    receiver.answer({})
    await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.state, { timeout: 8000 }).toBe('succeeded')
    expect((await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
    expect(Date.now() - startedAt).toBeGreaterThan(1400)
  })

  test('that answers 429 gets what waits meanwhile in order', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/73/order')]
    const { public_id: id } = await buildServer(owner)
    const webhook = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/73/order', events: ['server.updated'] })
    // The order does not depend on the last digits of the number.
    await sql`alter table webhook_deliveries alter column seq restart with 1000997`.execute(app.db)
    // Longer than the six calls take.
    receiver.answer({ status: 429, body: '{"retry_after":2}' })
    for (let n = 0; n < 6; n += 1) await owner.call(servers.change, { params: { id }, body: { description: `Number ${n}` } })
    receiver.answer({})
    const states = async () => (await deliveriesOf(owner, webhook)).map(({ state }) => state)
    await expect.poll(states, { timeout: 8000 }).toEqual(Array.from({ length: 6 }, () => 'succeeded'))
    const times = (await deliveriesOf(owner, webhook)).map(({ attempted_at: at }) => at ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('that answers 429 for five days disables the webhook', async () => {
    const [owner, receiver] = [await app.newUser(), host.open('/api/webhooks/74/never')]
    const webhook = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/74/never' })
    receiver.answer({ status: 429, body: '{"retry_after":0.2}' })
    await buildServer(owner)
    const query = app.db.updateTable('webhooks').where('id', '=', webhook.id).where('failing_since', 'is not', null)
    const failSince = (at: Date) => query.set({ failing_since: at }).executeTakeFirstOrThrow()
    await expect.poll(async () => (await failSince(new Date(Date.now() - 5 * 86_400_000))).numUpdatedRows).toBe(1n)
    await expect.poll(async () => (await get(owner, webhook))?.disabled_reason, { timeout: 8000 }).toBe('No delivery succeeded for 5 days.')
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
    const webhook = await build(owner, { kind: 'discord', url: `https://discord.com${path}` })
    receiver.answer({ status, body })
    await buildServer(owner)
    await expect.poll(async () => (await get(owner, webhook))?.disabled_reason).toBe(reason)
    expect((await owner.call(activity.ofAccount)).data[0]).toMatchObject({ action: 'WEBHOOK_DISABLED', as: 'system' })
    expect(receiver.received).toHaveLength(1)
  })

  test('that answers 404 with another code, and a standard receiver with any of these, are tried again', async () => {
    const [owner, channel, receiver] = [await app.newUser(), host.open('/api/webhooks/85/thread'), host.open()]
    const discord = await build(owner, { kind: 'discord', url: 'https://discord.com/api/webhooks/85/thread' })
    const standard = await build(owner, { url: receiver.url })
    channel.answer({ status: 404, body: '{"message": "Unknown Channel", "code": 10003}' })
    receiver.answer({ status: 404, body: '{"code": 10015}' })
    await buildServer(owner)
    for (const webhook of [discord, standard]) {
      await expect.poll(async () => (await deliveriesOf(owner, webhook))[0]?.attempt).toBe(1)
      expect(await get(owner, webhook)).toMatchObject({ enabled: true })
      expect((await deliveriesOf(owner, webhook))[0]?.state).toBe('pending')
    }
  })

  test('gets at most 30 messages a minute per webhook, in whatever way its URL is written', async () => {
    const paths = ['/api/webhooks/75/flood', '/api/v10/webhooks/75/flood', '/api/webhooks/75/flood?thread_id=7']
    const [owner, ...receivers] = [await app.newUser(), ...paths.map((path) => host.open(path))]
    const hooks = paths.map((path) => build(owner, { kind: 'discord', url: `https://discord.com${path}`, events: ['server.updated'] }))
    const [first] = await Promise.all(hooks)
    const count = () => receivers.flatMap(({ received }) => received).length
    const { public_id: id } = await buildServer(owner)
    for (let n = 0; n < 20; n += 1) await owner.call(servers.change, { params: { id }, body: { description: `Number ${n}` } })
    const pending = () =>
      app.db
        .selectFrom('webhook_deliveries')
        .select('next_attempt_at')
        .where('state', '=', 'pending')
        .where('webhook_id', 'in', [first?.id ?? ''])
        .execute()
    await expect.poll(count).toBe(30)
    await expect
      .poll(async () => (await pending()).every(({ next_attempt_at: at }) => (at?.getTime() ?? 0) > Date.now() + 20_000))
      .toBe(true)
    expect(count()).toBe(30)
  })
})

test('the log has the last 100 deliveries of at most 30 days, and the job deletes the others', async () => {
  const owner = await app.newUser()
  const webhook = await build(owner, { events: ['account.banned'] })
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

/** Creating, changing and deleting webhooks, and what is rejected. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as servers from '#contract/servers/servers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { type WebhookInput, buildWebhook, createWebhook, getWebhook, paramsOf, rejectionOf } from '#tests/webhook-calls.ts'
import { type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

const DISCORD_URL = 'https://discord.com/api/webhooks/1/abc'

test('a webhook can be created, listed, changed and deleted, and its secret is shown once', async () => {
  const owner = await app.newUser()
  const created = await createWebhook(owner, { name: '  My hook ' })
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
  const changed = await owner.call(webhooks.change, { ...paramsOf(shown), body: { name: 'Renamed', players_above: 5, enabled: false } })
  expect(changed.data).toEqual({ ...shown, name: 'Renamed', players_above: 5, enabled: false })
  expect(listed.text + changed.text).not.toContain(secret)
  expect((await owner.call(webhooks.remove, paramsOf(shown))).status).toBe(204)
  expect((await owner.call(webhooks.list)).data).toEqual([])
  const entries = (await owner.call(activity.ofAccount)).data.slice(0, 3)
  expect(entries.map(({ action }) => action)).toEqual(['WEBHOOK_DELETED', 'WEBHOOK_CHANGED', 'WEBHOOK_CREATED'])
  expect(JSON.stringify(entries)).not.toContain('/none')
})

describe('a new webhook is rejected', () => {
  test.each<[WebhookInput | Record<string, unknown>, string]>([
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
    ].map((url): [WebhookInput, string] => [
      { kind: 'discord', url },
      'URL must be a Discord webhook, such as https://discord.com/api/webhooks/123/abc.',
    ]),
    ...[
      ['https://feeds.example/a\nb', 'U+000A'],
      ['https://feeds\t.example/', 'U+0009'],
      ['https://feeds.example/\r\n', 'U+000D'],
      ['htt\nps://feeds.example/', 'U+000A'],
    ].map(([url = '', code]): [WebhookInput, string] => [
      { url },
      `URL can't contain ${code}: it is an invisible, control or undefined character.`,
    ]),
    [{ secret: 'mine' }, 'Unknown field “secret”. Leave it out.'],
  ])('%j', async (input, sentence) => {
    const user = await app.newUser()
    expect(rejectionOf(await createWebhook(user, input as WebhookInput))).toEqual({ status: 400, errors: [sentence] })
    expect((await user.call(webhooks.list)).data).toEqual([])
  })

  test('beyond ten, even if all are created at once', async () => {
    const user = await app.newUser()
    const created = await Promise.all(Array.from({ length: 14 }, () => createWebhook(user)))
    expect(created.filter(({ status }) => status === 200)).toHaveLength(10)
    const [rejected] = created.filter(({ status }) => status !== 200)
    expect(rejected && rejectionOf(rejected)).toEqual({ status: 403, errors: ['You have reached your limit of 10 webhooks.'] })
    expect((await user.call(webhooks.list)).data).toHaveLength(10)
  })
})

test('a change that happens while a webhook is deleted is not rejected', async () => {
  const owner = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  for (let round = 0; round < 8; round += 1) {
    const webhook = await buildWebhook(owner, { events: ['server.updated'] })
    const [changed, removed] = await Promise.all([
      owner.call(servers.change, { params: { id }, body: { description: `Round ${round}` } }),
      owner.call(webhooks.remove, paramsOf(webhook)),
    ])
    expect([changed.status, removed.status], changed.text).toEqual([200, 204])
  }
})

test("another user's webhook is a 404 for every call", async () => {
  const [owner, stranger] = [await app.newUser(), await app.newUser()]
  const webhook = await buildWebhook(owner)
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
    for (const answer of answers) expect(rejectionOf(answer)).toEqual({ status: 404, errors: ['There is no such webhook.'] })
  }
  expect((await getWebhook(owner, webhook))?.name).toBe('Hook')
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
  const webhook = await buildWebhook(owner, { kind: 'discord', url: `https://${given}` })
  expect(webhook.url).toBe(`https://${stored}`)
  const changed = await owner.call(webhooks.change, { ...paramsOf(webhook), body: { url: `https://${given}` } })
  expect([changed.status, changed.data.url]).toEqual([200, `https://${stored}`])
})

test('a webhook for another kind keeps its kind, and a Discord URL stays one', async () => {
  const owner = await app.newUser()
  const webhook = await buildWebhook(owner, { kind: 'discord', url: DISCORD_URL })
  expect(webhook.secret).toBeNull()
  const change = (body: object) => owner.call(webhooks.change, { ...paramsOf(webhook), body })
  expect((await change({ url: 'https://feeds.example/' })).status).toBe(400)
  expect((await change({ kind: 'standard' })).error.errors).toEqual(['Unknown field “kind”. Leave it out.'])
  expect(rejectionOf(await owner.call(webhooks.rotateSecret, paramsOf(webhook)))).toEqual({
    status: 400,
    errors: ['Webhooks for Discord have no secret.'],
  })
})

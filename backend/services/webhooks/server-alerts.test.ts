/** Alerts about live servers: each change once, and none for a restart. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicEventType } from '#contract/events/public-events.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Receiver, type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

const EVENTS: PublicEventType[] = [
  'server.online',
  'server.offline',
  'server.listed',
  'server.unlisted',
  'players.threshold',
  'address.bound',
]

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

async function listen(user: SignedInUser, input: Partial<webhooks.NewWebhook> = {}): Promise<Receiver> {
  const receiver = host.open()
  const body = { name: 'Live', kind: 'standard' as const, url: receiver.url, events: EVENTS, players_above: 10, ...input }
  const created = await user.call(webhooks.create, { body })
  expect(created.status, created.text).toBe(200)
  return receiver
}

/** Looks at the servers twice, so that an event that is sent twice would show. */
async function look(): Promise<void> {
  await app.runJob('watch-servers')
  await app.runJob('watch-servers')
}

const statusOf = async (user: SignedInUser, id: string) => (await user.call(servers.get, { params: { id } })).data.status

async function falls(user: SignedInUser, id: string): Promise<void> {
  app.clock.advance(80_000)
  await expect.poll(() => statusOf(user, id), { timeout: 5000 }).toBe('offline')
}

const leave = (credential: string) =>
  fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })

test('a server is reported offline after the time of each webhook, and online when it is back', async () => {
  const user = await app.newUser()
  const [early, late] = [await listen(user, { offline_after_seconds: 180 }), await listen(user, { offline_after_seconds: 600 })]
  const discord = host.open('/api/webhooks/9/silent')
  await listen(user, { kind: 'discord', url: 'https://discord.com/api/webhooks/9/silent', events: ['server.offline'] })
  const { public_id: id, credential } = await buildServer(user)
  await look()
  await announce(app, credential, { playersCount: 5 })
  await look()
  await expect.poll(() => early.types()).toEqual(['address.bound', 'server.listed'])
  await falls(user, id)
  await look()
  app.clock.advance(105_000)
  await look()
  await expect.poll(() => early.types().slice(2)).toEqual(['server.offline'])
  expect(early.received[2]?.event.data).toMatchObject({
    server: { public_id: id },
    last_announce_at: expect.any(String),
    silent_seconds: expect.any(Number),
    on_purpose: false,
  })
  await expect
    .poll(() => discord.received.map(({ body }) => (JSON.parse(body) as { embeds: unknown[] }).embeds))
    .toMatchObject([[{ title: 'Server offline', description: 'Silent for 3 minutes.' }]])
  await announce(app, credential, { playersCount: 5 })
  await look()
  await expect.poll(() => early.types().slice(2)).toEqual(['server.offline', 'server.online'])
  expect(late.types()).toEqual(['address.bound', 'server.listed'])
})

test('a restart of a game server pages nobody', async () => {
  const user = await app.newUser()
  const receiver = await listen(user)
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  await look()
  await expect.poll(() => receiver.types()).toEqual(['address.bound', 'server.listed', 'players.threshold'])
  await leave(credential)
  expect(await statusOf(user, id)).toBe('offline')
  await look()
  app.clock.advance(60_000)
  await look()
  await announce(app, credential)
  await look()
  await user.call(servers.change, { params: { id }, body: { visible: false } })
  await look()
  await expect.poll(() => receiver.types().slice(3)).toEqual(['server.unlisted'])
})

test('the threshold is reported once, until the number has fallen to it', async () => {
  const user = await app.newUser()
  const receiver = await listen(user, { events: ['players.threshold'] })
  const { credential } = await buildServer(user)
  for (const playersCount of [10, 11, 20, 10, 30]) {
    await announce(app, credential, { playersCount })
    await look()
  }
  await expect.poll(() => receiver.received.map(({ event }) => event.data['players'])).toEqual([11, 30])
})

test('a new webhook reports nothing of what was so before', async () => {
  const user = await app.newUser()
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  const receiver = await listen(user)
  await look()
  await leave(credential)
  app.clock.advance(200_000)
  await look()
  await expect.poll(() => receiver.types()).toEqual(['server.offline'])
  expect(await statusOf(user, id)).toBe('offline')
})

test('the first look of a new webhook publishes what changed since it was made', async () => {
  const user = await app.newUser()
  const [busy, leaving] = [await buildServer(user), await buildServer(user)]
  await announce(app, busy.credential, { playersCount: 5 })
  await announce(app, leaving.credential, { playersCount: 20 })
  const receiver = await listen(user, { events: ['server.unlisted', 'server.offline', 'players.threshold'] })
  await announce(app, busy.credential, { playersCount: 30 })
  await user.call(servers.change, { params: { id: busy.public_id }, body: { visible: false } })
  await leave(leaving.credential)
  app.clock.advance(200_000)
  await announce(app, busy.credential, { playersCount: 30 })
  await look()
  const seen = () => receiver.received.map(({ event }) => [event.type, event.data.server?.public_id])
  await expect
    .poll(() => seen().toSorted())
    .toEqual([
      ['players.threshold', busy.public_id],
      ['server.offline', leaving.public_id],
      ['server.unlisted', busy.public_id],
    ])
})

test('a webhook that is enabled again publishes what changed since then', async () => {
  const user = await app.newUser()
  const receiver = await listen(user, { enabled: false })
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential, { playersCount: 5 })
  const [webhook] = (await user.call(webhooks.list)).data
  expect((await user.call(webhooks.change, { params: { id: webhook?.id ?? '' }, body: { enabled: true } })).status).toBe(200)
  await user.call(servers.change, { params: { id }, body: { visible: false } })
  await announce(app, credential, { playersCount: 11 })
  await look()
  await expect.poll(() => receiver.types().toSorted()).toEqual(['players.threshold', 'server.unlisted'])
})

test('a server that said goodbye is reported offline on purpose, and a banned one not at all until it is back', async () => {
  const [user, admin] = [await app.newUser(), await app.signIn('admin')]
  const receiver = await listen(user, { events: ['server.offline', 'server.online'] })
  const discord = host.open('/api/webhooks/9/goodbye')
  await listen(user, { kind: 'discord', url: 'https://discord.com/api/webhooks/9/goodbye', events: ['server.offline'] })
  const [left, banned] = [await buildServer(user), await buildServer(user)]
  for (const { credential } of [left, banned]) await announce(app, credential)
  await look()
  await leave(left.credential)
  await admin.call(banServer, { params: { id: banned.public_id }, body: { banned: true } })
  await falls(user, banned.public_id)
  app.clock.advance(200_000)
  await look()
  await expect
    .poll(() => receiver.received.map(({ event }) => event))
    .toMatchObject([{ type: 'server.offline', data: { server: { public_id: left.public_id }, on_purpose: true } }])
  await expect
    .poll(() => discord.received.map(({ body }) => (JSON.parse(body) as { embeds: unknown[] }).embeds))
    .toMatchObject([[{ title: 'Server offline', description: 'It went offline on purpose.' }]])
  await admin.call(banServer, { params: { id: banned.public_id }, body: { banned: false } })
  await look()
  await announce(app, banned.credential)
  await look()
  await expect
    .poll(() => receiver.received.slice(1).map(({ event }) => event))
    .toMatchObject([{ type: 'server.online', data: { server: { public_id: banned.public_id } } }])
})

test.each<[Partial<webhooks.NewWebhook>, webhooks.WebhookChanges]>([
  [{ events: ['server.unlisted'] }, { events: EVENTS }],
  [{ enabled: false }, { enabled: true }],
])('a webhook that changes from %j to %j reports nothing of what was so before', async (before, after) => {
  const user = await app.newUser()
  const receiver = await listen(user, before)
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  await look()
  const [webhook] = (await user.call(webhooks.list)).data
  expect((await user.call(webhooks.change, { params: { id: webhook?.id ?? '' }, body: after })).status).toBe(200)
  await look()
  await user.call(servers.change, { params: { id }, body: { visible: false } })
  await look()
  await expect.poll(() => receiver.types()).toEqual(['server.unlisted'])
})

test('only chosen servers are reported', async () => {
  const user = await app.newUser()
  const [chosen, other] = [await buildServer(user), await buildServer(user)]
  const receiver = await listen(user, { server_ids: [chosen.public_id], events: ['server.listed'] })
  await look()
  await announce(app, other.credential, { port: 7001 })
  await announce(app, chosen.credential, { port: 7002 })
  await look()
  await expect.poll(() => receiver.received.map(({ event }) => event.data.server?.public_id)).toEqual([chosen.public_id])
})

test('after a transfer and back, each owner hears only of changes in their own time', async () => {
  const [user, other] = [await app.newUser(), await app.newUser()]
  const events: PublicEventType[] = ['server.listed', 'server.unlisted']
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  const [mine, theirs] = [await listen(user, { events }), await listen(other, { events })]
  await look()
  const transfer = async (from: SignedInUser, to: SignedInUser) => {
    expect((await to.call(transfers.accept, { params: { id: (await offer(from, id, to.id)).id } })).status).toBeLessThan(300)
    await look()
  }
  const setVisible = async (owner: SignedInUser, visible: boolean) => {
    await announce(app, (await owner.call(servers.reissue, { params: { id } })).data.credential)
    await look()
    await owner.call(servers.change, { params: { id }, body: { visible } })
    await look()
  }
  await transfer(user, other)
  await setVisible(other, false)
  await expect.poll(() => theirs.types().at(-1)).toBe('server.unlisted')
  await transfer(other, user)
  await look()
  await setVisible(user, true)
  await expect.poll(() => mine.types()).toEqual(['server.listed'])
  expect(theirs.types().filter((type) => type === 'server.unlisted')).toHaveLength(1)
})

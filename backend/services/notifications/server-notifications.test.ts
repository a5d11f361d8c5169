/** Notifications about live servers: one for each change, none for a restart, and none for a state from before. */
import { beforeAll, expect, test } from 'vitest'
import * as notifications from '#contract/webhooks/notifications.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { ServerWatcher } from '#backend/services/webhooks/server-watcher.ts'
import { notifyOfServers } from './notifications.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

/** Looks at the servers twice, so that a second notification would show. */
async function look(): Promise<void> {
  await app.runJob('watch-servers')
  await app.runJob('watch-servers')
}

/** The watcher of a node whose list has this server only. */
function watcherOf(record: ServerRecord, lease: { readonly term: number }): ServerWatcher {
  const queue = { sendDue: () => Promise.resolve() }
  return new ServerWatcher({ ...app, queue }, { all: () => [record].values() }, lease, notifyOfServers)
}

const rowsOf = async (user: SignedInUser) => (await user.call(notifications.list)).data.data
const typesOf = async (user: SignedInUser) => (await rowsOf(user)).map(({ type }) => type).toReversed()
const statusOf = async (user: SignedInUser, id: string) => (await user.call(servers.get, { params: { id } })).data.status

test('a server is reported listed, offline after three minutes, and online when it is back, also across a restart', async () => {
  const user = await app.newUser()
  const { public_id: id, credential, name } = await buildServer(user)
  await look()
  expect(await typesOf(user)).toEqual([])
  await announce(app, credential)
  await look()
  expect(await typesOf(user)).toEqual(['address.bound', 'server.listed'])
  app.clock.advance(80_000)
  await expect.poll(() => statusOf(user, id)).toBe('offline')
  await look()
  expect(await typesOf(user)).toHaveLength(2)
  app.clock.advance(105_000)
  await look()
  const [offline] = await rowsOf(user)
  expect(offline).toMatchObject({ type: 'server.offline', body: `${name} is offline. Silent for 3 minutes.`, link: `/servers/${id}` })
  await app.restart()
  await look()
  await announce(app, credential)
  await look()
  expect((await typesOf(user)).slice(2)).toEqual(['server.offline', 'server.online'])
})

test('the first listing and the first address are read from the start, and what follows is unread', async () => {
  const user = await app.newUser()
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  await look()
  expect((await user.call(notifications.list)).data.unread).toBe(0)
  const unread = async () => (await rowsOf(user)).filter(({ read_at: readAt }) => readAt === null).map(({ type }) => type)
  expect([await typesOf(user), await unread()]).toEqual([['address.bound', 'server.listed'], []])
  await user.call(servers.resetAddress, { params: { id } })
  await look()
  await announce(app, credential)
  await look()
  expect(await unread()).toEqual(['address.bound'])
})

test('a server that said goodbye is offline on purpose, and a banned one is not offline too', async () => {
  const [user, admin] = [await app.newUser(), await app.signIn('admin')]
  const [left, banned] = [await buildServer(user), await buildServer(user)]
  for (const { credential } of [left, banned]) await announce(app, credential)
  await look()
  await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${left.credential}` } })
  await admin.call(banServer, { params: { id: banned.public_id }, body: { banned: true } })
  app.clock.advance(80_000)
  await expect.poll(() => statusOf(user, banned.public_id)).toBe('offline')
  app.clock.advance(200_000)
  await look()
  const rows = (await rowsOf(user)).filter(({ type }) => type === 'server.offline')
  expect(rows.map(({ body }) => body)).toEqual([`${left.name} is offline. It went offline on purpose.`])
})

test('hiding and showing a server notifies nobody, and a ban only of its start and end', async () => {
  const [user, admin] = [await app.newUser(), await app.signIn('admin')]
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  await look()
  const params = { id }
  for (const visible of [false, true]) {
    await user.call(servers.change, { params, body: { visible } })
    await look()
  }
  for (const banned of [true, false]) {
    await admin.call(banServer, { params, body: { banned } })
    await announce(app, credential)
    await look()
  }
  expect((await user.call(servers.get, { params })).data.status).toBe('online')
  expect(await typesOf(user)).toEqual(['address.bound', 'server.listed', 'server.banned', 'server.unbanned'])
})

test('a restart of a game server notifies nobody, and a new owner is not notified of the state from before', async () => {
  const [user, recipient] = [await app.newUser(), await app.newUser()]
  const { public_id: id, credential } = await buildServer(user)
  await announce(app, credential)
  await look()
  await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
  app.clock.advance(60_000)
  await look()
  await announce(app, credential)
  await look()
  expect(await typesOf(user)).toEqual(['address.bound', 'server.listed'])
  await recipient.call(transfers.accept, { params: { id: (await offer(user, id, recipient.id)).id } })
  await look()
  expect(await typesOf(recipient)).toEqual(['transfer.offered'])
})

test('of two nodes that see the same change, one notifies, and the other one reloads the states', async () => {
  const user = await app.newUser()
  const { public_id: id } = await buildServer(user)
  await look()
  const record = new ServerRecord(fieldsOf(id, { ownerId: user.id }))
  const leases = [{ term: 1 }, { term: 1 }] as const
  const nodes = leases.map((lease) => watcherOf(record, lease))
  const run = async () => (await Promise.all(nodes.map((node) => node.run()))).flat()
  await run()
  record.online = true
  expect(await run()).toEqual([user.id])
  record.credentials = [credentialOf(id)]
  expect(await run()).toEqual([user.id])
  expect(await typesOf(user)).toEqual(['server.listed', 'address.bound'])
})

test('a node that regains the lease notifies of the change back from what another node notified', async () => {
  const user = await app.newUser()
  const { public_id: id } = await buildServer(user)
  await look()
  const record = new ServerRecord(fieldsOf(id, { ownerId: user.id }))
  Object.assign(record, { announced, online: true, lastAnnounceAt: app.clock.now() })
  const lease = { term: 1 }
  const [first, second] = [lease, { term: 1 }].map((each) => watcherOf(record, each))
  await first?.run()
  Object.assign(record, { online: false, since: 1, lastAnnounceAt: 1 })
  expect(await second?.run()).toEqual([user.id])
  record.online = true
  lease.term = 2
  expect(await first?.run()).toEqual([user.id])
  expect(await typesOf(user)).toEqual(['server.listed', 'server.offline', 'server.online'])
})

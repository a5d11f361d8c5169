/** The event stream of the panel: who receives which changes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { m } from '#api-messages'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banUser, changeLimits } from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  // One test locks the servers table: calls that wait for it occupy a connection, so others need spare ones.
  app = await startApp({}, { pool: 12 })
  admin = await app.signIn('admin')
})

const newUser = () => app.newUser()
const invalidates = (what: string) => (event: StreamEvent) =>
  event.event === 'account' && (event.data['changed'] as string[]).includes(what)

test('owner and managers receive a server change immediately, other users do not', async () => {
  const [owner, manager, stranger] = [await newUser(), await newUser(), await newUser()]
  const server = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const streams = [await listen(owner), await listen(manager), await listen(stranger)] as const
  await announce(app, server.credential)
  // The creation's event may still be pending.
  const isOnline = (name: string) => (event: StreamEvent) =>
    event.event === name && (event.data as { server: { public_id: string; status: string } }).server.status === 'online'
  const [toOwner, toManager] = [await streams[0].until(isOnline('server')), await streams[1].until(isOnline('managed_server'))]
  expect(toOwner.data['server']).toMatchObject({ status: 'online' })
  expect(toOwner.data['server']).not.toHaveProperty('permissions')
  expect(toManager.data).toMatchObject({ owner_id: owner.id, server: { status: 'online', permissions: ['EDIT_DETAILS'] } })
  expect(JSON.stringify([...streams[0].received, ...streams[1].received])).not.toContain(server.credential)
  // Long enough for any pending event.
  await sleep(300)
  expect(streams[2].received).toEqual([])
  for (const stream of streams) stream.close()
})

test('texts in events are in the language of the stream', async () => {
  const owner = await newUser()
  const server = await buildServer(owner)
  const [german, english] = [await listen(owner, '?language=de'), await listen(owner)]
  await announce(app, server.credential)
  await owner.call(servers.change, { params: { id: server.public_id }, body: { visible: false } })
  const reasonsOf = ({ data }: StreamEvent) =>
    (data['server'] as { listing?: { reasons: { code: string; message: string }[] } }).listing?.reasons
  const textOf = async (stream: typeof german) => {
    const isHidden = (event: StreamEvent) => event.event === 'server' && reasonsOf(event)?.some(({ code }) => code === 'HIDDEN') === true
    return reasonsOf(await stream.until(isHidden))?.find(({ code }) => code === 'HIDDEN')?.message
  }
  expect(await textOf(german)).toContain(m.list_hidden({}, { locale: 'de' }))
  expect(await textOf(english)).toContain(m.list_hidden({}, { locale: 'en' }))
  german.close()
  english.close()
  expect((await owner.fetch('/api/users/tokens/events?language=xx')).status).toBe(400)
})

test('an open panel receives every later change of managed servers', async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: markLocked } = Promise.withResolvers<void>()
  const lockHolder = app.db.transaction().execute(async (trx) => {
    await sql`lock table manager_grants in access exclusive mode`.execute(trx)
    markLocked()
    await released
  })
  await locked
  let isOpen = false
  const opening = listen(manager).finally(() => (isOpen = true))
  // Long enough for headers that are sent before the managed owners are loaded.
  await sleep(500)
  expect(isOpen).toBe(false)
  release()
  await lockHolder
  const stream = await opening
  const server = await buildServer(owner)
  expect((await stream.until((event) => event.event === 'managed_server')).data).toMatchObject({ server: { public_id: server.public_id } })
  stream.close()
})

test('player counts reach open panels of owners, and of managers while the owner has none open', async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  const server = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const hasPlayers = (count: number) => (event: StreamEvent) =>
    (event.data['server'] as { live?: { players: number } } | undefined)?.live?.players === count
  const managerStream = await listen(manager)
  await announce(app, server.credential, { playersCount: 3 })
  await managerStream.until(hasPlayers(3))
  await announce(app, server.credential, { playersCount: 4 })
  expect((await managerStream.until(hasPlayers(4))).event).toBe('managed_server')
  managerStream.close()
  const own = await listen(owner)
  await announce(app, server.credential, { playersCount: 5 })
  expect((await own.until(hasPlayers(5))).event).toBe('server')
  own.close()
})

test('granting and revoking notify both sides; a revoked manager receives no further changes', async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  const server = await buildServer(owner)
  const [own, managerStream] = [await listen(owner), await listen(manager)]
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  await Promise.all([own.until(invalidates('me')), managerStream.until(invalidates('me')), managerStream.until(invalidates('servers'))])
  managerStream.received.length = 0
  await owner.call(managers.revoke, { body: { user_id: manager.id } })
  await Promise.all([managerStream.until(invalidates('me')), managerStream.until(invalidates('servers'))])
  const serverOf = (event: StreamEvent) => event.data['server'] as { status: string; description: string } | null | undefined
  await announce(app, server.credential)
  await own.until((event) => serverOf(event)?.status === 'online')
  // Changes are sent in order: once the owner receives this one, the previous one is fully sent.
  await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'After the revoke' } })
  await own.until((event) => serverOf(event)?.description === 'After the revoke')
  expect(managerStream.received.filter((event) => serverOf(event)?.status === 'online')).toEqual([])
  own.close()
  managerStream.close()
})

test('offering, cancelling and accepting a transfer, and deleting an offered server, notify both sides', async () => {
  const [sender, recipient] = [await newUser(), await newUser()]
  const server = await buildServer(sender)
  const [senderStream, recipientStream] = [await listen(sender), await listen(recipient)]
  const expectBothNotified = async () => {
    await Promise.all([senderStream.until(invalidates('servers')), recipientStream.until(invalidates('servers'))])
    senderStream.received.length = 0
    recipientStream.received.length = 0
  }
  const { id } = await offer(sender, server.public_id, recipient.id)
  await expectBothNotified()
  await recipient.call(transfers.cancel, { params: { id } })
  await expectBothNotified()
  const again = await offer(sender, server.public_id, recipient.id)
  await expectBothNotified()
  await recipient.call(transfers.accept, { params: { id: again.id } })
  await expectBothNotified()
  const third = await offer(recipient, server.public_id, sender.id)
  await expectBothNotified()
  await recipient.call(servers.remove, { params: { id: server.public_id } })
  await expectBothNotified()
  expect((await sender.call(transfers.accept, { params: { id: third.id } })).status).toBe(404)
  senderStream.close()
  recipientStream.close()
})

test('a transfer moves the server from the panels of the previous owner and managers to those of the new ones', async () => {
  const [sender, recipient, formerManager, newManager] = [await newUser(), await newUser(), await newUser(), await newUser()]
  const server = await buildServer(sender)
  await grant(sender, formerManager.id, ['EDIT_DETAILS'])
  await grant(recipient, newManager.id, ['EDIT_DETAILS'])
  const { id } = await offer(sender, server.public_id, recipient.id)
  const streams = await Promise.all([sender, recipient, formerManager, newManager].map((user) => listen(user)))
  // A stream that receives a server's event already follows its owner.
  const other = await buildServer(recipient)
  await Promise.all([server, other].map((each) => announce(app, each.credential)))
  await Promise.all(streams.slice(2).map((stream) => stream.until((event) => event.event === 'managed_server')))
  await recipient.call(transfers.accept, { params: { id } })
  const receives = (name: string, hasServer: boolean) => (event: StreamEvent) =>
    event.event === name && event.data['public_id'] === server.public_id && (event.data['server'] !== null) === hasServer
  const [first, second, third, fourth] = streams
  await first?.until(receives('server', false))
  await second?.until(receives('server', true))
  await third?.until(receives('managed_server', false))
  const received = await fourth?.until(receives('managed_server', true))
  expect(received?.data).toMatchObject({ owner_id: recipient.id, server: { user_id: recipient.id, permissions: ['EDIT_DETAILS'] } })
  for (const stream of streams) stream.close()
})

test('a manager revoked while their panel is open receives no events of a later transfer', async () => {
  const [owner, manager, recipient] = [await newUser(), await newUser(), await newUser()]
  const server = await buildServer(owner)
  const [own, managerStream] = [await listen(owner), await listen(manager)]
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  await managerStream.until(invalidates('servers'))
  await announce(app, server.credential)
  await managerStream.until((event) => event.event === 'managed_server')
  await owner.call(managers.revoke, { body: { user_id: manager.id } })
  await own.until(invalidates('me'))
  await sleep(300)
  own.received.length = 0
  managerStream.received.length = 0
  const { id } = await offer(owner, server.public_id, recipient.id)
  await recipient.call(transfers.accept, { params: { id } })
  await own.until((event) => event.event === 'server' && event.data['server'] === null)
  // Long enough for any pending event.
  await sleep(300)
  expect(managerStream.received).toEqual([])
  own.close()
  managerStream.close()
})

test('a new manager with an open panel receives changes immediately', async () => {
  const [owner, manager] = [await newUser(), await newUser()]
  const server = await buildServer(owner)
  const stream = await listen(manager)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  await announce(app, server.credential)
  const change = await stream.until((event) => event.event === 'managed_server')
  expect(change.data).toMatchObject({ public_id: server.public_id, owner_id: owner.id })
  stream.close()
})

const waitsForServers = async () => {
  const { rows } = await sql`select from pg_locks where not granted and relation = 'servers'::regclass
    and database = (select oid from pg_database where datname = current_database())`.execute(app.db)
  return rows.length > 0
}

test('many changes at once cause an event to reload the list, and at most 50 single events', async () => {
  const owner = await newUser()
  await admin.call(changeLimits, { params: { id: owner.id }, body: { max_masterlist_tokens: 80 } })
  const created = []
  for (let count = 0; count < 80; count += 1) created.push(await buildServer(owner))
  const stream = await listen(owner)
  // Events of their creation are sent within a second.
  await sleep(1500)
  stream.received.length = 0
  const [first, ...others] = created.map((server) => () => announce(app, server.credential))
  // All changes queue behind a first one that cannot be read, regardless of timing.
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table servers in access exclusive mode`.execute(trx)
    await first?.()
    await expect.poll(waitsForServers).toBe(true)
    await Promise.all(others.map((send) => send()))
    // The list is notified within a second.
    await sleep(1500)
  })
  await stream.until(invalidates('servers'))
  // Long enough for any pending event.
  await sleep(500)
  expect(stream.received.filter((event) => event.event === 'server').length).toBeLessThanOrEqual(50)
  stream.close()
})

test('a ban closes every open stream and prevents new ones', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const [first, second, theirs] = [await listen(user), await listen(user), await listen(other)]
  await admin.call(banUser, { params: { id: user.id }, body: { banned: true } })
  await expect.poll(() => first.hasEnded() && second.hasEnded(), { interval: 10 }).toBe(true)
  expect(first.received.some(invalidates('me'))).toBe(true)
  expect(theirs.hasEnded()).toBe(false)
  expect((await user.fetch('/api/users/tokens/events')).status).toBe(403)
  theirs.close()
})

test('requesting a deletion notifies the other tabs and closes their streams', async () => {
  const user = await newUser()
  const stream = await listen(user)
  await user.call(account.requestDeletion)
  expect(await stream.until(invalidates('me'))).toMatchObject({ event: 'account' })
  await expect.poll(stream.hasEnded, { interval: 10 }).toBe(true)
})

/** Deliveries survive a restart and the death of a node, and of several nodes one sends each. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Receiver, type ReceiverHost, makeDeliveriesDue, startReceiverHost } from '#tests/webhook-receiver.ts'
import { updateUser } from '#backend/core/users/users.ts'

let host: ReceiverHost
beforeAll(async () => {
  host = await startReceiverHost()
})
afterAll(() => host.close())

async function listen(user: SignedInUser): Promise<Receiver> {
  const receiver = host.open()
  const created = await user.call(webhooks.create, {
    body: { name: 'Hook', kind: 'standard', url: receiver.url, events: ['server.created'] },
  })
  expect(created.status, created.text).toBe(200)
  return receiver
}

test('of several nodes, one sends each event', async () => {
  const app = await startApp({}, { isShared: true, postPublic: host.postPublic })
  const node = await app.addNode()
  const users = await Promise.all([1, 2, 3].map(() => app.newUser()))
  const receivers = await Promise.all(users.map((user) => listen(user)))
  for (const user of users) await updateUser(app.db, user.id, { max_servers: 50 })
  await Promise.all(
    users.flatMap((user) => Array.from({ length: 10 }, (_, n) => buildServer(n % 2 === 0 ? user : (user.at(node) as SignedInUser)))),
  )
  for (const { received } of receivers) {
    await expect.poll(() => received.length).toBe(10)
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(10)
  }
})

test('a backlog survives a restart', async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  receiver.answer({ status: 500 })
  await buildServer(user)
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(2)
  await app.restart(() => {
    receiver.answer({})
    return Promise.resolve()
  })
  await makeDeliveriesDue(app)
  await expect.poll(() => receiver.received.length).toBe(4)
})

/** What a node leaves behind that was killed this long ago, during an attempt. */
async function claimAsDeadNode(app: TestApp, expiresInSeconds: number): Promise<void> {
  await makeDeliveriesDue(app)
  await sql`update webhooks set claimed_until = now() + make_interval(secs => ${expiresInSeconds})`.execute(app.db)
}

test('a delivery that a dead node was sending is sent by another one, and not before', async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  receiver.answer({ status: 500 })
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.answer({})
  await app.restart(() => claimAsDeadNode(app, 3))
  await buildServer(user)
  await app.runJob('send-due-deliveries')
  expect(receiver.received).toHaveLength(1)
  await expect.poll(() => receiver.received.length).toBe(3)
})

test('a node that is slow to hear from a receiver keeps its delivery, and sends the next ones after it', async () => {
  const app = await startApp({}, { isShared: true, postPublic: host.postPublic })
  const node = await app.addNode()
  const user = await app.newUser()
  const receiver = await listen(user)
  const reply = Promise.withResolvers<object>()
  receiver.answer(() => reply.promise)
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  await buildServer(user.at(node) as SignedInUser)
  await app.runJob('send-due-deliveries')
  expect(receiver.received).toHaveLength(1)
  reply.resolve({})
  await expect.poll(() => receiver.received.length).toBe(2)
})

/** Deliveries survive a restart and the death of a node, and of several nodes one sends each. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as webhooks from '#contract/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Receiver, type ReceiverHost, startReceiverHost, startWaitingJobs } from '#tests/webhook-receiver.ts'
import { setServerLimit } from '#backend/features/users/users.ts'

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
  for (const user of users) await setServerLimit(app.db, user.id, 50)
  await Promise.all(
    users.flatMap((user) => Array.from({ length: 10 }, (_, n) => buildServer(n % 2 === 0 ? user : (user.at(node) as SignedInUser)))),
  )
  for (const { received } of receivers) {
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(10)
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
  await startWaitingJobs(app)
  await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(4)
})

/** Looks for dead nodes twice, because the first look only remembers them. */
async function releaseOrphans(app: TestApp): Promise<void> {
  await app.runJob('release-orphaned-jobs')
  await app.runJob('release-orphaned-jobs')
}

// A busy machine may need more than the moment to connect again.
test('a live node keeps its jobs, even if it loses its connections for a moment', { retry: 1 }, async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  const reply = Promise.withResolvers<object>()
  receiver.answer(() => reply.promise)
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  const lock = async () => (await sql<{ by: string }>`select locked_by as by from graphile_worker.jobs`.execute(app.db)).rows[0]?.by
  const node = await lock()
  const connections = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where application_name = ${node}`.execute(app.db)
    return rows.map(({ pid }) => pid)
  }
  await expect.poll(connections).not.toEqual([])
  await releaseOrphans(app)
  await sql`select pg_terminate_backend(pid, 1000) from unnest(${await connections()}::int[]) pid`.execute(app.db)
  // The job also runs each second. Once more here would be a second look during a slow reconnect.
  await expect.poll(connections, { timeout: 8000 }).not.toEqual([])
  await releaseOrphans(app)
  expect(await lock()).toBe(node)
  reply.resolve({})
  await expect.poll(lock).toBeUndefined()
  expect(receiver.received).toHaveLength(1)
})

test('a delivery that a dead node was sending is sent by another one', async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  receiver.answer({ status: 500 })
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.answer({})
  await app.restart(async () => {
    // What a killed node leaves behind.
    const dead = `pool-${randomUUID()}`
    const lock = sql`set locked_by = ${dead}, locked_at = now() - interval '4 seconds'`
    await sql`update graphile_worker._private_jobs ${lock}, run_at = now()`.execute(app.db)
    await sql`update graphile_worker._private_job_queues ${lock}`.execute(app.db)
  })
  await buildServer(user)
  expect(receiver.received).toHaveLength(1)
  await releaseOrphans(app)
  await expect.poll(() => receiver.received.length, { timeout: 8000 }).toBe(3)
})

test('the daily clean-up deletes unused queues, and a delivery whose queue it deleted gets another one', async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  const queues = async () =>
    (await sql`select from graphile_worker._private_job_queues where queue_name like 'webhook:%'`.execute(app.db)).rows
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect.poll(async () => (await sql`select from graphile_worker.jobs`.execute(app.db)).rows).toEqual([])
  expect(await queues()).toHaveLength(1)
  await app.runJob('clean-up-job-queue')
  expect(await queues()).toEqual([])
  receiver.answer({ status: 500 })
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(2)
  receiver.answer({})
  await expect
    .poll(async () => (await sql`select from graphile_worker.jobs where locked_at is null and run_at > now()`.execute(app.db)).rows)
    .toHaveLength(1)
  await app.runJob('clean-up-job-queue')
  expect(await queues()).toHaveLength(1)
  await sql`delete from graphile_worker._private_job_queues`.execute(app.db)
  await app.db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: new Date(Date.now() - 600_000) })
    .where('state', '=', 'pending')
    .execute()
  await app.runJob('recover-deliveries')
  await expect.poll(() => receiver.received.length, { timeout: 8000 }).toBe(3)
})

test('a delivery without a job, such as after the database was copied, gets one', async () => {
  const app = await startApp({}, { postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = await listen(user)
  receiver.answer({ status: 500 })
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  receiver.answer({})
  await expect
    .poll(
      async () => (await sql`delete from graphile_worker._private_jobs where locked_at is null returning id`.execute(app.db)).rows.length,
    )
    .toBe(1)
  await app.runJob('recover-deliveries')
  expect((await sql`select from graphile_worker.jobs`.execute(app.db)).rows).toEqual([])
  await app.db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: new Date(Date.now() - 600_000) })
    .execute()
  await app.runJob('recover-deliveries')
  await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(2)
})

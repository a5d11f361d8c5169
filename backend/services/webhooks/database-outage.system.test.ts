/** The queue works again after an outage of the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildServer } from '#tests/factories.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { startApp } from '#tests/harness.ts'
import { startReceiverHost } from '#tests/webhook-receiver.ts'

test('deliveries continue after the connections to the database were cut', { timeout: 90_000 }, async () => {
  const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
  const host = await startReceiverHost()
  const app = await startApp({}, { postgres: proxy.connection, postPublic: host.postPublic })
  const user = await app.newUser()
  const receiver = host.open()
  await user.call(webhooks.create, { body: { name: 'Hook', kind: 'standard', url: receiver.url, events: ['server.created'] } })
  await buildServer(user)
  await expect.poll(() => receiver.received.length).toBe(1)
  // A delivery whose result could not be stored waits until its claim expires.
  const countPending = async () =>
    (await app.db.selectFrom('webhook_deliveries').select('id').where('state', '=', 'pending').execute()).length
  await expect.poll(countPending).toBe(0)
  proxy.cut()
  await sleep(18_000)
  proxy.restore()
  await expect.poll(async () => (await app.anonymous.fetch('/readyz')).status, { timeout: 20_000 }).toBe(200)
  await buildServer(user)
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2)
  app.takeLogs()
  await app.close()
  proxy.close()
  host.close()
})

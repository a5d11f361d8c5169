/** A transfer deletes the live state of the former owner, including unsaved parts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

/** Longer than an attempt stays unsaved. */
const SAVED_AFTER_MS = 1500

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

async function transferAfter(act: (credential: string) => Promise<unknown>): Promise<{ recipient: SignedInUser; id: string }> {
  const [sender, recipient] = [await app.newUser(), await app.newUser()]
  const server = await buildServer(sender)
  const { id } = await offer(sender, server.public_id, recipient.id)
  await act(server.credential)
  expect((await recipient.call(transfers.accept, { params: { id } })).status).toBe(204)
  return { recipient, id: server.public_id }
}

const attemptsOf = async (user: SignedInUser, id: string) => (await user.call(servers.announces, { params: { id } })).data

test('the new owner never sees unsaved attempts of the former owner', async () => {
  const { recipient, id } = await transferAfter(async (credential) => {
    expect((await announce(app, credential)).status).toBe(200)
    expect((await announce(app, credential, { port: 0 })).status).toBe(400)
  })
  expect(await attemptsOf(recipient, id)).toEqual([])
  await sleep(SAVED_AFTER_MS)
  expect(await attemptsOf(recipient, id)).toEqual([])
})

test('announces in flight during a transfer leave neither an address nor attempts to the new owner', async () => {
  for (let round = 0; round < 10; round += 1) {
    const pending: Promise<Response>[] = []
    const { recipient, id } = await transferAfter((credential) => {
      // These announces bind an address in the database. The owner changes before the binding returns.
      for (let count = 0; count < 5; count += 1) pending.push(announce(app, credential))
      return Promise.resolve()
    })
    await Promise.all(pending)
    await sleep(SAVED_AFTER_MS / 10)
    const reply = await recipient.call(servers.get, { params: { id } })
    expect(reply.text).not.toContain('127.0.0.1')
    expect(await attemptsOf(recipient, id)).toEqual([])
  }
  await sleep(SAVED_AFTER_MS)
  expect(await app.db.selectFrom('announce_attempts').select('server_id').execute()).toEqual([])
})

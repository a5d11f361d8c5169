/** How an offer ends: declined, withdrawn, expired. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { buildServer, offer } from '#tests/factories.ts'
import { type TestUser, startApp, type TestApp } from '#tests/harness.ts'
import { expireTransfers } from './withdrawal.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

const newUser = () => app.newUser()
const list = async (user: TestUser) => (await user.call(servers.list)).data
const accept = (user: TestUser, id: string) => user.call(transfers.accept, { params: { id } })
const cancel = (user: TestUser, id: string) => user.call(transfers.cancel, { params: { id } })
const propose = (user: TestUser, token_id: string, user_id: string) => user.call(transfers.offer, { body: { token_id, user_id } })
const expireOffer = (id: string) =>
  app.db
    .updateTable('transfers')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()

async function createOffer() {
  const [sender, recipient] = [await newUser(), await newUser()]
  const server = await buildServer(sender)
  const created = await offer(sender, server.public_id, recipient.id)
  return { sender, recipient, server, offer: created, id: created.id }
}

describe('ending', () => {
  test('the sender can cancel and the recipient can decline; others get 404', async () => {
    for (const side of ['sender', 'recipient'] as const) {
      const { server, id, ...parties } = await createOffer()
      expect((await cancel(await newUser(), id)).status).toBe(404)
      expect((await cancel(parties[side], id)).status).toBe(204)
      expect((await cancel(parties[side], id)).status).toBe(404)
      expect((await accept(parties.recipient, id)).status).toBe(404)
      expect((await list(parties.sender)).owned.map((server) => server.public_id)).toEqual([server.public_id])
    }
  })

  test('an offer ends when its server is deleted', async () => {
    const { sender, recipient, server, id } = await createOffer()
    expect((await sender.call(servers.remove, { params: { id: server.public_id } })).status).toBe(204)
    expect((await list(recipient)).incoming_transfers).toEqual([])
    expect((await accept(recipient, id)).status).toBe(404)
  })

  test('an expired offer cannot be accepted or cancelled, even before the job deletes it, and the server can be offered again', async () => {
    const { sender, recipient, server, id } = await createOffer()
    await expireOffer(id)
    expect((await accept(recipient, id)).status).toBe(404)
    expect((await cancel(sender, id)).status).toBe(404)
    expect([(await list(sender)).outgoing_transfers, (await list(recipient)).incoming_transfers]).toEqual([[], []])
    expect((await propose(sender, server.public_id, recipient.id)).status).toBe(200)
  })

  test('concurrent jobs delete each expired offer once', async () => {
    const created = [await createOffer(), await createOffer(), await createOffer()]
    for (const { id } of created) await expireOffer(id)
    await Promise.all(Array.from({ length: 6 }, () => expireTransfers(app)))
    const ids = created.map(({ server }) => server.public_id)
    const expired = await app.db
      .selectFrom('activity')
      .select('server_id')
      .where('action', '=', 'TRANSFER_LAPSED')
      .where('server_id', 'in', ids)
      .execute()
    expect(expired.map((entry) => entry.server_id).toSorted()).toEqual(ids.toSorted())
  })
})

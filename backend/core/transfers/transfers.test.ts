/** Transfers of servers: offering, accepting, and ending. */
import { beforeAll, describe, expect, test } from 'vitest'
import { exportData } from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { announce, ban, buildServer, grant, scheduleDeletion, offer, setTier } from '#tests/factories.ts'
import { type TestUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

const newUser = () => app.newUser()
const list = async (user: TestUser) => (await user.call(servers.list)).data
const accept = (user: TestUser, id: string) => user.call(transfers.accept, { params: { id } })
const cancel = (user: TestUser, id: string) => user.call(transfers.cancel, { params: { id } })
const propose = (user: TestUser, token_id: string, user_id: string) => user.call(transfers.offer, { body: { token_id, user_id } })

async function createOffer() {
  const [sender, recipient] = [await newUser(), await newUser()]
  const server = await buildServer(sender)
  const created = await offer(sender, server.public_id, recipient.id)
  return { sender, recipient, server, offer: created, id: created.id }
}

describe('offering', () => {
  test('shows the offer to both sides and moves nothing', async () => {
    const { sender, recipient, server, offer: created } = await createOffer()
    expect(created).toMatchObject({
      token: { public_id: server.public_id, name: server.name, icon_url: null },
      from_user: { id: sender.id },
      to_user: { id: recipient.id },
      obstacles: [],
      effects: [],
    })
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(7 * 86_400_000)
    const [ofSender, ofRecipient] = [await list(sender), await list(recipient)]
    expect(ofSender.outgoing_transfers).toEqual([created])
    expect(ofSender.incoming_transfers).toEqual([])
    expect(ofSender.owned.map((server) => server.public_id)).toEqual([server.public_id])
    expect(ofRecipient.incoming_transfers).toMatchObject([{ id: created.id, from_user: { id: sender.id } }])
    expect(ofRecipient.outgoing_transfers).toEqual([])
    expect(ofRecipient.owned).toEqual([])
    expect((await announce(app, server.credential)).status).toBe(200)
  })

  test("is rejected for another user's server, to oneself, to an unknown user, and with a bad body", async () => {
    const [sender, other] = [await newUser(), await newUser()]
    const [mine, theirs] = [await buildServer(sender), await buildServer(other)]
    expect((await propose(sender, theirs.public_id, other.id)).status).toBe(404)
    expect((await propose(sender, theirs.public_id, sender.id)).status).toBe(404)
    expect((await propose(sender, 'nothing', other.id)).status).toBe(404)
    const toMyself = await propose(sender, mine.public_id, sender.id)
    expect([toMyself.status, toMyself.error.errors]).toEqual([400, ['This server is already yours. Choose another user.']])
    expect((await propose(sender, mine.public_id, '0198c000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await propose(sender, mine.public_id, 'bob')).status).toBe(400)
    expect((await sender.call(transfers.offer, { body: { token_id: mine.public_id } as never })).status).toBe(400)
    expect((await list(sender)).outgoing_transfers).toEqual([])
  })

  test('is rejected with the same message for banned users and those awaiting deletion', async () => {
    const [sender, banned, leaving] = [await newUser(), await newUser(), await newUser()]
    const server = await buildServer(sender)
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    const responses = [await propose(sender, server.public_id, banned.id), await propose(sender, server.public_id, leaving.id)]
    expect(responses.map((response) => response.status)).toEqual([400, 400])
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
  })

  test('is limited to one pending transfer per server', async () => {
    const { sender, recipient, server, id } = await createOffer()
    const again = await propose(sender, server.public_id, recipient.id)
    expect([again.status, again.error.isBusiness]).toEqual([409, false])
    expect(again.error.errors).toEqual(['This server already has a pending transfer. Cancel it first.'])
    expect((await cancel(sender, id)).status).toBe(204)
    expect((await propose(sender, server.public_id, recipient.id)).status).toBe(200)
  })

  test('is rejected for a manager of the server', async () => {
    const { sender, recipient, server, id } = await createOffer()
    await cancel(sender, id)
    await grant(sender, recipient.id, ['EDIT_DETAILS', 'EDIT_APPEARANCE', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'])
    expect((await propose(recipient, server.public_id, (await newUser()).id)).status).toBe(404)
  })
})

describe('accepting', () => {
  test('moves the server, revokes its credential, and keeps it off the list until the new owner issues one', async () => {
    const { sender, recipient, server, id } = await createOffer()
    expect((await announce(app, server.credential)).status).toBe(200)
    expect((await accept(recipient, id)).status).toBe(204)
    const rejected = await announce(app, server.credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([401, 'CREDENTIAL_REVOKED'])
    await expect.poll(async () => (await fetch(`${app.listUrl}/servers`)).text()).not.toContain(server.public_id)
    const [ofSender, ofRecipient] = [await list(sender), await list(recipient)]
    expect([ofSender.owned, ofSender.outgoing_transfers, ofRecipient.incoming_transfers]).toEqual([[], [], []])
    expect(ofRecipient.owned).toMatchObject([
      {
        public_id: server.public_id,
        name: server.name,
        user_id: recipient.id,
        credential_hint: '',
        bound_address: null,
        bound_at: null,
        status: 'never_seen',
        listing: { listed: false, reasons: [{ code: 'NO_CREDENTIAL' }] },
      },
    ])
    expect((await sender.call(servers.get, { params: { id: server.public_id } })).status).toBe(404)
    const reissued = await recipient.call(servers.reissue, { params: { id: server.public_id } })
    expect((await announce(app, reissued.data.credential)).status).toBe(200)
    expect((await recipient.call(servers.get, { params: { id: server.public_id } })).data.listing.listed).toBe(true)
  })

  test("hides the former owner's addresses from the new owner, their managers and the public", async () => {
    const { sender, recipient, server, id } = await createOffer()
    const manager = await newUser()
    await grant(recipient, manager.id, ['EDIT_DETAILS'])
    await announce(app, server.credential)
    await announce(app, server.credential, { port: 0 })
    const attempts = async (user: TestUser) => (await user.call(servers.announces, { params: { id: server.public_id } })).data
    expect((await attempts(sender)).length).toBeGreaterThan(1)
    const rows = () => app.db.selectFrom('presence').select('server_id').where('server_id', '=', server.public_id).execute()
    await expect.poll(async () => (await rows()).length).toBe(1)
    await accept(recipient, id)
    // The former owner's game server keeps announcing for a while.
    expect((await announce(app, server.credential)).status).toBe(401)
    expect([await attempts(recipient), await attempts(manager)]).toEqual([[], []])
    expect(await rows()).toEqual([])
    const shown = await recipient.call(servers.get, { params: { id: server.public_id } })
    expect(shown.text).not.toContain('127.0.0.1')
    expect(shown.data.credential_last_used_at).toBeNull()
    expect(await (await fetch(`${app.listUrl}/servers/${server.public_id}`)).text()).not.toContain('127.0.0.1')
    const { data } = await recipient.call(exportData)
    const { announce_attempts, presence, credentials, credential_uses } = data.held
    expect([announce_attempts, presence, credentials, credential_uses]).toEqual([[], [], [], []])
  })

  test('keeps its state after the transfer across a restart', async () => {
    const own = await startApp()
    const [sender, recipient] = [await own.signIn('sender'), await own.signIn('recipient')]
    const server = await buildServer(sender)
    await announce(own, server.credential)
    const { id } = await offer(sender, server.public_id, recipient.id)
    await accept(recipient, id)
    await own.restart()
    const shown = await recipient.call(servers.get, { params: { id: server.public_id } })
    expect(shown.data).toMatchObject({ status: 'never_seen', live: null, listing: { listed: false } })
    expect(await (await fetch(`${own.listUrl}/servers`)).json()).toEqual([])
  })

  test('revokes both credentials if one was in its grace period', async () => {
    const { recipient, sender, server, id } = await createOffer()
    const newer = await sender.call(servers.reissue, { params: { id: server.public_id }, body: { grace_seconds: 3600 } })
    expect((await announce(app, server.credential)).status).toBe(200)
    await accept(recipient, id)
    expect((await announce(app, server.credential)).status).toBe(401)
    expect((await announce(app, newer.data.credential)).status).toBe(401)
  })

  test("removes access from the sender's managers and gives it to the new owner's", async () => {
    const { sender, recipient, server, id } = await createOffer()
    const [formerManager, newManager] = [await newUser(), await newUser()]
    await grant(sender, formerManager.id, ['EDIT_DETAILS'])
    await grant(recipient, newManager.id, ['EDIT_DETAILS'])
    await accept(recipient, id)
    const params = (ownerId: string) => ({ params: { ownerId, serverId: server.public_id } })
    expect((await formerManager.call(managers.managed, params(sender.id))).status).toBe(404)
    expect((await formerManager.call(managers.managed, params(recipient.id))).status).toBe(404)
    expect((await newManager.call(managers.managed, params(recipient.id))).status).toBe(200)
  })

  test('is only for the recipient, and works only once', async () => {
    const { sender, recipient, id } = await createOffer()
    expect((await accept(await newUser(), id)).status).toBe(404)
    const bySender = await accept(sender, id)
    expect([bySender.status, bySender.error.errors[0]]).toEqual([403, 'Only the recipient can accept a transfer. You can cancel it.'])
    expect((await accept(recipient, id)).status).toBe(204)
    for (const again of [await accept(recipient, id), await cancel(recipient, id), await cancel(sender, id)]) expect(again.status).toBe(404)
    expect((await accept(recipient, 'nothing')).status).toBe(404)
  })

  test("is rejected at the recipient's limit, which the offer shows beforehand", async () => {
    const { sender, recipient, server, id } = await createOffer()
    for (let created = 0; created < 3; created += 1) await buildServer(recipient)
    const [incoming] = (await list(recipient)).incoming_transfers
    expect(incoming?.obstacles).toEqual([
      { code: 'SERVER_LIMIT', message: 'You have 3 of 3 servers. Delete or transfer one of yours, then accept.' },
    ])
    expect((await list(sender)).outgoing_transfers[0]?.obstacles).toEqual([])
    const rejected = await accept(recipient, id)
    expect([rejected.status, rejected.error.errors]).toEqual([403, ['You have reached your limit of 3 servers.']])
    expect((await list(sender)).owned.map((server) => server.public_id)).toEqual([server.public_id])
    await setTier(app, recipient.id, 'BRONZE')
    expect((await list(recipient)).incoming_transfers[0]?.obstacles).toEqual([])
    expect((await accept(recipient, id)).status).toBe(204)
  })

  test('hides the fields that the new owner lacks the benefit for, until they have it', async () => {
    const { sender, recipient, server, id } = await createOffer()
    await setTier(app, sender.id, 'RUBY')
    const vanity = `moved-${recipient.id.slice(-8)}`
    await sender.call(servers.change, { params: { id: server.public_id }, body: { vanity_url: vanity, promoted: true } })
    const codes = (await list(recipient)).incoming_transfers[0]?.effects.map((effect) => effect.code)
    expect(codes).toEqual(['CREDENTIAL_ENDS', 'ADDRESS_CLEARED', 'MANAGERS_CHANGE', 'CUSTOM_VANITY_URL_MISSING', 'PROMOTED_MISSING'])
    await accept(recipient, id)
    const onList = async () => (await (await fetch(`${app.listUrl}/servers/${server.public_id}`)).json()) as Record<string, unknown>
    expect(await onList()).toMatchObject({ vanityUrl: '', promoted: false })
    await setTier(app, recipient.id, 'RUBY')
    await recipient.call(servers.change, { params: { id: server.public_id }, body: { description: 'Changed' } })
    expect(await onList()).toMatchObject({ vanityUrl: vanity, promoted: true })
  })

  test('ends the promotion if the new owner promotes another server', async () => {
    const { sender, recipient, server, id } = await createOffer()
    for (const user of [sender, recipient]) await setTier(app, user.id, 'RUBY')
    const other = await buildServer(recipient, { promoted: true })
    await sender.call(servers.change, { params: { id: server.public_id }, body: { promoted: true } })
    expect((await list(recipient)).incoming_transfers[0]?.effects.map((effect) => effect.code)).toContain('PROMOTION_GIVES_WAY')
    expect((await accept(recipient, id)).status).toBe(204)
    const promoted = (await list(recipient)).owned.filter((server) => server.promoted).map((server) => server.public_id)
    expect(promoted).toEqual([other.public_id])
  })

  test('shows beforehand that the server is banned, and keeps the ban', async () => {
    const { recipient, server, id } = await createOffer()
    await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', server.public_id).execute()
    expect((await list(recipient)).incoming_transfers[0]?.effects[0]?.code).toBe('SERVER_BANNED')
    expect((await accept(recipient, id)).status).toBe(204)
    expect((await list(recipient)).owned[0]).toMatchObject({ banned: true, listing: { reasons: [{ code: 'SERVER_BANNED' }, {}] } })
  })

  test('works with a sender awaiting deletion, but not with a banned one', async () => {
    const [first, second] = [await createOffer(), await createOffer()]
    await scheduleDeletion(app, first.sender.id)
    const [incoming] = (await list(first.recipient)).incoming_transfers
    // The offer expires with the sender's account.
    expect(Date.parse(incoming?.expires_at ?? '') - Date.now()).toBeLessThanOrEqual(86_400_000)
    expect((await accept(first.recipient, first.id)).status).toBe(204)
    await ban(app, second.sender.id)
    expect((await accept(second.recipient, second.id)).status).toBe(404)
  })

  test('is rejected for recipients who are banned or awaiting deletion', async () => {
    const [first, second] = [await createOffer(), await createOffer()]
    await ban(app, first.recipient.id)
    await scheduleDeletion(app, second.recipient.id)
    expect((await accept(first.recipient, first.id)).status).toBe(403)
    expect((await accept(second.recipient, second.id)).status).toBe(403)
  })
})

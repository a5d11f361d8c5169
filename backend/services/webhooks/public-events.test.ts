/** Which public events follow from what happens, and who receives them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as protection from '#contract/protection/protection.ts'
import { PUBLIC_EVENT_TYPES } from '#contract/events/public-events.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { announce, buildServer, grant, offer, setTier } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type Receiver, type ReceiverHost, startReceiverHost } from '#tests/webhook-receiver.ts'

let app: TestApp
let host: ReceiverHost

beforeAll(async () => {
  host = await startReceiverHost()
  app = await startApp({}, { postPublic: host.postPublic })
})
afterAll(() => host.close())

/** Events of live servers have tests of their own, and a job publishes them at any time. */
const LIVE = ['server.online', 'server.offline', 'server.listed', 'server.unlisted', 'players.threshold', 'address.bound']

/** A new user whose receiver gets all other events, or the given ones. */
async function buildListener(input: Partial<webhooks.NewWebhook> = {}): Promise<{ user: SignedInUser; receiver: Receiver }> {
  const [user, receiver] = [await app.newUser(), host.open()]
  await listen(user, receiver, input)
  return { user, receiver }
}

async function listen(user: SignedInUser, { url }: Receiver, input: Partial<webhooks.NewWebhook> = {}): Promise<void> {
  const body = { name: 'All', kind: 'standard' as const, url, events: PUBLIC_EVENT_TYPES.filter((type) => !LIVE.includes(type)), ...input }
  const created = await user.call(webhooks.create, { body })
  expect(created.status, created.text).toBe(200)
}

async function expectTypes(receiver: Receiver, ...types: readonly string[]): Promise<void> {
  await expect.poll(() => receiver.types()).toEqual(types)
}

const dataOf = ({ received }: Receiver, type: string) => received.find(({ event }) => event.type === type)?.event.data
const idOf = (user: SignedInUser) => ({ params: { id: user.id } })

test('transfers reach both sides, each with its role', async () => {
  const events = ['transfer.offered', 'transfer.declined', 'transfer.cancelled', 'transfer.accepted'] as const
  const [sender, recipient] = [await buildListener({ events: [...events] }), await buildListener({ events: [...events] })]
  const server = await buildServer(sender.user)
  const offerIt = () => offer(sender.user, server.public_id, recipient.user.id)
  await recipient.user.call(transfers.cancel, { params: { id: (await offerIt()).id } })
  await sender.user.call(transfers.cancel, { params: { id: (await offerIt()).id } })
  await recipient.user.call(transfers.accept, { params: { id: (await offerIt()).id } })
  const types = ['offered', 'declined', 'offered', 'cancelled', 'offered', 'accepted'].map((what) => `transfer.${what}`)
  await expectTypes(sender.receiver, ...types)
  await expectTypes(recipient.receiver, ...types)
  expect(dataOf(sender.receiver, 'transfer.offered')).toMatchObject({ role: 'sender', server: { public_id: server.public_id } })
  expect(dataOf(recipient.receiver, 'transfer.offered')).toMatchObject({ role: 'recipient' })
})

test('managers: granted, changed, revoked and left reach both sides', async () => {
  const [owner, manager] = [await buildListener(), await buildListener()]
  await grant(owner.user, manager.user.id, ['EDIT_DETAILS'])
  await grant(owner.user, manager.user.id, ['RESET_ADDRESS'])
  await owner.user.call(managers.revoke, { body: { user_id: manager.user.id } })
  const { id } = await grant(owner.user, manager.user.id, ['RESET_ADDRESS'])
  await manager.user.call(managers.resign, { params: { id } })
  const types = ['granted', 'changed', 'revoked', 'granted', 'left'].map((what) => `manager.${what}`)
  await expectTypes(owner.receiver, ...types)
  await expectTypes(manager.receiver, ...types)
  expect(dataOf(manager.receiver, 'manager.left')).toEqual({ role: 'manager' })
})

test('servers, credentials, addresses and bans reach the owner, without a secret or an address', async () => {
  const { user, receiver } = await buildListener()
  const admin = await app.signIn('admin')
  const server = await buildServer(user)
  const params = { id: server.public_id }
  await announce(app, server.credential)
  await user.call(servers.resetAddress, { params })
  const reissued = await user.call(servers.reissue, { params })
  await admin.call(banServer, { params, body: { banned: true, reason: 'Spam' } })
  await admin.call(banServer, { params, body: { banned: false } })
  await user.call(servers.remove, { params })
  const types = ['server.created', 'address.reset', 'credential.reissued', 'server.banned', 'server.unbanned', 'server.deleted']
  await expectTypes(receiver, ...types)
  expect(dataOf(receiver, 'server.banned')).toMatchObject({ reason: 'Spam', until: null })
  const sent = receiver.received.map(({ body }) => body).join('\n')
  for (const secret of [server.credential, reissued.data.credential, '127.0.0.1', admin.id]) expect(sent).not.toContain(secret)
})

test('issues, benefits, tiers and the account reach the owner', async () => {
  const { user, receiver } = await buildListener()
  const admin = await app.signIn('admin')
  const server = await buildServer(user)
  const mismatch = { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, summary: 'Seen from 203.0.113.9.' } as const
  const { id } = await raiseIssue(app, user, mismatch)
  for (const consequence of ['NOTICE', 'UNLISTED', 'UNRANKED'] as const)
    expect((await admin.call(protection.changeIssue, { params: { id }, body: { consequence } })).status).toBe(200)
  await raiseIssue(app, user, { kind: 'REVOKED_CREDENTIAL', publicId: server.public_id })
  await user.call(servers.reissue, { params: { id: server.public_id } })
  await admin.call(usersAdmin.grantBenefit, { params: { id: user.id, key: 'PROMOTED' } })
  await admin.call(usersAdmin.takeBenefit, { params: { id: user.id, key: 'PROMOTED' } })
  await admin.call(usersAdmin.forceTier, { ...idOf(user), body: { tier_id: 'BRONZE' } })
  await user.call(account.requestDeletion)
  await user.call(account.cancelDeletion)
  await admin.call(usersAdmin.banUser, { ...idOf(user), body: { banned: true, banReason: 'Rude' } })
  await admin.call(usersAdmin.banUser, { ...idOf(user), body: { banned: false } })
  const expected =
    'server.created issue.opened address.mismatch issue.escalated issue.opened credential.old_in_use issue.resolved credential.reissued benefit.granted ' +
    'benefit.lapsed benefit.granted account.deletion_scheduled account.deletion_cancelled account.banned account.unbanned'
  await expect.poll(() => receiver.types().toSorted()).toEqual(expected.split(' ').toSorted())
  expect(dataOf(receiver, 'issue.escalated')).toMatchObject({ consequence: 'UNLISTED' })
  expect(dataOf(receiver, 'address.mismatch')).toMatchObject({ kind: 'ADDRESS_MISMATCH', summary: 'Announced from another address' })
  expect(receiver.received.map(({ event }) => event.data['benefit']).filter(Boolean)).toEqual([
    'PROMOTED',
    'PROMOTED',
    'MASTERLIST_TOKEN_CARD_ICONS',
  ])
  expect(receiver.received.map(({ body }) => body).join('\n')).not.toContain('203.0.113.9')
})

test('only benefits that the owner gains or loses are sent: a grant beside the tier changes nothing', async () => {
  const { user, receiver } = await buildListener({ events: ['benefit.granted', 'benefit.lapsed'] })
  const admin = await app.signIn('admin')
  const icons = { params: { id: user.id, key: 'MASTERLIST_TOKEN_CARD_ICONS' } }
  const force = (tier_id: 'BRONZE' | null) => admin.call(usersAdmin.forceTier, { ...idOf(user), body: { tier_id } })
  await setTier(app, user.id, 'BRONZE')
  for (const reply of [
    await admin.call(usersAdmin.grantBenefit, icons),
    await admin.call(usersAdmin.takeBenefit, icons),
    await force('BRONZE'),
    await force(null),
    await admin.call(usersAdmin.grantBenefit, { params: { id: user.id, key: 'PROMOTED' } }),
  ])
    expect(reply.status, reply.text).toBe(200)
  await expectTypes(receiver, 'benefit.granted')
  expect(dataOf(receiver, 'benefit.granted')).toEqual({ benefit: 'PROMOTED' })
})

test('a rejected or rolled-back change sends nothing', async () => {
  const { user, receiver } = await buildListener()
  const server = await buildServer(user)
  expect((await user.call(servers.change, { params: { id: server.public_id }, body: { name: 'x' } })).status).toBe(400)
  expect((await user.call(servers.create, { body: { name: server.name } })).status).toBe(409)
  await user.call(servers.remove, { params: { id: server.public_id } })
  await expectTypes(receiver, 'server.created', 'server.deleted')
})

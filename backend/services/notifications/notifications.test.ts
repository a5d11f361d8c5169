/** The inbox: who is notified of what, what stays pinned, reading, paging, and how long notifications are kept. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import * as notifications from '#contract/webhooks/notifications.ts'
import * as preferences from '#contract/users/preferences.ts'
import * as protection from '#contract/protection/protection.ts'
import type { PublicEventType } from '#contract/events/public-events.ts'
import { banServer } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { buildApiKey, buildServer, grant, offer } from '#tests/factories.ts'
import { issuesOf, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  const gone = { status: 410, headers: {}, body: Buffer.alloc(0) }
  app = await startApp({}, { isShared: true, postPublic: () => Promise.resolve(gone) })
  admin = await app.signIn('admin')
})

const newUsers = () => Promise.all([app.newUser(), app.newUser(), app.newUser()])
const idOf = (user: SignedInUser) => ({ params: { id: user.id } })
type Query = NonNullable<Parameters<typeof listWith>[1]>

const listWith = (user: TestUser, query: { before?: string; unread?: boolean } = {}) =>
  user.call(notifications.list, { query: query as Record<string, string> })

async function inboxOf(user: TestUser, query: Query = {}): Promise<notifications.NotificationList> {
  const { status, data, text } = await listWith(user, query)
  expect(status, text).toBe(200)
  return data
}

const rowsOf = async (user: TestUser, query: Query = {}) => (await inboxOf(user, query)).data
const typesOf = async (user: TestUser) => (await rowsOf(user)).map(({ type }) => type)
const pinnedOf = async (user: TestUser) => (await rowsOf(user)).filter(({ pinned }) => pinned)
const markRead = (user: TestUser, body: unknown) => user.call(notifications.markRead, { body: body as { all: true } })

async function switchOff(user: SignedInUser, ...types: readonly PublicEventType[]): Promise<void> {
  const body = { notifications: Object.fromEntries(types.map((type) => [type, false])) }
  expect((await user.call(preferences.change, { body })).status).toBe(200)
}

describe('each side is notified of what the other did, and nobody of their own actions:', () => {
  test('transfers, with the offer pinned until it is over', async () => {
    const [sender, recipient, stranger] = await newUsers()
    const server = await buildServer(sender)
    const offerIt = async () => (await offer(sender, server.public_id, recipient.id)).id
    const first = await offerIt()
    const [pin, ...others] = await rowsOf(recipient)
    expect(others).toEqual([])
    expect(pin).toMatchObject({
      type: 'transfer.offered',
      read_at: null,
      pinned: true,
      title: 'Transfer requested',
      server: { public_id: server.public_id, name: server.name, url: expect.stringContaining(`/servers/${server.public_id}`) },
      link: '/settings/transfers',
    })
    expect(pin?.body).toMatch(new RegExp(`^user\\d+ wants to give you ${server.name}\\. Accept or decline the transfer\\.$`))
    expect((await markRead(recipient, { ids: [pin?.id] })).data).toEqual({ unread: 0 })
    expect((await pinnedOf(recipient))[0]?.read_at).not.toBeNull()
    await recipient.call(transfers.cancel, { params: { id: first } })
    expect(await pinnedOf(recipient)).toEqual([])
    expect((await rowsOf(recipient))[0]).toMatchObject({ id: pin?.id, pinned: false })
    expect((await rowsOf(sender))[0]).toMatchObject({ type: 'transfer.declined', link: `/servers/${server.public_id}` })

    await sender.call(transfers.cancel, { params: { id: await offerIt() } })
    expect((await typesOf(recipient))[0]).toBe('transfer.cancelled')
    await offerIt()
    await app.db
      .updateTable('transfers')
      .set({ expires_at: new Date(0) })
      .execute()
    expect(await pinnedOf(recipient)).toEqual([])
    await app.runJob('expire-transfers')
    await recipient.call(transfers.accept, { params: { id: await offerIt() } })
    expect(await typesOf(sender)).toEqual(['transfer.accepted', 'transfer.expired', 'transfer.declined'])
    const [accepted, expired] = await rowsOf(sender)
    expect([accepted?.link, expired?.link]).toEqual(['/settings/transfers', '/settings/transfers'])
    expect(expired?.body).toBe(`Nobody accepted ${server.name} in time. It stays yours.`)
    const ofRecipient = ['offered', 'expired', 'offered', 'cancelled', 'offered', 'offered']
    expect(await typesOf(recipient)).toEqual(ofRecipient.map((what) => `transfer.${what}`))
    expect(await rowsOf(stranger)).toEqual([])
  })

  test('managers', async () => {
    const [owner, manager] = await newUsers()
    const server = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await grant(owner, manager.id, ['EDIT_DETAILS', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'])
    const params = { ownerId: owner.id, serverId: server.public_id }
    await manager.call(managers.changeManaged, { params, body: { description: 'Better' } })
    await manager.call(managers.reissueManaged, { params })
    await manager.call(managers.resetManagedAddress, { params })
    await owner.call(managers.revoke, { body: { user_id: manager.id } })
    await manager.call(managers.resign, { params: { id: (await grant(owner, manager.id, ['EDIT_DETAILS'])).id } })
    expect(await typesOf(manager)).toEqual(['manager.granted', 'manager.revoked', 'manager.changed', 'manager.granted'])
    expect(await typesOf(owner)).toEqual(['manager.left', 'address.reset', 'credential.reissued', 'server.updated'])
    expect((await rowsOf(owner)).map(({ body }) => body.split(' ')[0])).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^user/)),
    )
  })

  test('administrators, who stay anonymous, and the program', async () => {
    const [user] = await newUsers()
    const server = await buildServer(user)
    const params = { id: server.public_id }
    await user.call(servers.change, { params, body: { description: 'Mine' } })
    await user.call(account.requestDeletion)
    await user.call(account.cancelDeletion)
    expect(await rowsOf(user)).toEqual([])
    await admin.call(banServer, { params, body: { banned: true, reason: 'Spam' } })
    await admin.call(banServer, { params, body: { banned: false } })
    await admin.call(usersAdmin.forceTier, { ...idOf(user), body: { tier_id: 'RUBY' } })
    await admin.call(usersAdmin.banUser, { ...idOf(user), body: { banned: true, banReason: 'Rude' } })
    await admin.call(usersAdmin.banUser, { ...idOf(user), body: { banned: false } })
    const { key } = await buildApiKey(user, 'servers:read')
    const leaks = JSON.stringify(
      [key, server.credential].map((token) => ({ token, type: 'secret', url: 'https://example.com', source: 'content' })),
    )
    expect(
      (await app.anonymous.fetch('/api/leaks', { method: 'POST', headers: { 'content-type': 'application/json' }, body: leaks })).status,
    ).toBe(200)
    const body = { name: 'Hook', kind: 'standard' as const, url: 'https://hooks.example/', events: ['server.updated' as const] }
    await user.call(webhooks.create, { body })
    await user.call(servers.change, { params, body: { description: 'Yours' } })
    await expect.poll(() => typesOf(user)).toContain('webhook.disabled')
    const rows = await rowsOf(user)
    expect(rows.map(({ type }) => type)).toEqual([
      'webhook.disabled',
      'credential.leaked',
      'api_key.leaked',
      'account.unbanned',
      'account.banned',
      'benefit.granted',
      'server.unbanned',
      'server.banned',
    ])
    expect(rows[0]).toMatchObject({
      body: 'The webhook Hook was disabled. The receiver answered 410 Gone.',
      link: '/settings/webhooks',
      server: null,
    })
    expect(rows[5]?.body).toMatch(/^You can now use .+, .+ and .+\.$/)
    expect(rows[7]).toMatchObject({ body: `${server.name} is banned from the list. Reason: Spam`, link: `/servers/${server.public_id}` })
    expect(JSON.stringify(rows)).not.toContain(server.credential)
  })
})

test('an issue is one notification, pinned until it is acknowledged, answered or resolved', async () => {
  const [user] = await newUsers()
  const server = await buildServer(user)
  const raise = (fingerprint: string) => raiseIssue(app, user, { kind: 'ADDRESS_MISMATCH', publicId: server.public_id, fingerprint })
  const [acknowledged, answered, resolved] = [await raise('1'), await raise('2'), await raise('3')]
  expect((await pinnedOf(user)).map(({ link }) => link)).toEqual(
    [resolved, answered, acknowledged].map(({ id }) => `/protection-issues/${id}`),
  )
  expect(await typesOf(user)).toEqual(['issue.opened', 'issue.opened', 'issue.opened'])
  const paramsOf = ({ id }: protection.ProtectionIssue) => ({ params: { userId: user.id, issueId: id } })
  await user.call(protection.acknowledgeIssue, paramsOf(acknowledged))
  await user.call(protection.replyToIssue, { ...paramsOf(answered), body: { message: 'Fixed' } })
  expect(await pinnedOf(user)).toHaveLength(1)
  const moderate = (body: protection.IssueChanges) => admin.call(protection.changeIssue, { params: { id: resolved.id }, body })
  await moderate({ reply: 'See you' })
  await moderate({ consequence: 'UNLISTED' })
  await moderate({ status: 'DISMISSED' })
  expect(await pinnedOf(user)).toEqual([])
  const rows = await rowsOf(user)
  expect(rows.slice(0, 3).map(({ type, body }) => [type, body])).toEqual([
    ['issue.resolved', `${server.name}: Announced from another address. It was dismissed.`],
    ['issue.escalated', `${server.name}: Announced from another address. The server is no longer on the list.`],
    ['issue.replied', `${server.name}: Announced from another address. An administrator replied.`],
  ])
})

test('an owner who resolves an issue with a new credential or by deleting the server is not notified of that', async () => {
  const [user] = await newUsers()
  const { public_id: id } = await buildServer(user)
  const raise = (fingerprint: string) => raiseIssue(app, user, { kind: 'ADDRESS_MISMATCH', publicId: id, fingerprint })
  await raise('1')
  await user.call(servers.reissue, { params: { id } })
  await raise('2')
  await user.call(servers.remove, { params: { id } })
  expect((await issuesOf(user)).map(({ status }) => status)).toEqual(['RESOLVED', 'RESOLVED'])
  expect(await typesOf(user)).toEqual(['issue.opened', 'issue.opened'])
})

test('a switched-off type no longer notifies, but what needs an answer stays pinned', async () => {
  const [sender, user] = await newUsers()
  await switchOff(user, 'transfer.offered', 'transfer.cancelled', 'issue.opened')
  const [theirs, own] = [await buildServer(sender), await buildServer(user)]
  const { id } = await offer(sender, theirs.public_id, user.id)
  await raiseIssue(app, user, { kind: 'REVOKED_CREDENTIAL', publicId: own.public_id })
  const { data, unread } = await inboxOf(user)
  expect(data.map(({ type, pinned, read_at: readAt }) => [type, pinned, readAt === null])).toEqual([
    ['issue.opened', true, false],
    ['transfer.offered', true, false],
    ['credential.old_in_use', false, true],
  ])
  expect(unread).toBe(1)
  expect((await rowsOf(user, { unread: true })).map(({ type }) => type)).toEqual(['credential.old_in_use'])
  await sender.call(transfers.cancel, { params: { id } })
  expect(await typesOf(user)).toEqual(['issue.opened', 'credential.old_in_use'])
})

test('a change that is rolled back notifies nobody', async () => {
  const [owner, manager] = await newUsers()
  const server = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const params = { ownerId: owner.id, serverId: server.public_id }
  expect((await manager.call(managers.changeManaged, { params, body: { name: 'x' } })).status).toBe(400)
  expect(await rowsOf(owner)).toEqual([])
})

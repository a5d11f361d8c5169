/** The inbox: who is notified of what, what stays pinned, reading, paging, and how long notifications are kept. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as managers from '#contract/managers.ts'
import * as notifications from '#contract/notifications.ts'
import * as preferences from '#contract/preferences.ts'
import * as protection from '#contract/protection.ts'
import type { PublicEventType } from '#contract/public-events.ts'
import { banServer } from '#contract/servers-admin.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import * as usersAdmin from '#contract/users-admin.ts'
import * as webhooks from '#contract/webhooks.ts'
import { buildApiKey, buildServer, grant, offer } from '#tests/factories.ts'
import { issuesOf, raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

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

/** Writes notifications with equal times, oldest first. Returns their IDs. */
async function fill(user: SignedInUser, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  const at = new Date()
  await app.db
    .insertInto('notifications')
    .values(ids.map((id) => ({ id, user_id: user.id, type: 'account.unbanned', created_at: at })))
    .execute()
  return ids
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

describe('reading', () => {
  test('marks some or all as read, once, and ignores other users’ IDs', async () => {
    const [user, other] = await newUsers()
    const [first = '', second = '', third = ''] = await fill(user, 3)
    const [theirs = ''] = await fill(other, 1)
    expect((await inboxOf(user)).unread).toBe(3)
    expect((await markRead(user, { ids: [first.toUpperCase(), theirs, uuidv7()] })).data).toEqual({ unread: 2 })
    const readAt = (await rowsOf(user)).find(({ id }) => id === first)?.read_at
    expect((await markRead(user, { ids: [first, first] })).data).toEqual({ unread: 2 })
    expect((await rowsOf(user)).find(({ id }) => id === first)?.read_at).toBe(readAt)
    expect((await rowsOf(user, { unread: true })).map(({ id }) => id)).toEqual([third, second])
    const all = await Promise.all([1, 2, 3].map(() => markRead(user, { all: true })))
    expect(all.map(({ data }) => data)).toEqual(all.map(() => ({ unread: 0 })))
    expect(await rowsOf(user, { unread: true })).toEqual([])
    expect((await inboxOf(other)).unread).toBe(1)
  })

  test.each([
    [{}, 'Send either ids or all.'],
    [{ ids: [uuidv7()], all: true }, 'Send either ids or all.'],
    [{ all: false }, 'all must be true. To mark only some notifications as read, send ids instead.'],
    [{ ids: [] }, 'Name at least one notification in ids, or send all: true.'],
    [{ ids: ['x'] }, 'ids must be a list of notification IDs.'],
    [{ ids: 'x' }, 'ids must be a list of notification IDs.'],
    [{ ids: Array.from({ length: 101 }, () => uuidv7()) }, 'ids can name at most 100 notifications.'],
    [{ all: true, more: 1 }, 'Unknown field “more”. Leave it out.'],
  ])('rejects %j', async (body, sentence) => {
    const user = await app.signIn('rejected')
    await fill(user, 1)
    const { unread } = await inboxOf(user)
    const { status, error } = await markRead(user, body)
    expect([status, error.errors]).toEqual([400, [sentence]])
    expect((await inboxOf(user)).unread).toBe(unread)
  })

  test('lists notifications of the same time once each, even while they are marked as read', async () => {
    const [user] = await newUsers()
    const ids = await fill(user, 70)
    const seen: string[] = []
    for (let before: string | undefined; ; before = seen.at(-1)) {
      const { data, unread, has_more: hasMore } = await inboxOf(user, before === undefined ? {} : { before })
      expect(unread).toBe(70 - seen.length)
      seen.push(...data.map(({ id }) => id))
      await markRead(user, { ids: data.map(({ id }) => id) })
      if (!hasMore) break
    }
    expect(seen).toEqual(ids.toReversed())
  })

  test('notifications about servers of one type and minute are one entry, read and counted as one', async () => {
    const [user] = await newUsers()
    const at = new Date('2026-01-01T12:00:00Z')
    const add = async (type: string, servers: readonly string[], seconds = 0) =>
      app.db
        .insertInto('notifications')
        .values(
          servers.map((name, index) => ({
            id: uuidv7({ msecs: at.getTime() + seconds * 1000 + index }),
            user_id: user.id,
            type,
            server_id: name,
            server_name: `Server ${name}`,
            created_at: new Date(at.getTime() + seconds * 1000),
          })),
        )
        .execute()
    await add(
      'server.online',
      Array.from({ length: 200 }, (_, index) => String(index)),
    )
    await add('server.offline', ['7', '8'], 1)
    await add('server.online', ['x', 'y', 'x'], 60)
    await add('server.updated', ['x', 'x'], 61)
    await add('issue.opened', ['x', 'y'], 62)
    const entries = async () =>
      (await rowsOf(user)).map(({ type, count, server, link, body }) => [type, count, server?.public_id ?? null, link, body])
    const online = ['server.online', 3, null, '/servers', '2 servers are back online: Server x and Server y.']
    const others = [
      ['server.updated', 2, 'x', '/servers', 'An administrator changed Server x.'],
      online,
      ['server.offline', 2, null, '/servers', '2 servers are offline: Server 8 and Server 7.'],
      [
        'server.online',
        200,
        null,
        '/servers',
        expect.stringMatching(/^200 servers are back online: Server \d+, Server \d+, Server \d+,? and 197 more\.$/),
      ],
    ]
    expect((await entries()).slice(2)).toEqual(others)
    expect((await inboxOf(user)).unread).toBe(6)

    const [first, second, , newest] = await rowsOf(user)
    // A page ends between the entries, and one that arrives later is not read with the others.
    expect((await rowsOf(user, { before: newest?.id ?? '' })).map(({ count }) => count)).toEqual([2, 200])
    await add('server.online', ['z'], 63)
    expect((await markRead(user, { ids: [newest?.id] })).data).toEqual({ unread: 6 })
    expect((await rowsOf(user, { unread: true })).map(({ type, count }) => [type, count])).toEqual([
      ['server.online', 1],
      ['issue.opened', 1],
      ['issue.opened', 1],
      ['server.updated', 2],
      ['server.offline', 2],
      ['server.online', 200],
    ])
    expect((await markRead(user, { ids: [first?.id, second?.id] })).data).toEqual({ unread: 4 })
    expect((await markRead(user, { all: true })).data).toEqual({ unread: 0 })
  })

  test.each([
    ['before=x', 'before must be the ID of the last entry on the previous page.'],
    ['unread=yes', 'unread must be true or false.'],
    ['page=2', 'Unknown field “page”. Leave it out.'],
  ])('rejects the query %s', async (query, sentence) => {
    const user = await app.signIn('rejected')
    const answer = await user.fetch(`/api/users/notifications?${query}`)
    expect([answer.status, ((await answer.json()) as { errors: string[] }).errors]).toEqual([400, [sentence]])
  })
})

test('open panels on every node reload the inbox when something arrives, ends or is read', async () => {
  const node = await app.addNode()
  const [sender, user] = await newUsers()
  const server = await buildServer(sender)
  const panels = [await listen(user), await listen(user.at(node))]
  const expectReload = async () => {
    for (const panel of panels) {
      await panel.until(({ event, data }) => event === 'account' && (data['changed'] as string[]).includes('notifications'))
      panel.received.length = 0
    }
  }
  const { id } = await offer(sender.at(node), server.public_id, user.id)
  expect((await inboxOf(user.at(node))).unread).toBe(1)
  await expectReload()
  await markRead(user, { all: true })
  await expectReload()
  await user.at(node).call(transfers.cancel, { params: { id } })
  await expectReload()
  await grant(sender, user.id, ['EDIT_DETAILS'])
  await expectReload()
  for (const panel of panels) panel.close()
})

test('a change that is rolled back notifies nobody', async () => {
  const [owner, manager] = await newUsers()
  const server = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const params = { ownerId: owner.id, serverId: server.public_id }
  expect((await manager.call(managers.changeManaged, { params, body: { name: 'x' } })).status).toBe(400)
  expect(await rowsOf(owner)).toEqual([])
})

test('notifications are deleted after 90 days, and beyond the newest thousand of a user', async () => {
  const [user, busy] = await newUsers()
  const [old = '', recent = ''] = await fill(user, 2)
  const age = (id: string, days: number) =>
    sql`update notifications set created_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(app.db)
  await age(old, 91)
  await age(recent, 89)
  const ids = await fill(busy, 1002)
  await app.runJob('delete-old-notifications')
  expect((await rowsOf(user)).map(({ id }) => id)).toEqual([recent])
  const left = await app.db.selectFrom('notifications').select('id').where('user_id', '=', busy.id).orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(ids.slice(2))
})

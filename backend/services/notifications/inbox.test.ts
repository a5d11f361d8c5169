/** Reading the inbox: pages, entries of several servers, and open panels. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import * as notifications from '#contract/webhooks/notifications.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { buildServer, grant, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

let app: TestApp

beforeAll(async () => {
  const gone = { status: 410, headers: {}, body: Buffer.alloc(0) }
  app = await startApp({}, { isShared: true, postPublic: () => Promise.resolve(gone) })
})

const newUsers = () => Promise.all([app.newUser(), app.newUser(), app.newUser()])
type Query = NonNullable<Parameters<typeof listWith>[1]>

const listWith = (user: TestUser, query: { before?: string; unread?: boolean } = {}) =>
  user.call(notifications.list, { query: query as Record<string, string> })

async function inboxOf(user: TestUser, query: Query = {}): Promise<notifications.NotificationList> {
  const { status, data, text } = await listWith(user, query)
  expect(status, text).toBe(200)
  return data
}

const rowsOf = async (user: TestUser, query: Query = {}) => (await inboxOf(user, query)).data
const markRead = (user: TestUser, body: unknown) => user.call(notifications.markRead, { body: body as { all: true } })

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

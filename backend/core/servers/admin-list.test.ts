/** The administrators' list of servers: access and pages. */
import { beforeAll, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { adminServersOf, waitUntilSaved } from '#tests/admin-servers.ts'
import { announce, buildServer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const get = (query: Record<string, string | number> | string, user: TestUser = admin) => adminServersOf(user, query)

test('lists the servers of all users, newest first, each with its owner and without secrets', async () => {
  const owner = await app.newUser()
  const [first, second] = [await buildServer(owner), await buildServer(await app.newUser())]
  const { data, text, meta } = await get({ per_page: 2 })
  expect(data.map((server) => server.public_id)).toEqual([second.public_id, first.public_id])
  expect(data[1]).toMatchObject({ user_id: owner.id, owner: { id: owner.id }, open_issues: 0, name: first.name, status: 'never_seen' })
  expect(meta).toMatchObject({ page: 1, per_page: 2, capped: false })
  expect(text).not.toContain(first.credential)
  expect(text).not.toMatch(/hash|search_text|name_key/)
})

test('is only for administrators', async () => {
  const { status, text } = await get({}, await app.newUser())
  expect(status).toBe(403)
  expect(text).not.toContain('public_id')
})

test.each([
  ['page=0', 'page must be a whole number from 1 to 1,000,000.'],
  ['page=-1', 'page must be a whole number from 1 to 1,000,000.'],
  ['page=1.5', 'page must be a whole number from 1 to 1,000,000.'],
  ['page=99999999999999999999', 'page must be a whole number from 1 to 1,000,000.'],
  ['page[0]=1', 'page must be a whole number from 1 to 1,000,000.'],
  ['per_page=0', 'per_page must be a whole number from 1 to 100.'],
  ['per_page=101', 'per_page must be a whole number from 1 to 100.'],
  ['per_page=all', 'per_page must be a whole number from 1 to 100.'],
  ['sort=ban_reason', 'sort must be one of created_at, name, players.'],
  ['sort[0]=name', 'sort must be one of created_at, name, players.'],
  ['order=up', 'order must be asc or desc.'],
  ['status=gone', 'status must be one of never_seen, online, offline.'],
  ['banned=1', 'banned must be true or false.'],
  ['user_id=me', 'user_id must be the ID of a user.'],
  ['group_id=x', 'group_id must be the ID of a group.'],
  ['search[0]=a', 'search can be given only once.'],
  [`search=${'a'.repeat(101)}`, 'search can be at most 100 characters long.'],
  ['search=%00', "search can't contain control characters or invalid Unicode."],
  ['search=a%0Ab', "search can't contain control characters or invalid Unicode."],
  ['after=%27', 'after must be the ID of a row.'],
  ['before[0]=abc', 'before must be the ID of a row.'],
  ['tags=%00', "A tag can't contain U+0000: it is an invisible, control or undefined character."],
  ['colour=red', 'Unknown field “colour”. Leave it out.'],
])('%s is rejected with a message', async (query, sentence) => {
  const { status, errors } = await get(query)
  expect([status, errors]).toEqual([400, [sentence]])
})

test.each([
  'search=%ED%A0%80',
  'search=%FF',
  'after=AAAAAAA',
  'before=00000000-0000-0000-0000-000000000000',
  'page=1&page=2',
  'after=x&page=3',
  'search=%F0%9F%98%80',
  'search=::',
  'search=1.2.3.4:99999',
  'search=999.1.',
  'search=a:b',
])('%s gets 200', async (query) => {
  expect((await get(query)).status).toBe(200)
})

test('starts a page exactly after a row while servers are added and deleted before it', async () => {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  const created: string[] = []
  for (let count = 0; count < 12; count += 1) created.unshift((await buildServer(owner)).public_id)
  for (const filter of [
    `user_id=${owner.id}`,
    `search=${owner.id}`,
    `user_id=${owner.id}&sort=players`,
    `user_id=${owner.id}&sort=name&order=desc`,
  ]) {
    const seen: string[] = []
    const added: string[] = []
    const start = new Set((await get(`${filter}&per_page=100`)).ids)
    for (let page = 1, after = ''; ; page += 1) {
      const { ids, meta } = await get(`${filter}&per_page=3&page=${page}${after === '' ? '' : `&after=${after}`}`)
      if (ids.length === 0) break
      expect(meta.page).toBe(page)
      seen.push(...ids)
      after = ids.at(-1) ?? ''
      added.push((await buildServer(owner)).public_id)
    }
    expect(new Set(seen).size, filter).toBe(seen.length)
    for (const id of start) expect(seen, filter).toContain(id)
    for (const id of added) await owner.call(servers.remove, { params: { id } })
  }
  // Backwards from the last row.
  const last = created.at(-1) ?? ''
  expect((await get(`user_id=${owner.id}&per_page=3&page=4&before=${last}`)).ids).toEqual(created.slice(8, 11))
  expect((await get(`user_id=${owner.id}&per_page=3&before=${created[0]}`)).ids).toEqual([])
  // The row no longer exists, so the page number counts.
  const deleted = created[5] ?? ''
  await owner.call(servers.remove, { params: { id: deleted } })
  const rest = created.filter((id) => id !== deleted)
  expect((await get(`user_id=${owner.id}&per_page=3&page=2&after=${deleted}`)).ids).toEqual(rest.slice(3, 6))
})

test('starts a page after a row that no longer matches the filter', async () => {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  const created: string[] = []
  for (let count = 0; count < 6; count += 1) created.unshift((await buildServer(owner)).public_id)
  const ban = (ids: readonly string[], banned: boolean) =>
    app.db.updateTable('servers').set({ banned }).where('public_id', 'in', ids).execute()
  await ban(created, true)
  for (const filter of ['banned=true', 'banned=true&order=asc', 'banned=true&sort=name', 'banned=true&sort=players']) {
    const before = (await get(`${filter}&per_page=100`)).ids
    const [first = '', second = '', ...rest] = before
    await ban([first, second], false)
    expect((await get(`${filter}&page=2&per_page=2&after=${second}`)).ids, filter).toEqual(rest.slice(0, 2))
    await ban([first, second], true)
    await ban(before.slice(2, 4), false)
    expect((await get(`${filter}&page=1&per_page=2&before=${before[2]}`)).ids, filter).toEqual([first, second])
    await ban(before, true)
  }
  await ban(created, false)
})

test('starts a page where a server was before it went offline or came online', async () => {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  const online: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential, { playersCount: 10 * (6 - count), maxPlayersCount: 100 })
    await waitUntilSaved(app, id)
    online.push(id)
  }
  const unseen: string[] = []
  for (let count = 0; count < 4; count += 1) unseen.unshift((await buildServer(owner)).public_id)
  const set = (id: string, isOnline: boolean) =>
    app.db.updateTable('presence').set({ online: isOnline }).where('server_id', '=', id).execute()
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = online
  const ids = async (query: string) => (await get(`user_id=${owner.id}&per_page=2&${query}`)).ids
  await set(second, false)
  // By page number: one row before it is gone.
  expect(await ids(`sort=players&page=2&after=${second}`)).toEqual([fourth, fifth])
  expect(await ids(`sort=players&status=online&page=2&after=${second}`)).toEqual([fourth, fifth])
  expect(await ids(`status=online&order=asc&page=2&after=${second}`)).toEqual([third, fourth])
  await set(second, true)
  // A server that came online doesn't restart the list.
  await set(first, false)
  expect((await ids(`sort=players&page=1`))[0]).toBe(second)
  const last = unseen[1] ?? ''
  expect(await ids(`sort=players&page=5&after=${last}`)).toEqual([unseen[2], unseen[3]])
  await set(first, true)
  expect(await ids(`sort=players&order=asc&page=3&after=${sixth}`)).not.toEqual([])
  expect(await ids(`sort=players&page=4&after=${sixth}`)).toEqual(unseen.slice(0, 2))
})

test('returns an empty page with the total beyond the end', async () => {
  const { ids, meta } = await get({ page: 1000, per_page: 10 })
  expect(ids).toEqual([])
  expect(meta).toMatchObject({ page: 1000, capped: false })
  expect(meta.pages).toBe(Math.ceil(meta.total / 10))
  expect((await get({ search: 'żżżżż' })).meta).toEqual({ page: 1, per_page: 50, total: 0, pages: 1, capped: false })
})

/** The administrators' list of servers: search, filters, pages and query plans. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as groups from '#contract/groups.ts'
import * as servers from '#contract/servers.ts'
import type { AdminServer } from '#contract/servers-admin.ts'
import type { PageMeta } from '#contract/paging.ts'
import * as transfers from '#contract/transfers.ts'
import { candidatesQuery, countQuery, scanQuery } from '#backend/platform/database/paging.queries.ts'
import { validAnnounce, announce, buildServer, newName, offer, setTier } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { adminServerList } from './admin-list.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

interface Reply {
  readonly status: number
  readonly text: string
  readonly data: AdminServer[]
  readonly meta: PageMeta
  readonly ids: string[]
  readonly errors: string[]
}

/** The query string as a URL has it. */
async function get(query: Record<string, string | number> | string, user = admin): Promise<Reply> {
  const search =
    typeof query === 'string' ? query : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const response = await user.fetch(`/api/admin/tokens?${search}`)
  const text = await response.text()
  const { data = [], meta, errors } = JSON.parse(text) as { data?: AdminServer[]; meta: PageMeta; errors: string[] }
  return { status: response.status, text, data, meta, errors, ids: data.map((server) => server.public_id) }
}

async function idsOf(query: Record<string, string | number> | string): Promise<string[]> {
  const reply = await get(query)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.meta.total).toBe(reply.ids.length)
  return reply.ids
}

/** Writes an address to the row, because a test cannot choose the address of an announce. */
async function setAddress(publicId: string, address: string): Promise<void> {
  await sql`update presence set address = ${address}::inet where server_id = ${publicId}`.execute(app.db)
}

/** Waits until the master list has saved the announces. */
async function waitUntilSaved(publicId: string, isOnline = true): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await app.db.selectFrom('presence').select('online').where('server_id', '=', publicId).executeTakeFirst()
      expect(row?.online).toBe(isOnline)
    },
    { timeout: 10_000, interval: 50 },
  )
}

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

describe('search', () => {
  let owner: SignedInUser
  let found: Awaited<ReturnType<typeof buildServer>>
  let discordId: string
  beforeAll(async () => {
    owner = await app.signIn('finn.the.owner')
    await setTier(app, owner.id, 'GOLD')
    found = await buildServer(owner, { name: 'Übersee 100% _Fun\\ [EU]', vanity_url: 'over-sea' })
    await buildServer(await app.signIn('someone.else'), { name: 'Ubersee 100 xFun EU' })
    const row = await app.db.selectFrom('users').select('discord_id').where('id', '=', owner.id).executeTakeFirstOrThrow()
    discordId = row.discord_id
    await announce(app, found.credential)
    await waitUntilSaved(found.public_id)
    await setAddress(found.public_id, '203.0.113.77')
  })

  test.each([
    ['the name', () => 'Übersee'],
    ['the middle of the name, in another case', () => 'BERSEE 100% _f'],
    ['a percent sign', () => '0%'],
    ['an underscore', () => '% _'],
    ['a backslash', () => 'un\\'],
    ['one symbol', () => '\\'],
    ['one letter', () => 'Ü'],
    ['two letters', () => 'Üb'],
    ['the public ID', () => found.public_id],
    ['the public ID in lower case', () => found.public_id.toLowerCase()],
    ['the vanity ID', () => 'over-sea'],
    ["the owner's name", () => 'Finn.The.Own'],
    ["the owner's Discord ID", () => discordId],
    ["the owner's ID", () => owner.id],
    ["the owner's ID in upper case", () => owner.id.toUpperCase()],
    ['the address', () => '203.0.113.77'],
    ['the address with its port', () => `203.0.113.77:${validAnnounce.port}`],
    ['the address as IPv4-mapped IPv6', () => '::ffff:203.0.113.77'],
    ['the address as IPv4-mapped IPv6, in hexadecimal', () => '::FFFF:cb00:714d'],
    ['the IPv4-mapped address with its port', () => `[::ffff:203.0.113.77]:${validAnnounce.port}`],
    ['the name with a combining diaeresis', () => 'U\u{308}bersee'],
    ['a prefix of the address', () => '203.0.113.'],
    ['a shorter prefix', () => '203.'],
    ['a prefix that ends within a number', () => '203.0.11'],
    ['a term with surrounding spaces', () => '  over-sea '],
  ])('by %s', async (_, term) => {
    expect(await idsOf({ search: term() })).toEqual([found.public_id])
  })

  test.each([
    '203.0.113.78',
    '203.0.113.77:1',
    '203.0.114.',
    '203.0.113.8',
    '03.0.113.77',
    '100%%',
    '_bersee',
    'ß',
    'żż',
    '%%',
    "' or 1=1 --",
    '00000000-0000-0000-0000-000000000000',
    '"',
  ])('%s finds nothing', async (search) => {
    expect(await idsOf({ search })).toEqual([])
  })

  test('finds symbols and letters of any script, even single ones', async () => {
    const named = await buildServer(owner, { name: '★★★ Привет мир ★ 日本語' })
    for (const search of ['★★★', '★', '★★', 'привет', 'ПРИВЕТ', 'ет м', '日本語', '本語', '★ 日', '★★★ п', 'мир ★ 日本'])
      expect(await idsOf({ search }), search).toEqual([named.public_id])
    for (const search of ['★★★★', 'приветы', '日語', '★★ ★']) expect(await idsOf({ search }), search).toEqual([])
    await owner.call(servers.remove, { params: { id: named.public_id } })
  })

  test('finds an IPv6 address whole, in brackets, and by its prefix', async () => {
    await setAddress(found.public_id, '2001:db8:0:1::beef')
    for (const search of [
      '2001:db8:0:1::beef',
      '2001:DB8:0:1::BEEF',
      '2001:db8:0:1:0:0:0:beef',
      `[2001:db8:0:1::beef]:${validAnnounce.port}`,
      '2001:db8:',
      '2001:d',
      '2001:db8:0:1::',
      '2001:0db8:',
      '2001:0DB8:0000:',
      '2001:0db8:0000:0001:0000',
      '2001:0d',
      '2001:db8:0:',
      '2001:db8:0:1:0:',
    ])
      expect(await idsOf({ search }), search).toEqual([found.public_id])
    for (const search of [
      '2001:db9:',
      '2001:0db9:',
      '2001:db8:1:',
      '2001:db8:00b',
      '2001:db8:0:1::bee',
      '2001:db8:0:2::',
      '[2001:db8:0:1::beef]:1',
    ])
      expect(await idsOf({ search }), search).toEqual([])
    await setAddress(found.public_id, '203.0.113.77')
  })

  test('finds servers by their bound address, and names that contain an address', async () => {
    await sql`update credential_uses set bound_address = '198.51.100.9' where credential_id in (select id from credentials where server_id = ${found.public_id})`.execute(
      app.db,
    )
    expect(await idsOf({ search: '198.51.100.9' })).toEqual([found.public_id])
    const named = await buildServer(await app.newUser(), { name: 'Join 198.51.100.9 now' })
    expect(new Set(await idsOf({ search: '198.51.100.9' }))).toEqual(new Set([named.public_id, found.public_id]))
  })

  test("finds a user's servers by the user's new Discord name and not by the old one", async () => {
    const { public_id: id } = await buildServer(owner)
    await app.db.updateTable('users').set({ username: 'moved.on' }).where('id', '=', owner.id).execute()
    expect(await idsOf({ search: 'moved.on' })).toEqual([id, found.public_id])
    expect(await idsOf({ search: 'finn.the' })).toEqual([])
    await app.db.updateTable('users').set({ username: 'finn.the.owner' }).where('id', '=', owner.id).execute()
    await owner.call(servers.remove, { params: { id } })
  })

  test('finds a transferred server under its new owner and a renamed one under its new name', async () => {
    const [sender, recipient] = [await app.signIn('the.sender'), await app.signIn('the.recipient')]
    const { public_id: id } = await buildServer(sender)
    const offered = await offer(sender, id, recipient.id)
    await recipient.call(transfers.accept, { params: { id: offered.id } })
    expect(await idsOf({ search: 'the.recipient' })).toEqual([id])
    expect(await idsOf({ search: 'the.sender' })).toEqual([])
    await recipient.call(servers.change, { params: { id }, body: { name: 'Quite another name' } })
    expect(await idsOf({ search: 'quite another' })).toEqual([id])
  })
})

describe('filters', () => {
  let owner: SignedInUser
  let idOf: Record<'online' | 'offline' | 'unseen' | 'banned', string>
  let groupId: string
  beforeAll(async () => {
    owner = await app.signIn('filter.owner')
    await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
    const created = {
      online: await buildServer(owner, { tags: ['filterOne', 'filterTwo'] }),
      offline: await buildServer(owner, { tags: ['filterTwo'] }),
      unseen: await buildServer(owner),
      banned: await buildServer(owner, { tags: ['filterOne'] }),
    }
    idOf = {
      online: created.online.public_id,
      offline: created.offline.public_id,
      unseen: created.unseen.public_id,
      banned: created.banned.public_id,
    }
    await announce(app, created.online.credential, { playersCount: 30 })
    await announce(app, created.offline.credential)
    await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${created.offline.credential}` } })
    await waitUntilSaved(idOf.online)
    await waitUntilSaved(idOf.offline, false)
    await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', idOf.banned).execute()
    groupId = (await owner.call(groups.create, { body: { name: newName() } })).data.id
    await owner.call(servers.change, { params: { id: idOf.unseen }, body: { group_id: groupId } })
  })

  type Name = 'online' | 'offline' | 'unseen' | 'banned'
  const cases: [string, Name[]][] = [
    ['', ['banned', 'unseen', 'offline', 'online']],
    ['banned=true', ['banned']],
    ['banned=false', ['unseen', 'offline', 'online']],
    ['status=online', ['online']],
    ['status=offline', ['offline']],
    ['status=never_seen', ['banned', 'unseen']],
    ['status[0]=online&status[1]=offline', ['offline', 'online']],
    ['status[0]=online&status[1]=never_seen', ['banned', 'unseen', 'online']],
    ['status[0]=online&status[1]=never_seen&status[2]=offline', ['banned', 'unseen', 'offline', 'online']],
    ['status[0]=online&status[1]=online', ['online']],
    ['status=never_seen&banned=true', ['banned']],
    ['status=online&banned=true', []],
    ['status=online&banned=false', ['online']],
    ['tags=filterOne', ['banned', 'online']],
    ['tags[0]=filterOne&tags[1]=filterTwo', ['banned', 'offline', 'online']],
    ['tags=filterOne&banned=true', ['banned']],
    ['tags=filterTwo&status=offline', ['offline']],
    ['tags=FILTERONE', ['banned', 'online']],
    ['tags[0]=filterone&tags[1]=nobody', ['banned', 'online']],
    ['tags=filterOn', []],
    ['search=filter.owner', ['banned', 'unseen', 'offline', 'online']],
    ['search=filter.owner&tags=filterTwo&banned=false&status=online', ['online']],
    ['search=fi&tags=filterOne', ['banned', 'online']],
    ['sort=players', ['online', 'banned', 'unseen', 'offline']],
    ['sort=players&order=asc', ['offline', 'unseen', 'banned', 'online']],
    ['sort=players&status=never_seen', ['banned', 'unseen']],
    ['sort=players&status=never_seen&banned=false', ['unseen']],
    ['sort=players&status=never_seen&order=asc', ['unseen', 'banned']],
    ['sort=players&status=offline', ['offline']],
    ['sort=players&status=online', ['online']],
    ['sort=players&status[0]=offline&status[1]=never_seen', ['banned', 'unseen', 'offline']],
    ['sort=players&status[0]=online&status[1]=never_seen&order=asc', ['unseen', 'banned', 'online']],
    ['sort=players&tags=filterOne', ['online', 'banned']],
    ['sort=created_at&order=asc', ['online', 'offline', 'unseen', 'banned']],
    ['order=asc&banned=false', ['online', 'offline', 'unseen']],
  ]
  test.each(cases)('%s', async (query, names) => {
    expect(await idsOf(`user_id=${owner.id}&${query}`)).toEqual(names.map((name) => idOf[name]))
    // The same without the owner filter: the owner's matches stay the same.
    const all = (await get(`per_page=100&${query}`)).ids
    const own = new Set(Object.values(idOf))
    expect(all.filter((id) => own.has(id))).toEqual(names.map((name) => idOf[name]))
  })

  test('filters by group, and finds nothing for an unknown group', async () => {
    expect(await idsOf({ group_id: groupId })).toEqual([idOf.unseen])
    expect(await idsOf({ group_id: owner.id })).toEqual([])
  })

  test('sorts names without regard to case', async () => {
    const user = await app.newUser()
    for (const name of ['zeta of names', 'Alpha of names', 'beta of names']) await buildServer(user, { name })
    const names = async (query: string) =>
      (await get(`user_id=${user.id}&sort=name&${query}`)).data.map((server) => server.name.slice(0, 5))
    expect(await names('')).toEqual(['Alpha', 'beta ', 'zeta '])
    expect(await names('order=desc')).toEqual(['zeta ', 'beta ', 'Alpha'])
  })
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
    await waitUntilSaved(id)
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

test('can read and count every page from indexes without a sequential scan', async () => {
  const plannedQueries: [string, Parameters<typeof adminServerList>[0], RegExp][] = [
    ['newest', {}, /servers_created_at/],
    ['name', { sort: 'name' }, /servers_lower_name/],
    ['players', { sort: 'players' }, /presence_players/],
    ['online', { status: ['online'] }, /presence_online/],
    ['banned', { banned: true }, /servers_banned/],
    ['search', { search: 'some word' }, /servers_search/],
    ['two letters', { search: 'ab' }, /servers_short_search/],
    ['one letter', { search: 'a' }, /servers_short_search/],
    ['symbols that make no trigram', { search: '★★★' }, /servers_short_search/],
    ['letters that make no trigram in some locales', { search: 'сервер' }, /servers_short_search/],
    ['two letters and a hyphen', { search: 'ab-cd' }, /servers_short_search/],
    ['tags', { tags: ['x'] }, /servers_tags/],
    ['user', { user_id: '00000000-0000-0000-0000-000000000000' }, /servers_owner_id/],
    [
      'address',
      { search: '10.0.0.' },
      /presence_address[\s\S]*credential_uses_bound_address|credential_uses_bound_address[\s\S]*presence_address/,
    ],
  ]
  for (const [what, query, index] of plannedQueries) {
    const list = adminServerList(query)
    const [scan] = list.scans
    const page = { start: undefined, offset: 0, limit: 50, isBackwards: false }
    const queries =
      list.where.length === 0 ? [scanQuery(list, scan, page)] : [candidatesQuery(list, scan, page), countQuery(list, scan, 10_001, false)]
    for (const query of queries) {
      const compiled = query.compile(app.db)
      const plan = await app.db.transaction().execute(async (trx) => {
        await sql`set local enable_seqscan = off`.execute(trx)
        const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>({ ...compiled, sql: `explain ${compiled.sql}` })
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan, `${what}\n${plan}`).toMatch(index)
      expect(plan, what).not.toMatch(/Seq Scan/)
    }
  }
})

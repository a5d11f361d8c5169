/** The administrators' list of servers: search and filters. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as groups from '#contract/servers/groups.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { adminServersOf, waitUntilSaved } from '#tests/admin-servers.ts'
import { announce, buildServer, newName, offer, setTier, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, type TestUser, startApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const get = (query: Record<string, string | number> | string, user: TestUser = admin) => adminServersOf(user, query)

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
    await waitUntilSaved(app, found.public_id)
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
    ['the address with its port', () => `203.0.113.77:${portOf(found.credential)}`],
    ['the address as IPv4-mapped IPv6', () => '::ffff:203.0.113.77'],
    ['the address as IPv4-mapped IPv6, in hexadecimal', () => '::FFFF:cb00:714d'],
    ['the IPv4-mapped address with its port', () => `[::ffff:203.0.113.77]:${portOf(found.credential)}`],
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
      `[2001:db8:0:1::beef]:${portOf(found.credential)}`,
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
    await sql`update credential_addresses set address = '198.51.100.9' where credential_id in (select id from credentials where server_id = ${found.public_id})`.execute(
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
    await waitUntilSaved(app, idOf.online)
    await waitUntilSaved(app, idOf.offline, false)
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

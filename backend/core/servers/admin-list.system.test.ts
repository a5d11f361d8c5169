/** Compares the administrators' list with plain SQL, with more rows than are counted exactly. */
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { PageMeta } from '#contract/api/paging.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

const SERVERS = 12_345
/** Keeps each insert below the statement timeout on a slow machine. */
const BATCH = 1500

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  const owner = await app.newUser()
  // Building the search indexes afterwards is fast. Updating them row by row takes half a minute on a busy machine.
  const { rows: indexes } = await sql<{
    definition: string
  }>`select indexdef as definition from pg_indexes where indexname = 'servers_search'`.execute(app.db)
  await sql`drop index servers_search`.execute(app.db)
  // Ten servers each share a creation time, and names that differ only in case.
  for (let from = 1; from <= SERVERS; from += BATCH)
    await sql`insert into servers (public_id, owner_id, name, name_key, tags, banned, created_at)
    select 'A' || lpad(i::text, 6, '0'), ${owner.id}::uuid, (case when i % 3 = 0 then 'RARE name ' when i % 3 = 1 then 'Rare NAME ' else 'another ' end) || (i % 1234), i::text,
      case when i % 7 = 0 then array['seven'] when i % 1000 = 1 then array['thousand'] else '{}'::text[] end, i % 10 = 0,
      '2026-01-01'::timestamptz - make_interval(secs => i / 10)
    from generate_series(${from}::integer, ${Math.min(SERVERS, from + BATCH - 1)}::integer) i`.execute(app.db)
  await sql`insert into presence (server_id, online, since, last_announce_at, address, announce, changed_at, registered_at)
    select public_id, i % 4 = 0, now(), now(), '10.0.0.1', jsonb_build_object('port', 1, 'playersCount', i % 50), now(), created_at
    from (select *, substr(public_id, 2)::integer as i from servers) s where i % 2 = 0`.execute(app.db)
  for (const { definition } of indexes) await sql.raw(definition).execute(app.db)
}, 120_000)

async function get(query: string): Promise<{ ids: string[]; meta: PageMeta }> {
  const response = await admin.fetch(`/api/admin/tokens?${query}`)
  const { data, meta } = (await response.json()) as { data: { public_id: string }[]; meta: PageMeta }
  return { ids: data.map((server) => server.public_id), meta }
}

type Sql = RawBuilder<unknown>
const NEWEST = sql`s.created_at desc, s.public_id desc`
const OLDEST = sql`s.created_at, s.public_id`

async function expectedIds(where: Sql, order: Sql): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select s.public_id as id from servers s left join presence p on p.server_id = s.public_id
    where ${where} order by ${order}`.execute(app.db)
  return rows.map((row) => row.id)
}

const ONLINE_FIRST = sql`p.online is true desc, case when p.online then p.players end desc, case when p.online then null else s.created_at end desc, s.public_id desc`
const ONLINE_LAST = sql`p.online is true, case when p.online then p.players end, case when p.online then null else s.created_at end, s.public_id`

const lists: [string, Sql, Sql][] = [
  ['', sql`true`, NEWEST],
  ['order=asc', sql`true`, OLDEST],
  ['sort=name', sql`true`, sql`lower(s.name), s.public_id`],
  ['sort=name&order=desc', sql`true`, sql`lower(s.name) desc, s.public_id desc`],
  ['sort=players', sql`true`, ONLINE_FIRST],
  ['sort=players&order=asc', sql`true`, ONLINE_LAST],
  ['banned=false', sql`not s.banned`, NEWEST],
  ['banned=true&sort=name', sql`s.banned`, sql`lower(s.name), s.public_id`],
  ['status=online', sql`p.online`, NEWEST],
  ['status[0]=online&status[1]=offline&order=asc', sql`p.server_id is not null`, OLDEST],
  ['status[0]=online&status[1]=never_seen', sql`p.online is not false`, NEWEST],
  ['status[0]=online&status[1]=never_seen&sort=players', sql`p.online is not false`, ONLINE_FIRST],
  ['tags=seven', sql`'seven' = any(s.tags)`, NEWEST],
  ['tags=thousand&order=asc', sql`'thousand' = any(s.tags)`, OLDEST],
  ['search=rare name', sql`s.name ilike '%rare name%'`, NEWEST],
  ['search=rare name 77&sort=players', sql`s.name ilike '%rare name 77%'`, ONLINE_FIRST],
  ['search=r&banned=false&sort=name', sql`s.search_text like '%r%' and not s.banned`, sql`lower(s.name), s.public_id`],
]

test.each(lists)('%s: returns any page by number, with the capped count', async (query, where, order) => {
  const all = await expectedIds(where, order)
  const last = Math.ceil(all.length / 50)
  const total = Math.min(all.length, 10_000)
  for (const page of new Set([1, 2, Math.ceil(last / 2), last - 1, last, 199, 200, last + 1])) {
    if (page < 1 || page > 200) continue
    const { ids, meta } = await get(`${query}&page=${page}`)
    expect(ids, `page ${page}`).toEqual(all.slice((page - 1) * 50, page * 50))
    expect(meta, `page ${page}`).toEqual({ page, per_page: 50, total, pages: Math.ceil(total / 50), capped: all.length > 10_000 })
  }
})

test.each([
  ['page=201', 400],
  ['page=900000', 400],
  ['page=101&per_page=100', 400],
  ['page=200', 200],
  ['page=100&per_page=100', 200],
  ['page=201&after=A000001', 200],
])('%s returns %i: page numbers alone end at row 10,000', async (query, status) => {
  const response = await admin.fetch(`/api/admin/tokens?${query}`)
  expect(response.status).toBe(status)
  if (status === 400)
    expect(await response.text()).toContain('Page numbers end at row 10,000. For later rows, send the ID of your last row as after.')
})

test('falls back to the page number if the anchor row no longer exists', async () => {
  const all = await expectedIds(sql`true`, NEWEST)
  expect((await get('page=230&after=Zzzzzzz')).ids).toEqual(all.slice(229 * 50, 230 * 50))
})

test.each(lists)('%s: returns the rows after and before any row', async (query, where, order) => {
  const all = await expectedIds(where, order)
  for (const part of [0, 0.1, 0.37, 0.5, 0.81, 0.999]) {
    const index = Math.floor((all.length - 1) * part)
    expect((await get(`${query}&after=${all[index]}`)).ids, `after ${index}`).toEqual(all.slice(index + 1, index + 51))
    expect((await get(`${query}&before=${all[index]}`)).ids, `before ${index}`).toEqual(all.slice(Math.max(0, index - 50), index))
  }
})

test.each(['desc', 'asc'])(
  'sorted by players %s, pages continue without gaps across the boundary between online and other servers',
  async (order) => {
    // 10,802 online, 1,543 not: the boundary is far from both ends, and no multiple of 500.
    const invertOnline = sql`update presence set online = not online where server_id in (select public_id from servers where substr(public_id, 2)::integer % 8 <> 0)`
    await invertOnline.execute(app.db)
    await sql`insert into presence (server_id, online, since, last_announce_at, address, announce, changed_at, registered_at)
      select public_id, true, now(), now(), '10.0.0.1', jsonb_build_object('port', 1, 'playersCount', 7), now(), created_at
      from servers where substr(public_id, 2)::integer % 2 = 1`.execute(app.db)
    await sql`update presence set online = substr(public_id, 2)::integer % 8 <> 0 from servers where public_id = server_id`.execute(app.db)
    app.clock.advance(60_001)
    const all = await expectedIds(sql`true`, order === 'desc' ? ONLINE_FIRST : ONLINE_LAST)
    // Around the last page number, around the boundary, and at the end.
    for (const page of [31, 32, 199, 200, 201, 202, 214, 215, 216, 217, 218, 246, 247]) {
      const anchor = page > 200 ? `&after=${all[(page - 1) * 50 - 1]}` : ''
      const { ids } = await get(`sort=players&order=${order}&page=${page}${anchor}`)
      expect(ids, `page ${page}`).toEqual(all.slice((page - 1) * 50, page * 50))
    }
    await sql`delete from presence where server_id in (select public_id from servers where substr(public_id, 2)::integer % 2 = 1)`.execute(
      app.db,
    )
    await sql`update presence set online = substr(public_id, 2)::integer % 4 = 0 from servers where public_id = server_id`.execute(app.db)
    app.clock.advance(60_001)
  },
)

test('returns each server once when reading to the end with after', async () => {
  const seen: string[] = []
  for (let after = ''; ; after = seen.at(-1) ?? '') {
    const { ids } = await get(`sort=players&per_page=100${after === '' ? '' : `&after=${after}`}`)
    if (ids.length === 0) break
    seen.push(...ids)
  }
  expect(new Set(seen).size).toBe(SERVERS)
  expect(seen.length).toBe(SERVERS)
})

test('counts again for each page, up to the cap', async () => {
  const total = async (query: string) => (await get(query)).meta
  const seven = (await total('tags=seven')).total
  await sql`delete from servers where public_id = 'A000007'`.execute(app.db)
  expect((await total('tags=seven')).total).toBe(seven - 1)
  expect((await total('banned=false')).capped).toBe(true)
  await sql`update servers set banned = true where substr(public_id, 2)::integer > 10000`.execute(app.db)
  expect(await total('banned=false')).toMatchObject({ capped: false, total: (await expectedIds(sql`not s.banned`, NEWEST)).length })
})

test('counts a list without filters each time, and counts again for a page that is not full', async () => {
  const left = async () => (await expectedIds(sql`true`, NEWEST)).length
  expect((await get('')).meta.capped).toBe(true)
  expect((await get('search=a')).meta.capped).toBe(true)
  await sql`delete from servers where substr(public_id, 2)::integer between 5000 and 8000`.execute(app.db)
  expect((await get('')).meta).toMatchObject({ capped: false, total: await left() })
  expect((await get('sort=players')).meta).toMatchObject({ capped: false, total: await left() })
  expect((await get('search=a&page=200')).meta).toMatchObject({ capped: false, total: await left() })
  expect((await get('search=a')).meta).toMatchObject({ capped: false, total: await left() })
})

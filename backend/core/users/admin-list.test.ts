/** The administrators' list of users: filters, search, pages and counts. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as admins from '#contract/users/users-admin.ts'
import type { AdminUserRow } from '#contract/users/users-admin.ts'
import type { PageMeta } from '#contract/api/paging.ts'
import { ban, buildServer, scheduleDeletion, setTier } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
let fixtures: Record<'gold' | 'forced' | 'granted' | 'banned' | 'leaving', SignedInUser>
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  fixtures = {
    gold: await app.signIn('list.gold'),
    forced: await app.signIn('list.forced'),
    granted: await app.signIn('list.granted'),
    banned: await app.signIn('list.banned'),
    leaving: await app.signIn('list.leaving'),
  }
  for (const [user, username] of [
    [fixtures.forced, 'List_Forced'],
    [fixtures.granted, 'list%granted'],
  ] as const)
    await app.db.updateTable('users').set({ username }).where('id', '=', user.id).execute()
  await setTier(app, fixtures.gold.id, 'GOLD')
  await setTier(app, fixtures.forced.id, 'GOLD')
  await admin.call(admins.forceTier, { params: { id: fixtures.forced.id }, body: { tier_id: 'BRONZE' } })
  await admin.call(admins.grantBenefit, { params: { id: fixtures.granted.id, key: 'CUSTOM_BANNER' } })
  // The tier already includes this benefit.
  await admin.call(admins.grantBenefit, { params: { id: fixtures.gold.id, key: 'CUSTOM_BANNER' } })
  await admin.call(admins.changeLimits, { params: { id: fixtures.granted.id }, body: { max_managers: 7 } })
  await buildServer(fixtures.granted)
  await buildServer(fixtures.granted)
  await ban(app, fixtures.banned.id, 'Spam')
  await scheduleDeletion(app, fixtures.leaving.id)
})

async function get(
  query: string,
  user = admin,
): Promise<{ status: number; text: string; data: AdminUserRow[]; meta: PageMeta; errors: string[] }> {
  const response = await user.fetch(`/api/admin/users?${query}`)
  const text = await response.text()
  const { data = [], meta, errors } = JSON.parse(text) as { data?: AdminUserRow[]; meta: PageMeta; errors: string[] }
  return { status: response.status, text, data, meta, errors }
}

async function namesOf(query: string): Promise<string[]> {
  const { status, text, data, meta } = await get(query)
  expect(status, text).toBe(200)
  expect(meta.total).toBe(data.length)
  return data.map((user) => user.discord.username)
}

const ALL = ['list.leaving', 'list.banned', 'list%granted', 'List_Forced', 'list.gold', 'admin']

test('returns the fields of the list and no session or secret', async () => {
  const { data, text } = await get(`search=${fixtures.granted.id}`)
  expect(data).toEqual([
    {
      id: fixtures.granted.id,
      discord: expect.objectContaining({ username: 'list%granted' }) as unknown,
      benefits: [{ key: 'CUSTOM_BANNER', source: 'grant' }],
      active_tier: null,
      owned_tier: null,
      is_tier_forced: false,
      max_masterlist_tokens: 3,
      max_managers: 7,
      max_masterlist_groups: 0,
      delete_at: null,
      banned: false,
      created_at: expect.any(String) as unknown,
      signed_in_at: expect.any(String) as unknown,
      banned_at: null,
      own_limits: { max_masterlist_tokens: null, max_managers: 7, max_masterlist_groups: null },
      open_issues: 0,
      servers: 2,
    },
  ])
  expect(text).not.toMatch(/hash|session|search_text|credential/)
  const [banned] = (await get(`search=${fixtures.banned.id}`)).data
  expect(banned).toMatchObject({ banned: true, ban_reason: 'Spam', servers: 0 })
  expect(banned?.banned_at).not.toBeNull()
})

test('is only for administrators', async () => {
  expect((await get('', fixtures.gold)).status).toBe(403)
})

describe('filters, orders and search', () => {
  const cases: [string, string[]][] = [
    ['', ALL],
    ['order=asc', ALL.toReversed()],
    ['sort=username', ['admin', 'list%granted', 'list.banned', 'list.gold', 'list.leaving', 'List_Forced']],
    ['sort=username&order=desc', ['List_Forced', 'list.leaving', 'list.gold', 'list.banned', 'list%granted', 'admin']],
    ['sort=signed_in_at', ALL],
    ['tiers=GOLD', ['list.gold']],
    ['tiers=BRONZE', ['List_Forced']],
    ['tiers[0]=BRONZE&tiers[1]=GOLD', ['List_Forced', 'list.gold']],
    ['tiers[0]=BRONZE&tiers[1]=GOLD&sort=username', ['list.gold', 'List_Forced']],
    ['tiers=RUBY', []],
    ['benefits=ADMIN', ['admin']],
    ['benefits=CUSTOM_BANNER', ['list%granted', 'list.gold']],
    ['benefits[0]=CUSTOM_BANNER&benefits[1]=ADMIN', ['list%granted', 'list.gold', 'admin']],
    ['benefits[0]=CUSTOM_BANNER&benefits[1]=MASTERLIST_TOKEN_CARD_ICONS', ['list%granted', 'List_Forced', 'list.gold']],
    ['benefits=MASTERLIST_TOKEN_CARD_ICONS', ['List_Forced', 'list.gold']],
    ['benefits=CUSTOM_BANNER&tiers=GOLD', ['list.gold']],
    ['banned=true', ['list.banned']],
    ['banned=false', ALL.filter((name) => name !== 'list.banned')],
    ['banned=true&tiers=GOLD', []],
    ['banned=true&sort=username', ['list.banned']],
    ['pending_deletion=true', ['list.leaving']],
    ['pending_deletion=false&banned=false', ['list%granted', 'List_Forced', 'list.gold', 'admin']],
    ['search=LIST', ALL.slice(0, 5)],
    ['search=list_', ['List_Forced']],
    ['search=list%25', ['list%granted']],
    ['search=%25', ['list%granted']],
    ['search=go', ['list.gold']],
    ['search=t.', ['list.leaving', 'list.banned', 'list.gold']],
    ['search=ж', []],
    ['search=listgold', []],
    ['search=list&banned=true', ['list.banned']],
    ['search=00000000-0000-0000-0000-000000000000', []],
  ]
  test.each(cases)('%s', async (query, names) => {
    expect(await namesOf(query)).toEqual(names)
  })

  test('finds users by Discord id and by id, case-insensitive', async () => {
    const { id, discord } = (await get('search=list.gold')).data[0] ?? { id: '', discord: { discord_id: '' } }
    expect(id).toBe(fixtures.gold.id)
    expect(await namesOf(`search=${discord.discord_id}`)).toEqual(['list.gold'])
    expect(await namesOf(`search=${id.toUpperCase()}`)).toEqual(['list.gold'])
  })
})

test('returns each user once, by page number and after the last row', async () => {
  for (const query of ['', 'sort=username', 'sort=signed_in_at&order=asc', 'search=list', 'banned=false']) {
    const whole = (await get(`per_page=100&${query}`)).data.map((user) => user.id)
    const [byNumber, byCursor, backwards]: [string[], string[], string[]] = [[], [], []]
    for (let page = 1; page <= Math.ceil(whole.length / 2); page += 1) {
      byNumber.push(...(await get(`per_page=2&page=${page}&${query}`)).data.map((user) => user.id))
      const after = byCursor.at(-1)
      byCursor.push(...(await get(`per_page=2&${after === undefined ? '' : `after=${after}&`}${query}`)).data.map((user) => user.id))
    }
    for (let before = whole.at(-1) ?? ''; ;) {
      const ids = (await get(`per_page=2&before=${before}&${query}`)).data.map((user) => user.id)
      if (ids.length === 0) break
      backwards.unshift(...ids)
      before = ids[0] ?? ''
    }
    expect([byNumber, byCursor], query).toEqual([whole, whole])
    expect(backwards, query).toEqual(whole.slice(0, -1))
  }
})

test('continues after a user whose tier has changed', async () => {
  const ids = async (query: string) => (await get(`tiers[0]=BRONZE&tiers[1]=GOLD&per_page=1&${query}`)).data.map((user) => user.id)
  const [first = ''] = await ids('')
  const [second = ''] = await ids(`page=2&after=${first}`)
  expect([first, second]).toEqual([fixtures.forced.id, fixtures.gold.id])
  await admin.call(admins.forceTier, { params: { id: first }, body: { tier_id: 'RUBY' } })
  expect(await ids(`page=2&after=${first}`)).toEqual([second])
  await admin.call(admins.forceTier, { params: { id: first }, body: { tier_id: 'BRONZE' } })
})

test.each([
  ['tiers=WOOD', 'tiers must be one of BRONZE, SILVER, GOLD, PLATINUM, RUBY, DIAMOND_ALTRUIST.'],
  ['banned=yes', 'banned must be true or false.'],
  ['pending_deletion[0]=true', 'pending_deletion must be true or false.'],
  ['sort=delete_at', 'sort must be one of created_at, username, signed_in_at.'],
  ['page=x', 'page must be a whole number from 1 to 1,000,000.'],
  ['search=%00', "search can't contain control characters or invalid Unicode."],
])('%s is rejected with a message', async (query, sentence) => {
  const { status, errors } = await get(query)
  expect([status, errors]).toEqual([400, [sentence]])
})

test.each(['after=1', 'before=abc&page=2', 'after=00000000-0000-0000-0000-000000000000', 'tiers[0]=GOLD&tiers[1]=GOLD'])(
  '%s succeeds',
  async (query) => {
    expect((await get(query)).status).toBe(200)
  },
)

test('counts holders of a benefit exactly up to 10,000, by tier, grant or both', async () => {
  const meta = async () => (await get('benefits[0]=CUSTOM_BANNER&benefits[1]=MASTERLIST_TOKEN_CARD_ICONS')).meta
  const before = (await meta()).total
  const add = (from: number, to: number, tier: string | null) =>
    sql`insert into users (id, discord_id, username, owned_tier)
      select gen_random_uuid(), 'many' || i, 'many.' || i, ${tier} from generate_series(${from}::integer, ${to}::integer) i`.execute(app.db)
  await add(1, 4000, 'GOLD')
  await add(4001, 10_000 - before, null)
  for (const key of ['CUSTOM_BANNER', 'MASTERLIST_TOKEN_CARD_ICONS'])
    await sql`insert into benefit_grants (user_id, key) select id, ${key} from users where username like 'many.%' and discord_id >= 'many2'`.execute(
      app.db,
    )
  const { rows } = await sql<{ n: string }>`select count(*) as n from users u where u.active_tier is not null
    or exists (select from benefit_grants g where g.user_id = u.id and g.key <> 'ADMIN')`.execute(app.db)
  expect(await meta()).toMatchObject({ total: Number(rows[0]?.n), capped: false })
  await sql`insert into benefit_grants (user_id, key) select id, 'CUSTOM_BANNER' from users where username like 'many.%' on conflict do nothing`.execute(
    app.db,
  )
  expect(await meta()).toMatchObject({ total: 10_000, capped: false })
  await add(20_000, 20_000, 'GOLD')
  expect(await meta()).toMatchObject({ total: 10_000, capped: true })
})

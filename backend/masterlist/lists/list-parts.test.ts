/** Parts of the list: filters, pages, columns, and invalid queries. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as groups from '#contract/servers/groups.ts'
import * as servers from '#contract/servers/servers.ts'
import { ListColumns, ListedServer } from '#contract/masterlist/masterlist.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type RawResponse, announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

const onlineServer = async (body: Record<string, unknown>, fields: Parameters<typeof buildServer>[1]) => {
  const server = await buildServer(owner, fields)
  expect((await announceFrom(app, server.credential, body)).status).toBe(200)
  return server
}

/** Six servers in list order. */
const FLEET = [
  ['Königsstadt Roleplay', { playersCount: 60 }, { language: 'de', region: 'eu-central', tags: ['Roleplay', 'Voice'], promoted: true }],
  ['Sunset City', { playersCount: 50, gameMode: 'Freeroam' }, { language: 'en', region: 'na-east', tags: ['casual'] }],
  ['Alpha Racing', { playersCount: 20, branch: 'rc' }, { language: 'en', game_mode: 'Racing' }],
  ['Beta Racing', { playersCount: 20 }, { language: 'de', region: 'eu-central', tags: ['drift'], vanity_url: 'beta-drift' }],
  ['Delta Κώστας', { playersCount: 20 }, { language: 'en', tags: ['roleplay', 'straßenrennen'] }],
  ['Empty "Valley"', { playersCount: 0 }, { language: 'de', tags: ['voice'] }],
] as const

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
  for (const [name, body, fields] of FLEET) await onlineServer(body, { ...fields, name, tags: [...('tags' in fields ? fields.tags : [])] })
  await vi.waitFor(async () => expect(await readList(app)).toHaveLength(FLEET.length), { timeout: 10_000 })
})

const names = async (query: string) => (await readList(app, query)).map(({ name }) => name)
const nextOf = ({ headers }: RawResponse) => String(headers['x-next-cursor'])
const allNames = FLEET.map(([name]) => name)
const namesAt = (...indices: number[]) => indices.map((index) => allNames[index])

describe('filters', () => {
  test.each([
    ['?branch=rc', [2]],
    ['?language=DE', [0, 3, 5]],
    ['?region=EU-Central', [0, 3]],
    ['?region=mars', []],
    ['?region=eu-central&q=racing', [3]],
    ['?tag=ROLEPLAY', [0, 4]],
    ['?tag=role', []],
    ['?q=racing', [2, 3]],
    ['?q=k%C3%B6nig', [0]],
    ['?q=ko%CC%88NIG', [0]],
    ['?q=%CE%BA%CF%8E%CF%83', [4]],
    ['?q=strasse', [4]],
    ['?q=STRA%C3%9FE', [4]],
    ['?tag=STRASSENRENNEN', [4]],
    ['?q=beta-drift', [3]],
    ['?q=freeroam', [1]],
    ['?q=voic', [0, 5]],
    ['?q=%22valley%22', [5]],
    ['?q=%25', []],
    ['?language=de&tag=voice', [0, 5]],
    ['?branch=release&language=en&q=city', [1]],
    ['?language=&region=&tag=&q=&branch=', [0, 1, 2, 3, 4, 5]],
    ['?foo=1&format=rows', [0, 1, 2, 3, 4, 5]],
    ['?', [0, 1, 2, 3, 4, 5]],
  ])('%s returns matching rows in list order', async (query, expected) => {
    expect(await names(query)).toEqual(namesAt(...expected))
  })

  test('?group= returns the servers of this group, on each page, and not those of another with its name', async () => {
    const admin = await app.signIn('admin')
    await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
    await setTier(app, admin.id, 'DIAMOND_ALTRUIST')
    const { id } = (await owner.call(groups.create, { body: { name: 'Aurora' } })).data
    const other = (await admin.call(groups.create, { body: { name: 'Aurora' } })).data
    for (const name of namesAt(1, 3)) {
      const { publicId } = (await readList(app)).find((row) => row.name === name) as ListedServer
      await owner.call(servers.change, { params: { id: publicId }, body: { group_id: id } })
    }
    await vi.waitFor(async () => expect(await names(`?group=${id}`)).toEqual(namesAt(1, 3)), { timeout: 10_000 })
    expect(await names(`?group=${id}&language=de`)).toEqual(namesAt(3))
    expect(await names(`?group=${other.id}`)).toEqual([])
    expect(await names('?group=none')).toEqual([])
    const first = await send(`${app.listUrl}/servers?group=${id}&limit=1`)
    expect(first.headers.link).toContain(`group=${id}`)
    expect(await names(`?group=${id}&limit=1&cursor=${nextOf(first)}`)).toEqual(namesAt(3))
  })

  test('a filtered list has the rows and version of the whole list, all encodings, HEAD, and an ETag of its own', async () => {
    const whole = await readList(app)
    const path = `${app.listUrl}/servers?language=de`
    const [plain, gzip, br] = await Promise.all(
      ['identity', 'gzip', 'br'].map((accept) => send(path, { headers: { 'accept-encoding': accept } })),
    )
    expect(JSON.parse(plain?.text ?? '')).toEqual(whole.filter(({ language }) => language === 'de'))
    expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(plain?.text)
    expect(brotliDecompressSync(br?.bytes ?? '').toString()).toBe(plain?.text)
    expect(new Set([plain, gzip, br].map((response) => response?.headers.etag)).size).toBe(1)
    expect(plain?.headers).toMatchObject({ vary: 'Accept-Encoding', 'access-control-allow-origin': '*' })
    expect(plain?.headers['x-list-version']).toBe((await send(`${app.listUrl}/servers`)).headers['x-list-version'])
    const etag = plain?.headers.etag ?? ''
    expect((await send(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await send(`${app.listUrl}/servers?language=en`, { headers: { 'if-none-match': etag } })).status).toBe(200)
    const head = await send(path, { method: 'HEAD' })
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, plain?.headers['content-length']])
  })
})

describe('servers by ID', () => {
  const idOf = async (index: number) => (await readList(app))[index]?.publicId ?? ''
  const unknownIds = (count: number) => Array.from({ length: count }, (_, index) => `U${String(index).padStart(6, '0')}`)

  test('are the listed ones among up to a hundred, in list order, each once, with filters, pages and columns', async () => {
    const [first, third, last] = [await idOf(0), await idOf(3), await idOf(5)]
    const hidden = await onlineServer({}, { name: 'Hidden', visible: false })
    const offline = await buildServer(owner, { name: 'Offline' })
    const ids = [last, first, third, hidden.public_id, offline.public_id, ...unknownIds(95)].join(',')
    expect(ids.split(',')).toHaveLength(100)
    expect(await names(`?ids=${ids}`)).toEqual(namesAt(0, 3, 5))
    expect(await names(`?ids=${ids},${first},${first}`)).toEqual(namesAt(0, 3, 5))
    expect(await names(`?ids=${ids}&tag=voice`)).toEqual(namesAt(0, 5))
    const page = await send(`${app.listUrl}/servers?ids=${ids}&limit=2`)
    expect((JSON.parse(page.text) as ListedServer[]).map(({ name }) => name)).toEqual(namesAt(0, 3))
    const next = /^<(.+)>/.exec(String(page.headers.link))?.[1] ?? ''
    expect(await names(next.slice(next.indexOf('?')))).toEqual(namesAt(5))
    const columns = await send(`${app.listUrl}/servers?ids=${last},${first}&format=columns`)
    expect((JSON.parse(columns.text) as ListColumns).name).toEqual(namesAt(0, 5))
    expect(await names(`?ids=${hidden.public_id}`)).toEqual([])
    for (const server of [hidden, offline]) await owner.call(servers.remove, { params: { id: server.public_id } })
  })

  test('have the headers of the list, and 304 for a known ETag', async () => {
    const path = `${app.listUrl}/servers?ids=${await idOf(0)}`
    const { headers } = await send(path)
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=0, s-maxage=1, must-revalidate' })
    expect(headers['x-list-version']).toBe((await send(`${app.listUrl}/servers`)).headers['x-list-version'])
    expect((await send(path, { headers: { 'if-none-match': headers.etag ?? '' } })).status).toBe(304)
  })

  test.each([
    ['nothing', ''],
    ['a vanity ID', 'beta-drift'],
    ['a short ID', 'AbCd12'],
    ['an empty one', ',,'],
    ['a hostile one', '../../x'],
    ['a hundred of another list', Array.from({ length: 100 }, (_, index) => `other-list-${index}`).join()],
  ])('pass over %s', async (_, ids) => {
    expect(await names(`?ids=${ids}`)).toEqual([])
    expect(await names(`?ids=${ids},${await idOf(2)},%20${await idOf(0)}%20`)).toEqual(namesAt(0, 2))
  })

  test('that are more than a hundred are 400', async () => {
    const response = await send(`${app.listUrl}/servers?ids=${unknownIds(101).join()}`)
    expect([response.status, response.headers['cache-control'], JSON.parse(response.text)]).toMatchObject([
      400,
      'no-store',
      { code: 'QUERY_INVALID', errors: ['ids can name at most 100 servers.'] },
    ])
  })
})

describe('pages', () => {
  async function readPages(first: string): Promise<{ pages: string[][]; links: string[] }> {
    const [pages, links]: [string[][], string[]] = [[], []]
    for (let path: string | undefined = first; path !== undefined;) {
      const page = await send(`${app.listUrl}${path}`)
      expect(page.status, page.text).toBe(200)
      pages.push((JSON.parse(page.text) as ListedServer[]).map(({ name }) => name))
      const link = page.headers['link']
      expect(link === undefined).toBe(page.headers['x-next-cursor'] === undefined)
      path = /^<(.+)>; rel="next"$/.exec(String(link ?? ''))?.[1]
      if (path === undefined) continue
      expect(new URL(path, app.listUrl).searchParams.get('cursor')).toBe(page.headers['x-next-cursor'])
      links.push(path)
    }
    return { pages, links }
  }

  test.each([1, 2, 3, 4, 6, 1000])('of %d rows contain each row of the list once, and the last page has no next cursor', async (limit) => {
    const { pages } = await readPages(`/servers?limit=${limit}`)
    expect(pages.flat()).toEqual(allNames)
    expect(pages.length).toBe(Math.ceil(allNames.length / limit))
  })

  test('work with a filter', async () => {
    const { pages, links } = await readPages('/servers?language=DE&limit=2')
    expect(pages).toEqual([namesAt(0, 3), namesAt(5)])
    expect(links[0]).toContain('language=DE')
  })

  test('a cursor without a limit returns the remaining rows, and the next cursor is readable across origins', async () => {
    const first = await send(`${app.listUrl}/servers?limit=4`)
    expect(first.headers['access-control-expose-headers']).toContain('X-Next-Cursor')
    expect(await names(`?cursor=${nextOf(first)}`)).toEqual(namesAt(4, 5))
  })

  test('rows added or removed before the cursor cause no skipped or repeated row', async () => {
    const first = await send(`${app.listUrl}/servers?limit=4`)
    const added = await onlineServer({ playersCount: 99 }, { name: 'Added' })
    await expect.poll(() => names('')).toContain('Added')
    expect(await names(`?limit=4&cursor=${nextOf(first)}`)).toEqual(namesAt(4, 5))
    await owner.call(servers.remove, { params: { id: added.public_id } })
    await expect.poll(() => names('')).toEqual(allNames)
    expect(await names(`?limit=4&cursor=${nextOf(first)}`)).toEqual(namesAt(4, 5))
  })
})

describe('columns', () => {
  test('have the rows of the list in the same order, as one array per field, with their own ETag', async () => {
    const rows = await readList(app)
    const response = await send(`${app.listUrl}/servers?format=columns`)
    const columns = ListColumns.strict().parse(JSON.parse(response.text))
    expect(Object.keys(columns)).toEqual(Object.keys(ListedServer.shape))
    expect(rows.map((_, index) => Object.fromEntries(Object.entries(columns).map(([field, values]) => [field, values[index]])))).toEqual(
      rows,
    )
    expect(new Set(Object.values(columns).map((values) => values.length))).toEqual(new Set([rows.length]))
    const unchanged = await send(`${app.listUrl}/servers?format=columns`, { headers: { 'if-none-match': response.headers.etag ?? '' } })
    expect(unchanged.status).toBe(304)
    const gzipped = await send(`${app.listUrl}/servers?format=columns`, { headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(gzipped.bytes).toString()).toBe(response.text)
    const { etag } = (await send(`${app.listUrl}/servers`)).headers
    expect(response.headers.etag).not.toBe(etag)
  })

  test('can be filtered and paged, and have all fields even without rows', async () => {
    const page = await send(`${app.listUrl}/servers?format=columns&language=de&limit=2`)
    expect((JSON.parse(page.text) as ListColumns).name).toEqual(namesAt(0, 3))
    const next = await send(`${app.listUrl}/servers?format=columns&language=de&cursor=${nextOf(page)}`)
    expect((JSON.parse(next.text) as ListColumns).name).toEqual(namesAt(5))
    const none = JSON.parse((await send(`${app.listUrl}/servers?format=columns&q=nobody`)).text) as ListColumns
    expect(Object.values(none)).toEqual(Object.keys(ListedServer.shape).map(() => []))
  })
})

describe('an invalid query is 400 with a helpful sentence', () => {
  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cases = [
    ['limit=0', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1001', 'limit must be a whole number from 1 to 1000.'],
    ['limit=', 'limit must be a whole number from 1 to 1000.'],
    ['limit=1e2', 'limit must be a whole number from 1 to 1000.'],
    ['limit=-1', 'limit must be a whole number from 1 to 1000.'],
    [`branch=${'x'.repeat(33)}`, 'branch can be at most 32 characters long.'],
    [`q=${'x'.repeat(65)}`, 'q can be at most 64 characters long.'],
    ['q=a%00b', "q can't contain U+0000: it is an invisible, control or undefined character."],
    ['tag=a&tag=b', 'tag can be given only once.'],
    ['group=a&group=b', 'group can be given only once.'],
    [`group=${'a'.repeat(37)}`, 'group can be at most 36 characters long.'],
    ['branch=release&branch=release', 'branch can be given only once.'],
    ['format=xml', 'format must be rows or columns.'],
    ['since=%20', 'since must be a version of this list. Use the X-List-Version header or the version of a delta.'],
    ['since=', 'since must be a version of this list. Use the X-List-Version header or the version of a delta.'],
    ['since=a.1.b&branch=rc&ids=AbCd123', 'since returns changes of the whole list and cannot be combined. Leave out branch and ids.'],
    ['cursor=', 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
    ['cursor=%7B%7D', 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
    [`cursor=${cursorOf({})}`, 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
    [`cursor=${cursorOf([1, 'x', '../../x'])}`, 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
    [`cursor=${cursorOf([-1, 'x', 'AAAAAAA'])}`, 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
    [`cursor=${'A'.repeat(513)}`, 'cursor is invalid. Use the X-Next-Cursor header of the previous page.'],
  ] as const
  test.each(cases.map(([query, sentence]) => [query.slice(0, 40), query, sentence]))('?%s', async (_, query, sentence) => {
    const response = await send(`${app.listUrl}/servers?${query}`)
    expect([response.status, JSON.parse(response.text)]).toMatchObject([
      400,
      { code: 'QUERY_INVALID', errors: [sentence], isBusiness: false },
    ])
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect((await send(`${app.listUrl}/servers?${query}`, { method: 'HEAD' })).status).toBe(400)
  })

  test('several mistakes give several sentences', async () => {
    const response = await send(`${app.listUrl}/servers?limit=x&format=y`)
    expect((JSON.parse(response.text) as { errors: string[] }).errors).toHaveLength(2)
  })
})

/** `/browse`: filters and their counts, sorting, chosen servers and rejections. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { BodyIn } from '#contract/api/endpoint.ts'
import * as groups from '#contract/servers/groups.ts'
import * as servers from '#contract/servers/servers.ts'
import * as serversAdmin from '#contract/servers/servers-admin.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'
import { chipsOf, hiddenFieldsOf, linksOf, readPage, textOf, untilListed } from '#tests/public-pages.ts'
import { seedHistory } from '#tests/seed-history.ts'

const MINUTE_MS = 60_000

let app: TestApp
let owner: SignedInUser
const byName = new Map<string, ServerWithCredential>()

const read = async (path: string, init?: RequestInit) => await readPage(app.anonymous, path, init)
const namesOf = async (query: string) => (await read(`/browse${query}`)).names
const chipsFor = async (query: string) => chipsOf(await read(`/browse${query}`))
const idOf = (name: string) => byName.get(name)?.public_id ?? ''

async function goOnline(body: BodyIn<typeof servers.create>, announced: Record<string, unknown> = {}): Promise<void> {
  const server = await buildServer(owner, body)
  byName.set(body.name, server)
  expect((await announceFrom(app, server.credential, announced)).status).toBe(200)
}

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
  owner = await fleetOwner(app)
})

describe('four servers', () => {
  beforeAll(async () => {
    await goOnline(
      { name: 'Alpine Drift', language: 'en', region: 'eu-west', tags: ['Racing', 'Drift'], game_mode: 'Freeroam', vanity_url: 'peaks' },
      { version: '1.0', playersCount: 10, maxPlayersCount: 20 },
    )
    await goOnline(
      { name: 'Boreal Trucks', language: 'de', region: 'eu-west', tags: ['racing', 'Trucks'] },
      { version: '2.0', playersCount: 20, maxPlayersCount: 20, passworded: true, gameMode: 'Haulage' },
    )
    await goOnline(
      { name: 'coral Reef', description: 'No logging here.', language: 'en', region: 'na-east', tags: ['Drift'], game_mode: 'freeroam' },
      { version: '2.0', playersCount: 5, maxPlayersCount: 50, passworded: true },
    )
    await goOnline({ name: 'Ölberg Östen', language: 'de' }, { version: '2.0', playersCount: 0, maxPlayersCount: 8 })
    const admin = await app.signIn('admin')
    await admin.call(serversAdmin.changeAdminServer, { params: { id: idOf('Alpine Drift') }, body: { verified: true } })
    await untilListed(app, [...byName.keys()])
    await vi.waitUntil(async () => (await namesOf('?verified=1')).length === 1, { timeout: 10_000 })
  })

  test.each([
    ['', 'Boreal Trucks, Alpine Drift, coral Reef, Ölberg Östen'],
    ['?language=DE', 'Boreal Trucks, Ölberg Östen'],
    ['?region=Eu-West', 'Boreal Trucks, Alpine Drift'],
    ['?tag=RACING', 'Boreal Trucks, Alpine Drift'],
    ['?tag=racing&tag=drift', 'Alpine Drift'],
    ['?tag=racing&tag=drift&tag=trucks', ''],
    ['?game_mode=FREEROAM', 'Alpine Drift, coral Reef'],
    ['?game_mode=haulage', 'Boreal Trucks'],
    ['?version=2.0', 'Boreal Trucks, coral Reef, Ölberg Östen'],
    ['?has_slots=1', 'Alpine Drift, coral Reef, Ölberg Östen'],
    ['?no_password=1', 'Alpine Drift, Ölberg Östen'],
    ['?verified=1', 'Alpine Drift'],
    ['?language=en&region=na-east&tag=drift&game_mode=freeroam&version=2.0&has_slots=1&q=REEF', 'coral Reef'],
    ['?language=en&region=na-east&verified=1', ''],
    ['?language=xx', ''],
    ['?region=constructor', ''],
    ['?q=alpine', 'Alpine Drift'],
    ['?q=%20ÖLBERG%20', 'Ölberg Östen'],
    ['?q=peaks', 'Alpine Drift'],
    ['?q=haul', 'Boreal Trucks'],
    ['?q=truck', 'Boreal Trucks'],
    ['?q=drift', 'Alpine Drift, coral Reef'],
    ['?q=%3Cscript%3E', ''],
    ['?q=olberg%20%20osten', 'Ölberg Östen'],
    ['?q=german', 'Boreal Trucks, Ölberg Östen'],
    ['?q=deutsch', 'Boreal Trucks, Ölberg Östen'],
    ['?q=bureal', 'Boreal Trucks'],
    ['?q=logging', 'coral Reef'],
    ['?game_mode=FRÉEROAM', 'Alpine Drift, coral Reef'],
    ['?sort=name', 'Alpine Drift, Boreal Trucks, coral Reef, Ölberg Östen'],
    ['?sort=newest', 'Ölberg Östen, coral Reef, Boreal Trucks, Alpine Drift'],
    ['?language=en&sort=newest', 'coral Reef, Alpine Drift'],
    ['?unknown=1&language=&q=&tag=&page=', 'Boreal Trucks, Alpine Drift, coral Reef, Ölberg Östen'],
  ])('/browse%s shows %s', async (query, names) => {
    expect((await namesOf(query)).join(', ')).toBe(names)
  })

  test('chips count the servers that they would find', async () => {
    expect(await chipsFor('')).toEqual({
      'Not full': 3,
      'No password': 2,
      Verified: 1,
      'Language: English': 2,
      'Language: German': 2,
      'Region: Europe (west)': 2,
      'Region: North America (east)': 1,
      'Tags: Drift': 2,
      'Tags: racing': 2,
      'Tags: Trucks': 1,
      'Game mode: Freeroam': 2,
      'Game mode: Haulage': 1,
      'Version: 1.0': 1,
      'Version: 2.0': 3,
    })
  })

  test('the other values of a chosen filter show what they would find, and other filters count what is left', async () => {
    expect(await chipsFor('?language=en')).toMatchObject({ 'Language: German': 2, 'Not full': 2, 'Version: 2.0': 1 })
    expect(await chipsFor('?language=en&no_password=1')).toMatchObject({
      'Language: German': 1,
      'No password': 1,
      'Region: Europe (west)': 1,
    })
    // A second tag narrows the choice.
    const tags = await chipsFor('?tag=racing')
    expect(tags).toMatchObject({ 'Tags: Trucks': 1, 'Tags: Drift': 1, 'Version: 2.0': 1 })
    expect(tags).not.toHaveProperty('Tags: racing')
    expect(await chipsFor('?language=en&version=9')).toMatchObject({ 'Version: 1.0': 1, 'Version: 2.0': 1, Verified: 0 })
  })

  test('each number on a chip is the number of servers behind its link', async () => {
    for (const query of ['', '?language=en', '?tag=racing&has_slots=1', '?q=drift&sort=name']) {
      const page = await read(`/browse${query}`)
      const chips = [...page.html.matchAll(/<a href="(\/browse\?[^"]*)"[^>]*>(?:(?!<\/a>).)*tabular-nums">(\d+)<\/span><\/a>/gs)]
      expect(chips.length, query).toBeGreaterThan(3)
      for (const [, href = '', count] of chips) {
        // A chosen switch counts what it finds now.
        if (page.html.includes(`href="${href}" rel="nofollow" aria-current="true"`)) continue
        expect([href, String((await read(href.replaceAll('&amp;', '&'))).names.length)]).toEqual([href, count])
      }
    }
  })

  test('the form keeps the other filters', async () => {
    const page = await read('/browse?q=drift&language=en&tag=Drift&tag=x%22y&has_slots=1&sort=name&page=2')
    expect(hiddenFieldsOf(page)).toEqual(['language=en', 'tag=Drift', 'tag=x"y', 'has_slots=1'])
    expect(page.html).toMatch(/<input type="search"[^>]*value="drift"/)
    expect(page.html).toContain('<option value="name" selected="">')
  })

  test('each state has its own title, and only the plain list is for search engines', async () => {
    const states = [
      ['', 'Game servers · Muster', '/browse'],
      ['?sort=players&page=1&other=1', undefined, '/browse'],
      ['?language=en', 'Game servers · English · Muster'],
      ['?language=de', 'Game servers · German · Muster'],
      ['?region=eu-west&verified=1', 'Game servers · Europe (west) · Verified · Muster'],
      ['?tag=drift&tag=racing', 'Game servers · drift · racing · Muster'],
      ['?q=%3C%26%22', 'Game servers · “<&"” · Muster'],
      ['?sort=trending', 'Game servers · Trending · Muster'],
      ['?has_slots=1', 'Game servers · Not full · Muster'],
      ['?page=7', undefined, '/browse'],
      ['?ids=', 'Selected servers · Muster'],
    ] as const
    const titles: string[] = []
    for (const [query, title, canonical] of states) {
      const page = await read(`/browse${query}`)
      expect([query, page.isIndexed, page.canonical]).toEqual([query, canonical !== undefined, canonical && app.panelUrl + canonical])
      if (title === undefined) continue
      expect(page.title).toBe(title)
      titles.push(page.title)
    }
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('filters and single pages of a filter are not followed, and servers and pages are', async () => {
    const links = linksOf(await read('/browse'))
    const followed = links.filter(({ rel }) => !rel.includes('nofollow')).map(({ href }) => href)
    const pathOf = (name: string) => `/s/${idOf(name)}`
    expect(followed).toEqual([
      '#main',
      '/browse',
      '/login',
      pathOf('Boreal Trucks'),
      '/s/peaks',
      pathOf('coral Reef'),
      pathOf('Ölberg Östen'),
    ])
  })

  test('a group shows its servers and their name for it, and not the servers of another group with this name', async () => {
    await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
    const admin = await app.signIn('admin')
    await setTier(app, admin.id, 'DIAMOND_ALTRUIST')
    const group = (await owner.call(groups.create, { body: { name: 'Aurora & Co' } })).data
    const other = (await admin.call(groups.create, { body: { name: 'Aurora & Co' } })).data
    for (const name of ['Alpine Drift', 'coral Reef'])
      await owner.call(servers.change, { params: { id: idOf(name) }, body: { group_id: group.id } })
    const link = `/browse?group=${group.id}`
    await expect.poll(async () => (await read(link)).names).toEqual(['Alpine Drift', 'coral Reef'])
    const page = await read(`${link}&no_password=1`)
    expect([page.title, page.names, page.isIndexed]).toEqual(['Game servers · Aurora & Co · No password · Muster', ['Alpine Drift'], false])
    expect(page.html).toContain('aria-label="Remove filter Aurora &amp; Co"')
    expect(linksOf(page)).toContainEqual({ href: '/browse?no_password=1', rel: 'nofollow' })
    expect(hiddenFieldsOf(page)).toContain(`group=${group.id}`)
    expect(linksOf(await read('/s/peaks'))).toContainEqual({ href: link, rel: 'nofollow' })
    for (const id of [other.id, 'none']) {
      const empty = await read(`/browse?group=${id}`)
      expect([empty.status, empty.names, empty.title]).toEqual([200, [], 'Game servers · Group · Muster'])
    }
  })

  test('the tags of a row lead to their servers', async () => {
    const [row = ''] =
      /<li id="server-\w+" class="row [^"]*">(?:(?!<\/li>).)*Alpine Drift.*?<\/li>/s.exec((await read('/browse')).html) ?? []
    const tags = linksOf({ html: row }).filter(({ href }) => href.startsWith('/browse'))
    expect(tags).toEqual(['Racing', 'Drift'].map((tag) => ({ href: `/browse?tag=${tag}`, rel: 'nofollow' })))
  })

  test('the sheet of the filters says how many servers it would show, and its button how many filters are set', async () => {
    const sheetOf = async (query: string) => {
      const { html } = await read(`/browse${query}`)
      const [button = ''] = /<button[^>]*popoverTarget="filters"[^>]*>.*?<\/button>/is.exec(html) ?? []
      const [close = ''] = /<button[^>]*popoverTargetAction="hide"[^>]*>.*?<\/button>/is.exec(html) ?? []
      return [textOf(button), textOf(close)]
    }
    expect(await sheetOf('')).toEqual(['Filters', 'Show 4 servers'])
    expect(await sheetOf('?language=en&verified=1')).toEqual(['Filters2', 'Show 1 server'])
  })

  test.each([
    ['sort=x', 'sort must be one of'],
    ['page=0', 'page must be a whole number from 1 to 10'],
    ['page=abc', 'page must be a whole number from 1 to 10'],
    ['page=1.5', 'page must be a whole number'],
    ['page=10001', 'page must be a whole number'],
    ['has_slots=yes', 'has_slots must be one of'],
    ['language=en&language=de', 'language can be given only once'],
    ['q=a&q=a', 'q can be given only once'],
    ['group=a&group=b', 'group can be given only once'],
    [`q=${'a'.repeat(65)}`, 'q can be at most 64 characters long'],
    ['q=%E2%80%AEabc', 'q can&#x27;t contain U+202E: '],
    ['q=%00', 'q can&#x27;t contain U+0000: '],
    ['tag=a&tag=b&tag=c&tag=d&tag=e', 'at most 4 tags'],
    [`ids=${Array.from({ length: 101 }, (_, index) => `a${index}`).join(',')}`, 'ids can name at most 100 servers'],
  ])('the query %.40s is a 400 with a sentence', async (query, sentence) => {
    const before = await read('/browse')
    const page = await read(`/browse?${query}`)
    expect([page.status, page.heading, page.isIndexed]).toEqual([400, 'This address is not valid', false])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.has('etag')).toBe(false)
    expect(page.html).toContain(sentence)
    expect((await read('/browse')).html).toBe(before.html)
  })

  test('trending servers come first, with their growth', async () => {
    const name = 'coral Reef'
    await seedHistory(app, idOf(name), { days: 8, players: () => 2 })
    const keepOnline = async () => {
      for (const [each, { credential }] of byName)
        await announceFrom(app, credential, each === name ? { playersCount: 30, maxPlayersCount: 50 } : { playersCount: 40 })
    }
    // Three whole buckets of five minutes.
    for (let minute = 0; minute < 21; minute += 1) {
      await keepOnline()
      app.clock.advance(MINUTE_MS)
      await app.runJob('sample-players')
    }
    await app.runJob('refresh-trending')
    await keepOnline()
    await expect.poll(async () => (await namesOf('?sort=trending'))[0]).toBe(name)
    const growth = /<span data-growth="true" [^>]*title="([^"]*)">(.*?)<\/span><\/span>/s.exec((await read('/browse?sort=trending')).html)
    expect([growth?.[1], textOf(growth?.[2] ?? '')]).toEqual(['More players than at this hour last week', '+28vs last week'])
    expect((await read(`/s/${idOf(name)}`)).html).toContain('28 more players than at this hour last week')
    await expect.poll(async () => (await namesOf('')).at(-1)).toBe(name)
  })

  test('chosen servers show also while offline, and others that have no page do not', async () => {
    const [online, offline, hidden, unknown] = [idOf('Alpine Drift'), idOf('coral Reef'), idOf('Ölberg Östen'), 'zzzzzzz']
    app.clock.advance(60_000)
    for (const name of ['Alpine Drift', 'Boreal Trucks']) await announceFrom(app, byName.get(name)?.credential)
    app.clock.advance(20_000)
    await untilListed(app, ['Alpine Drift', 'Boreal Trucks'])
    await owner.call(servers.change, { params: { id: hidden }, body: { visible: false } })
    const ids = [offline, unknown, hidden, online, online].join(',')
    const page = await read(`/browse?ids=${ids}`)
    expect([page.names, page.isIndexed]).toEqual([['Alpine Drift', 'coral Reef'], false])
    expect(page.html).toContain('Offline')
    expect((await read(`/browse?ids=${ids}&q=reef`)).names).toEqual(['coral Reef'])
    expect(await namesOf(`?ids=${online},peaks,Peaks`)).toEqual(['Alpine Drift'])
    expect(await namesOf(`?ids=a%20b,../../x,${online}%20,%F0%9F%98%80`)).toEqual(['Alpine Drift'])
    const hundred = [online, ...Array.from({ length: 99 }, (_, index) => `none${100 + index}`)].join(',')
    expect(await namesOf(`?ids=${hundred}`)).toEqual(['Alpine Drift'])
    for (const none of ['', ',,', unknown]) {
      const empty = await read(`/browse?ids=${none}`)
      expect([empty.status, empty.names]).toEqual([200, []])
      expect(empty.html).toContain('No servers here yet')
    }
  })
})

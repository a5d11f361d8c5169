/** `/s/{id}`: who has a page, under which addresses, and what it shows to people and search engines. */
import { beforeAll, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as serversAdmin from '#contract/servers/servers-admin.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { buildServer, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type SendOptions, announceFrom, fleetOwner, readOne, send } from '#tests/list/send.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { linksOf, readPage, textOf } from '#tests/public-pages.ts'

const DAY_MS = 86_400_000

let app: TestApp
let owner: SignedInUser
let server: ServerWithCredential

const read = async (path: string) => await readPage(app.anonymous, path)
const ANNOUNCED = { playersCount: 12, maxPlayersCount: 64, queueCount: 3, version: '7.1', useVoiceChat: true }
const goOnline = async (options: SendOptions = {}) => await announceFrom(app, server.credential, ANNOUNCED, options)
const factsOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)].map(([, name = '', value = '']) => [name, textOf(value)]),
  )

beforeAll(async () => {
  app = await startApp({ CONNECT_URL_TEMPLATE: 'muster-game://join/{public_id}?at={address}' }, { hasPages: true })
  owner = await fleetOwner(app)
  server = await buildServer(owner, {
    name: 'Harbour & Sons',
    description: 'Ships.\nAnd <cranes>.',
    language: 'de',
    region: 'eu-north',
    tags: ['Ships', 'C&A'],
    game_mode: 'Trade',
    website: 'https://harbour.example/join?a=1&b=2',
    vanity_url: 'harbour',
  })
  await goOnline()
})

test('public ID, vanity ID and @vanity show the same page, whose canonical address has the vanity ID', async () => {
  const paths = [server.public_id, 'harbour', 'Harbour', 'HARBOUR', '@harbour', '@HARBOUR', `@${server.public_id}`].map((id) => `/s/${id}`)
  const pages = await Promise.all(paths.map(read))
  expect(pages.map(({ status }) => status)).toEqual(paths.map(() => 200))
  for (const page of pages) expect(page.html).toBe(pages[0]?.html)
  expect(pages[0]?.canonical).toBe(`${app.panelUrl}/s/harbour`)
  for (const id of ['harbour2', 'ＨARBOUR', '@', '%20harbour', server.public_id.slice(1), '%00', 'a'.repeat(500)])
    expect([id, (await read(`/s/${id}`)).status]).toEqual([id, 404])
  for (const path of ['/browse/harbour', '/s/', '/s/harbour/page', '/s//']) expect([path, (await read(path)).status]).toEqual([path, 404])
  expect((await readOne(app, 'Harbour')).publicId).toBe(server.public_id)
})

test('a slash at the end leads to the page without it, with the query', async () => {
  for (const [path, page] of [
    ['/browse/', '/browse'],
    ['/browse//?q=sons', '/browse?q=sons'],
    ['/s/Harbour/?utm_source=x', '/s/Harbour?utm_source=x'],
    ['/s/harbour/embed/', '/s/harbour/embed'],
  ] as const) {
    const response = await app.anonymous.fetch(path, { redirect: 'manual' })
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 308, page])
  }
})

test('the page shows the server, and links that other people entered pass on no reputation', async () => {
  const page = await read('/s/harbour')
  expect([page.title, page.heading, page.isIndexed]).toEqual(['Harbour & Sons · Muster', 'Harbour & Sons', true])
  expect(page.html).toContain('Ships.\nAnd &lt;cranes&gt;.')
  expect(page.html).toContain('12 of 64 players')
  expect(page.html).toContain('3 in queue')
  expect(factsOf(page.html)).toMatchObject({
    Address: `127.0.0.1:${portOf(server.credential)}`,
    Version: '7.1 (release)',
    'Game mode': 'Trade',
    Language: 'German',
    Region: 'Europe (north)',
    Tags: 'ShipsC&A',
    Website: 'harbour.example/join?a=1&b=2',
    'Voice chat': 'Yes',
  })
  const links = linksOf(page)
  expect(links).toContainEqual({ href: 'https://harbour.example/join?a=1&b=2', rel: 'noopener nofollow ugc' })
  expect(links).toContainEqual({ href: '/browse?tag=C%26A', rel: 'nofollow' })
  expect(links.map(({ href }) => href)).toContain(`muster-game://join/${server.public_id}?at=127.0.0.1:${portOf(server.credential)}`)
})

test('previews of links have title, summary and picture', async () => {
  const { html } = await read(`/s/${server.public_id}`)
  const meta = Object.fromEntries(
    [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].map(([, name = '', text = '']) => [name, textOf(text)]),
  )
  expect(meta).toMatchObject({
    'og:title': 'Harbour & Sons · Muster',
    'og:url': `${app.panelUrl}/s/harbour`,
    'og:image': `${app.panelUrl}/s/harbour/og.png`,
    'twitter:card': 'summary_large_image',
  })
  expect(meta['description']).toContain('12 of 64 players online')
})

test('schema.org data of a server and of the list', async () => {
  expect((await read('/s/harbour')).data).toEqual({
    '@context': 'https://schema.org',
    '@type': 'GameServer',
    name: 'Harbour & Sons',
    url: `${app.panelUrl}/s/harbour`,
    description: 'Ships.\nAnd <cranes>.',
    playersOnline: 12,
    serverStatus: 'https://schema.org/Online',
  })
  await expect.poll(async () => (await read('/browse')).names).toEqual(['Harbour & Sons'])
  expect((await read('/browse')).data).toEqual({
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    url: `${app.panelUrl}/browse`,
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: 1,
      itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Harbour & Sons', url: `${app.panelUrl}/s/harbour` }],
    },
  })
})

test('the card shows the server without scripts of its own, and links to its page in a new tab', async () => {
  const page = await read('/s/harbour/embed')
  expect([page.status, page.isIndexed, page.title]).toEqual([200, false, 'Harbour & Sons · Muster'])
  expect(linksOf(page)).toEqual([{ href: `${app.panelUrl}/s/harbour`, rel: 'noopener' }])
  expect(page.html).toContain('12 of 64 players')
})

test('a change of the owner or an administrator shows at once, and the former vanity ID finds nothing', async () => {
  const admin = await app.signIn('admin')
  await admin.call(serversAdmin.changeAdminServer, { params: { id: server.public_id }, body: { verified: true } })
  expect((await read('/s/harbour')).html).toContain('aria-label="Verified')
  await owner.call(servers.change, { params: { id: server.public_id }, body: { name: 'Quay & Sons', vanity_url: 'quay' } })
  expect([(await read('/s/harbour')).status, (await read('/s/quay')).heading]).toEqual([404, 'Quay & Sons'])
  await owner.call(servers.resetAddress, { params: { id: server.public_id } })
  await goOnline({ from: '127.0.0.2' })
  expect((await read('/s/quay')).html).toContain(`127.0.0.2:${portOf(server.credential)}`)
})

const connectOf = (html: string) => {
  const [, attributes = '', label = ''] = /<(?:a|button)\s([^>]*)>(?:(?!<\/(?:a|button)>).)*?(Connect)<\/(?:a|button)>/s.exec(html) ?? []
  const hint = /<p id="connect-hint"[^>]*>(.*?)<\/p>/s.exec(html)?.[1]
  return {
    label,
    isLink: attributes.includes('href="muster-game:'),
    isDisabled: attributes.includes('disabled=""'),
    hint: hint && textOf(hint),
  }
}

test('Connect says what to expect of a full server and of one with a password', async () => {
  expect(connectOf((await read('/s/quay')).html)).toEqual({ label: 'Connect', isLink: true, isDisabled: false, hint: undefined })
  const announced = async (body: Record<string, unknown>) => {
    await announceFrom(app, server.credential, { ...ANNOUNCED, ...body }, { from: '127.0.0.2' })
    return connectOf((await read('/s/quay')).html)
  }
  const full = 'It’s full right now. You may have to wait.'
  expect(await announced({ playersCount: 64 })).toEqual({ label: 'Connect', isLink: true, isDisabled: false, hint: full })
  expect(await announced({ passworded: true })).toMatchObject({ isLink: true, hint: 'You need its password.' })
  expect(await announced({ playersCount: 64, passworded: true })).toMatchObject({ hint: `${full} You need its password.` })
  await announced({})
})

test('a server younger than a week shows since when it has had no outage, in place of 100 %', async () => {
  app.clock.advance(DAY_MS / 4)
  await goOnline({ from: '127.0.0.2' })
  await seedHistory(app, server.public_id, { days: 1, players: () => 12 })
  // The graph of a page in memory may be a minute old.
  app.clock.advance(60_000)
  await goOnline({ from: '127.0.0.2' })
  const { html } = await read('/s/quay')
  const young = factsOf(html)
  expect(young).toMatchObject({ Uptime: expect.stringMatching(/^No outage since /) })
  expect(young).not.toHaveProperty('7-day uptime')
  expect(html).toContain('aria-label="Graph of players in the last 7 days. Highest: 12"')
  expect(html).toMatch(/<input type="range"[^>]*aria-label="Graph of players in the last 7 days"/)
  // The axis.
  const axis = Array.from(html.matchAll(/text-anchor="end"[^>]*>(\d+)</g), ([, value]) => Number(value))
  expect(axis).toEqual([0, 5, 10, 15])
})

test('a description from right to left begins below the name, on the left', async () => {
  await owner.call(servers.change, { params: { id: server.public_id }, body: { description: 'أهلا وسهلا بكم!' } })
  expect((await read('/s/quay')).html).toMatch(/<p dir="auto" class="[^"]*\btext-left\b[^"]*">أهلا/)
})

test('an offline server keeps its page for 30 days, and search engines skip it', async () => {
  await send(`${app.listUrl}/announce`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${server.credential}` },
    from: '127.0.0.2',
  })
  const { offline_since: offlineSince } = (await owner.call(servers.get, { params: { id: server.public_id } })).data
  expect(offlineSince).toEqual(expect.any(String))
  const offline = await read('/s/quay')
  expect([offline.status, offline.isIndexed, offline.canonical]).toEqual([200, false, undefined])
  expect(offline.html).toContain('Offline since')
  expect(offline.html).not.toContain('12 of 64')
  expect(connectOf(offline.html)).toMatchObject({ isLink: false, isDisabled: true, hint: 'It’s offline. You can connect when it’s back.' })
  expect(offline.data).toMatchObject({ playersOnline: 0, serverStatus: 'https://schema.org/OfflineTemporarily' })
  app.clock.advance(30 * DAY_MS - 60_000)
  expect((await read('/s/quay')).status).toBe(200)
  app.clock.advance(61_000)
  for (const path of ['/s/quay', `/s/${server.public_id}`, '/s/quay/embed']) expect((await read(path)).status).toBe(404)
  // The panel decides by `offline_since`, which a new credential does not change.
  app.clock.advance(DAY_MS)
  owner = await app.signIn('owner')
  server = (await owner.call(servers.reissue, { params: { id: server.public_id } })).data
  expect(server).toMatchObject({ status: 'offline', offline_since: offlineSince })
  expect(server.listing.reasons[0]).toMatchObject({ code: 'CREDENTIAL_REISSUED', since: server.credential_issued_at })
  expect((await read('/s/quay')).status).toBe(404)
  await goOnline({ from: '127.0.0.2' })
  expect((await read('/s/quay')).html).toContain('12 of 64 players')
  expect((await owner.call(servers.get, { params: { id: server.public_id } })).data.offline_since).toBeNull()
})

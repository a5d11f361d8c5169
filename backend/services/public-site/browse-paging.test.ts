/** `/browse` with no servers, with more than one page of them, and in other languages. */
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'
import { chipsOf, linksOf, listItemsOf, readPage, untilListed } from '#tests/public-pages.ts'

let app: TestApp

const read = async (path: string, init?: RequestInit) => await readPage(app.anonymous, path, init)

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
})

test('an empty list is a page that search engines skip', async () => {
  const page = await read('/browse')
  expect([page.status, page.names, page.isIndexed]).toEqual([200, [], false])
  expect(page.html).toContain('No servers online yet')
  expect(chipsOf(page)).toEqual({ 'Not full': 0, 'No password': 0, Verified: 0 })
})

test('51 servers are two pages, linked in both directions, and a page beyond the end shows the last one', async () => {
  const owner = await fleetOwner(app)
  const names = Array.from({ length: 51 }, (_, index) => `Paging ${index} of the tests`)
  for (const name of names) {
    const server = await buildServer(owner, { name })
    await announceFrom(app, server.credential, { branch: 'paging', version: 'paging' })
  }
  await untilListed(app, names, '?branch=paging')
  const one = await read('/browse?version=paging')
  const two = await read('/browse?version=paging&page=2')
  expect([one.names.length, two.names.length]).toEqual([50, 1])
  expect(new Set([...one.names, ...two.names]).size).toBe(51)
  const relOf = (page: typeof one) => linksOf(page).filter(({ rel }) => /^(?:prev|next)$/.test(rel))
  expect(relOf(one)).toEqual([{ href: '/browse?version=paging&page=2', rel: 'next' }])
  expect(relOf(two)).toEqual([{ href: '/browse?version=paging', rel: 'prev' }])
  const position = (page: typeof one) => listItemsOf(page).map((item) => item.position)
  expect([position(one).at(-1), position(two)]).toEqual([50, [51]])
  const plain = await read('/browse?page=2')
  expect([plain.isIndexed, plain.canonical]).toEqual([true, `${app.panelUrl}/browse?page=2`])
  for (const page of [3, 10_000]) {
    const beyond = await read(`/browse?version=paging&page=${page}`)
    expect([beyond.status, beyond.names, beyond.isIndexed]).toEqual([200, two.names, false])
  }
  expect((await read('/browse?page=9')).canonical).toBe(plain.canonical)
})

test('the page is in the language of the cookie, then of the browser', async () => {
  const german = await read('/browse', { headers: { 'accept-language': 'de-AT, en;q=0.5' } })
  expect([german.lang, german.headers.get('content-language')]).toEqual(['de', 'de'])
  expect(german.heading).toBe('Gameserver')
  const chosen = await read('/browse', { headers: { 'accept-language': 'de', cookie: 'muster_language=fr' } })
  expect([chosen.lang, chosen.heading]).toEqual(['fr', 'Serveurs de jeu'])
  expect((await read('/browse', { headers: { 'accept-language': 'xx', cookie: 'muster_language=xx' } })).lang).toBe('en')
  const rejected = await read('/browse?page=0', { headers: { 'accept-language': 'de' } })
  expect([rejected.status, rejected.lang]).toEqual([400, 'de'])
  expect(rejected.html).toContain('muss')
})

/** Names that break markup, templates or scripts: each is shown exactly, and every page is valid HTML. A browser: nasty-names.system.test.ts. */
import { HtmlValidate } from 'html-validate'
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'
import { type ReadPage, listItemsOf, readPage, untilListed } from '#tests/public-pages.ts'
import { STORABLE_NAMES, storeNames } from '#tests/public-names.ts'

/** Errors of the markup, without rules about style. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // React writes boolean attributes and void elements like this.
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    // Written by the build.
    'doctype-style': 'off',
    'attribute-empty-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // Names have any characters.
    'no-raw-characters': 'off',
  },
})

let app: TestApp
const ids: string[] = []

const read = async (path: string) => await readPage(app.anonymous, path)

async function errorsIn({ html }: ReadPage): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} ${line}:${column}`))
}

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
  const owner = await fleetOwner(app)
  const servers = []
  for (const _ of STORABLE_NAMES) servers.push(await buildServer(owner))
  ids.push(...servers.map((server) => server.public_id))
  await app.restart(async () => await storeNames(app, ids, STORABLE_NAMES))
  await Promise.all(servers.map((server) => announceFrom(app, server.credential, { maxPlayersCount: 64 })))
  await untilListed(app, STORABLE_NAMES)
})

test('the pages of the list show every name exactly, also to search engines', async () => {
  const names: string[] = []
  for (let page = 1; names.length < STORABLE_NAMES.length; page += 1) {
    const path = `/browse?page=${page}`
    const shown = await read(path)
    expect(listItemsOf(shown).map((item) => item.name)).toEqual(shown.names)
    expect(shown.names.length, path).toBeGreaterThan(0)
    names.push(...shown.names)
    expect([path, await errorsIn(shown)]).toEqual([path, []])
  }
  expect(names.toSorted()).toEqual(STORABLE_NAMES.toSorted())
})

test('the page and the card of a server show its name exactly', async () => {
  for (const [index, id] of ids.entries()) {
    const name = STORABLE_NAMES[index] ?? ''
    const [page, card] = [await read(`/s/${id}`), await read(`/s/${id}/embed`)]
    expect([page.heading, page.title, page.data?.name, page.data?.description]).toEqual([name, `${name} · Muster`, name, name])
    expect(card.title).toBe(page.title)
    if (index % 10 > 0) continue
    expect([name, await errorsIn(page), await errorsIn(card)]).toEqual([name, [], []])
  }
})

test('other pages are valid HTML', async () => {
  for (const path of ['/browse?q=none', '/browse?ids=', '/browse?sort=x', '/s/unknown', '/browse?tag=%22%3E&language=xx&has_slots=1'])
    expect([path, await errorsIn(await read(path))]).toEqual([path, []])
})

/** What a search on the list finds. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

const onlineServer = async (body: Record<string, unknown>, fields: Parameters<typeof buildServer>[1]) => {
  const server = await buildServer(owner, fields)
  expect((await announceFrom(app, server.credential, body)).status).toBe(200)
  return server
}

const names = async (query: string) => (await readList(app, query)).map(({ name }) => name)

describe('a search', () => {
  const LISTINGS = {
    'İSTANBUL RP': {},
    'ISPARTA Şehir': {},
    'Łódź Świat': {},
    Métro: {},
    '𝗠𝗼𝗱𝗱𝗲𝗱 Plaza': {},
    Ｗｉｄｅ: {},
    Ёлка: {},
    Nordlicht: { language: 'de', description: 'Gemütlich, mit\nBauernhof. (semi-rp) Kürbisse!' },
    'می شهر': { language: 'fa', description: 'خوش می\u200Cگذرد' },
    Sumpf: { language: 'pl', game_mode: 'Survival', tags: ['Überleben'] },
    Corpse: { description: 'corpse hunting', vanity_url: 'swamp-thing' },
  } as const
  beforeAll(async () => {
    for (const [name, fields] of Object.entries(LISTINGS)) {
      const tags = 'tags' in fields ? [...fields.tags] : []
      await onlineServer({ gameMode: name === 'Corpse' ? 'Jäger' : '' }, { ...fields, name, tags })
    }
    await vi.waitFor(async () => expect(await names('?q=corpse')).toEqual(['Corpse']), { timeout: 10_000 })
  })

  test.each([
    ['İstanbul', 'İSTANBUL RP'],
    ['istanbul', 'İSTANBUL RP'],
    ['ıstanbul', 'İSTANBUL RP'],
    ['isparta', 'ISPARTA Şehir'],
    ['ısparta', 'ISPARTA Şehir'],
    ['sehir', 'ISPARTA Şehir'],
    ['lodz', 'Łódź Świat'],
    ['łódź', 'Łódź Świat'],
    ['metro', 'Métro'],
    ['Me\u0301tro', 'Métro'],
    ['modded', '𝗠𝗼𝗱𝗱𝗲𝗱 Plaza'],
    ['wide', 'Ｗｉｄｅ'],
    ['елка', 'Ёлка'],
    ['  lodz \u3000 swiat ', 'Łódź Świat'],
    ['swiat lodz', 'Łódź Świat'],
    ['nordlict', 'Nordlicht'],
    ['nrodlicht', 'Nordlicht'],
    ['nordlichht', 'Nordlicht'],
    ['nordlocht', 'Nordlicht'],
    ['nordlct', ''],
    ['bauernhof', 'Nordlicht'],
    ['gemutlich kurbis', 'Nordlicht'],
    ['semi-rp', 'Nordlicht'],
    ['گذرد', 'می شهر'],
    ['می\u200Cگذرد', 'می شهر'],
    ['persian', 'می شهر'],
    ['farsça', 'می شهر'],
    ['polski', 'Sumpf'],
    ['polonais', 'Sumpf'],
    ['uberleben', 'Sumpf'],
    ['survivel', 'Sumpf'],
    ['jager', 'Corpse'],
    ['swamp thing', 'Corpse'],
    ['hunting', 'Corpse'],
    // Within `corpse` and `semi-rp`, but not at the start of a word.
    ['rp', 'İSTANBUL RP, Corpse'],
    ['corpse nordlicht', ''],
  ])('for %s finds %s', async (q, found) => {
    expect((await names(`?q=${encodeURIComponent(q)}`)).toSorted().join(', ')).toBe(found.split(', ').toSorted().join(', '))
  })

  test('for a language finds its servers, in every language of the panel', async () => {
    const german = await names('?language=de')
    for (const q of ['german', 'Deutsch', 'allemand', 'alemán', 'alemão', 'немецкий', 'niemiecki', 'almanca', 'germman'])
      expect([q, await names(`?q=${encodeURIComponent(q)}`)]).toEqual([q, german])
    expect(await names('?q=mehrsprachig')).toEqual(await names('?language=all'))
  })

  test('of spaces or of marks only is none', async () => {
    const all = await names('')
    expect(await names('?q=%20%20')).toEqual(all)
    expect(await names('?q=%CC%88')).toEqual(all)
  })

  test('reads a changed listing', async () => {
    const { public_id: id } = await onlineServer({}, { name: 'Formerly Xylophone' })
    await expect.poll(() => names('?q=xylophone')).toEqual(['Formerly Xylophone'])
    await owner.call(servers.change, { params: { id }, body: { name: 'Now Glockenspiel' } })
    await expect.poll(() => names('?q=glockenspiel')).toEqual(['Now Glockenspiel'])
    expect(await names('?q=xylophone')).toEqual([])
  })
})

/** What the fields of a server accept, and what they reject. */
import { beforeAll, describe, expect, test } from 'vitest'
import { REGIONS } from '#contract/text/regions.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, newName } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let ownerCount = 0
beforeAll(async () => {
  app = await startApp()
})

const newOwner = () => {
  ownerCount += 1
  return app.signIn(`owner${ownerCount}`)
}

const create = (owner: TestUser, body: unknown) => owner.call(servers.create, { body: body as { name: string } })
const change = (owner: TestUser, id: string, body: unknown) => owner.call(servers.change, { params: { id }, body: body as object })

const INVALID_BODIES: readonly [string, unknown, RegExp][] = [
  ['a name of two characters', { name: 'ab' }, /^Name must be 3 to 64/],
  ['no name', {}, /^Name is required\.$/],
  ['an empty name', { name: '' }, /^Name is required\.$/],
  ['a name of spaces', { name: '      ' }, /^Name is required\.$/],
  ['a name of 65 characters', { name: 'x'.repeat(65) }, /^Name must be 3 to 64/],
  ['a name that is a number', { name: 12_345 }, /^Name must be text/],
  ['a NUL in the name', { name: 'My\u0000server' }, /^Name can't contain/],
  ['a bidi override in the name', { name: 'My \u202Eserver' }, /^Name can't contain/],
  ['a zero-width space in the name', { name: 'My\u200Bserver' }, /^Name can't contain/],
  ['a soft hyphen in the name', { name: 'My\u00ADserver' }, /^Name can't contain/],
  ['only variation selectors in the name', { name: '\uFE0F\uFE0F\uFE0F' }, /^Name can't contain/],
  ['only plane 14 selectors in the name', { name: '\u{E0100}\u{E0101}\u{E0102}' }, /^Name can't contain/],
  ['only combining marks in the name', { name: '\u0301\u0302\u0303' }, /^Name can't contain/],
  ['a heap of marks in the name', { name: 'Zalgo\u0301\u0302\u0303\u0304\u0305' }, /^Name can't contain/],
  ['a byte order mark before the name', { name: '\uFEFFabcd' }, /^Name can't contain/],
  ['a line break in the name', { name: 'My\nserver' }, /^Name can't contain/],
  ['a lone surrogate in the name', { name: 'My \uD800 server' }, /^Name can't contain/],
  ['an unassigned character in the name', { name: 'My\u2065server' }, /^Name can't contain U\+2065: /],
  ['an object replacement character in the name', { name: 'My\uFFFCserver' }, /^Name can't contain U\+FFFC: /],
  ['an unassigned special character in the name', { name: 'My\uFFF3server' }, /^Name can't contain U\+FFF3: /],
  ['a noncharacter in the name', { name: 'My\u{1FFFE}server' }, /^Name can't contain U\+1FFFE: /],
  ['a private character in the name', { name: 'My\uE000server' }, /^Name can't contain U\+E000: /],
  ['a plane 14 character in the name', { name: 'My\u{E0FFF}server' }, /^Name can't contain U\+E0FFF: /],
  ['an invisible note in the name', { name: 'My\u{1D159}server' }, /^Name can't contain U\+1D159: /],
  ['a blank hieroglyph in the name', { name: 'My\u{13441}server' }, /^Name can't contain U\+13441: /],
  ['a joiner in an emoji in the name', { name: '🏳️\u200D🌈 Pride' }, /^Name can't contain U\+200D: /],
  ['a joiner between Persian letters in the name', { name: 'می\u200Cگذرد' }, /^Name can't contain U\+200C: /],
  ['an unassigned character in a tag', { name: 'Fine name', tags: ['a\u2065b'] }, /^A tag can't contain U\+2065: /],
  ['an unassigned character in the game mode', { name: 'Fine name', game_mode: 'a\u2065b' }, /^Game mode can't contain U\+2065: /],
  ['a zero-width space in the description', { name: 'Fine name', description: 'a\u200Bb' }, /^Description can't contain U\+200B: /],
  ['a bidi override in the description', { name: 'Fine name', description: 'a\u202Eb' }, /^Description can't contain U\+202E: /],
  ['a joiner between Latin letters', { name: 'Fine name', description: 'a\u200Db' }, /^Description can't contain U\+200D: /],
  ['a joiner at the end of the description', { name: 'Fine name', description: '👨\u200D' }, /^Description can't contain U\+200D: /],
  ['a non-joiner beside a Latin letter', { name: 'Fine name', description: 'a\u200Cمی' }, /^Description can't contain U\+200C: /],
  ['tags without a flag', { name: 'Fine name', description: 'x\u{E0041}\u{E0042}' }, /^Description can't contain U\+E0041: /],
  [
    'a hidden text after a flag',
    { name: 'Fine name', description: '🏴\u{E0068}\u{E0069}\u{E007F}' },
    /^Description can't contain U\+E0068: /,
  ],
  ['a description of 281 characters', { name: 'Fine name', description: 'x'.repeat(281) }, /^Description can be at most 280/],
  ['a NUL in the description', { name: 'Fine name', description: 'a\u0000b' }, /^Description can't contain/],
  ['an unknown language', { name: 'Fine name', language: 'xx' }, /^Language/],
  ['an unknown region', { name: 'Fine name', region: 'mars' }, /^Region must be one of eu-west, .+, africa\.$/],
  ['a region that is a number', { name: 'Fine name', region: 5 }, /^Region must be one of eu-west/],
  ['a description that is a number', { name: 'Fine name', description: 5 }, /^Description must be text/],
  ['five tags', { name: 'Fine name', tags: ['a', 'b', 'c', 'd', 'e'] }, /at most 4 tags/],
  ['a tag twice', { name: 'Fine name', tags: ['RP', 'rp'] }, /only once/],
  ['an empty tag', { name: 'Fine name', tags: [' '] }, /^A tag must be 1 to 24/],
  ['a tag of 25 characters', { name: 'Fine name', tags: ['x'.repeat(25)] }, /^A tag must be 1 to 24/],
  ['tags that are a text', { name: 'Fine name', tags: 'rp' }, /^Tags must be a list/],
  ['a game mode of 33 characters', { name: 'Fine name', game_mode: 'x'.repeat(33) }, /^Game mode can be at most 32/],
  ['a javascript address', { name: 'Fine name', website: 'javascript:alert(1)' }, /^Website must be a web address/],
  ['an ftp address', { name: 'Fine name', website: 'ftp://example.com' }, /^Website must be a web address/],
  ['an address with a password', { name: 'Fine name', website: 'https://a:b@example.com' }, /^Website must be a web address/],
  ['an address of 256 characters', { name: 'Fine name', website: `https://example.com/${'x'.repeat(236)}` }, /^Website can be at most 255/],
  ['visible as a text', { name: 'Fine name', visible: 'yes' }, /^Visible must be true or false/],
  ['an unknown field', { name: 'Fine name', owner: 'me' }, /^Unknown field “owner”/],
  ['a field that is not the owner’s to set', { name: 'Fine name', banned: false }, /^Unknown field “banned”/],
  ['a list', [], /JSON object/],
  ['a text', 'name', /JSON object/],
  ['null', null, /JSON object/],
]

test.each([
  ['a joined emoji', '👨\u200D👩\u200D👧 friendly'],
  ['a joined emoji with a skin tone', '🧑🏽\u200D💻 and ❤️\u200D🔥'],
  ['a rainbow flag', '🏳️\u200D🌈 open to all'],
  ['a rainbow flag without a selector', '🏳\u200D🌈 open to all'],
  ['the flag of England', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} English'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scottish'],
  ['Persian', 'سرور فارسی، خوش می\u200Cگذرد، کار\u200Cها'],
  ['Hindi', 'क्\u200Dष सर्वर'],
  ['Bengali', 'র\u200D্যাংক'],
  ['a heart, a keycap and a flag', '❤️ 1️⃣ 🇩🇪'],
  ['lines', 'One\n\ttwo\n🧑\u200D🌾'],
])('a description may contain %s', async (_what, description) => {
  const owner = await newOwner()
  const { status, data, text } = await create(owner, { name: newName(), description })
  expect(status, text).toBe(200)
  expect(data.description).toBe(description)
})

describe('invalid input', () => {
  let owner: TestUser
  let id: string
  beforeAll(async () => {
    owner = await newOwner()
    id = (await buildServer(owner)).public_id
  })

  test.each(INVALID_BODIES)('%s is rejected with a message and creates nothing', async (_what, body, sentence) => {
    const before = (await owner.call(servers.list)).data.owned.length
    const rejected = await create(owner, body)
    expect(rejected.status, rejected.text).toBe(400)
    expect(rejected.error).toMatchObject({ statusCode: 400, isBusiness: false })
    expect(rejected.error.errors.join(' ')).toMatch(sentence)
    expect((await owner.call(servers.list)).data.owned).toHaveLength(before)
  })

  test.each(INVALID_BODIES.filter(([what]) => what !== 'no name'))('%s is rejected and changes nothing', async (_what, body) => {
    const before = (await owner.call(servers.get, { params: { id } })).data
    expect((await change(owner, id, body)).status).toBe(400)
    expect((await owner.call(servers.get, { params: { id } })).data).toEqual(before)
  })

  test('reports every mistake at once', async () => {
    const { error } = await create(owner, { name: 'x', language: 'xx', visible: 1, extra: true })
    expect(error.errors).toHaveLength(4)
  })

  test.each([
    ['text that is no JSON', '{"name"', 'application/json', 400],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 415],
    ['a poisoned prototype', '{"name":"Fine name","__proto__":{"admin":true}}', 'application/json', 400],
    ['a body of a megabyte', JSON.stringify({ name: 'x'.repeat(1_000_000) }), 'application/json', 413],
    ['no body', '', 'application/json', 400],
  ])('%s is rejected in the envelope', async (_what, body, type, status) => {
    const rejected = await owner.fetch('/api/users/tokens', { method: 'POST', body, headers: { 'content-type': type } })
    expect(rejected.status).toBe(status)
    expect(await rejected.json()).toMatchObject({ statusCode: status, isBusiness: false })
  })

  test.each([
    '/api/users/tokens/%00',
    '/api/users/tokens/%zz',
    '/api/users/tokens/..%2f..',
    `/api/users/tokens/${'a'.repeat(400)}`,
    '/api/nothing',
    "/api/users/tokens/';--",
  ])('the address %s gets 400 or 404 in the envelope', async (path) => {
    const response = await owner.fetch(path)
    expect([400, 404]).toContain(response.status)
    expect(await response.json()).toMatchObject({ statusCode: response.status, isBusiness: false })
  })
})

test('a server can have each region, and null or an empty text clears it', async () => {
  const owner = await newOwner()
  const { public_id: id, region, version } = await buildServer(owner)
  expect(region).toBe('')
  const inputs = [...REGIONS, null, 'sa', '']
  for (const [index, input] of inputs.entries()) {
    const { data } = await change(owner, id, { region: input })
    expect([data.region, data.version]).toEqual([input ?? '', version + index + 1])
  }
})

test('the languages are ISO 639-1 codes with both names, and all', async () => {
  const { data } = await (await newOwner()).call(servers.languages)
  expect(data).toContainEqual({ code: 'de', name: 'German', native_name: 'Deutsch' })
  expect(data).toContainEqual(expect.objectContaining({ code: 'all' }))
  expect(data.every((language) => /^[a-z]{2}$|^all$/.test(language.code))).toBe(true)
  expect(new Set(data.map((language) => language.code)).size).toBe(data.length)
})

test('the languages are sorted by name, each name once, with the multilingual one first', async () => {
  const names = (await (await newOwner()).call(servers.languages)).data.map((language) => language.name)
  expect(names[0]).toBe('Multilingual')
  expect(names.slice(1)).toEqual(names.slice(1).toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(new Set(names).size).toBe(names.length)
})

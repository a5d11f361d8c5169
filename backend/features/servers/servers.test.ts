/** Servers of an owner: creating, changing, names, credentials, and deleting. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofServer } from '#contract/activity.ts'
import { REGIONS } from '#contract/regions.ts'
import * as servers from '#contract/servers.ts'
import { announce, ban, buildServer, emptyBin, scheduleDeletion, newName, setTier } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'
import { checkCredential, hashCredential } from './credential.ts'

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

describe('creating a server', () => {
  test('returns every field of the contract, and the credential once', async () => {
    const owner = await newOwner()
    const name = newName()
    const { data, headers, status } = await create(owner, { name: `  ${name} ` })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data).toMatchObject({
      user_id: owner.id,
      name,
      description: '',
      language: 'all',
      tags: [],
      game_mode: '',
      website: '',
      visible: true,
      vanity_url: null,
      group_id: null,
      group: null,
      promoted: false,
      icon_image_id: null,
      icon_url: null,
      credential_last_used_at: null,
      credential_grace_until: null,
      bound_address: null,
      bound_at: null,
      banned: false,
      ban_reason: null,
      status: 'never_seen',
      offline_since: null,
      live: null,
      last_announced: null,
    })
    expect(data.public_id).toMatch(/^[0-9A-Za-z]{7}$/)
    expect(data.listing).toMatchObject({ listed: false, reasons: [{ code: 'NEVER_ANNOUNCED' }] })
    expect(data.credential).toMatch(new RegExp(`^mst_${data.public_id}_[0-9A-Za-z]{36}$`))
    expect(checkCredential(data.credential)).toBe('ok')
    expect(data.credential_hint).toBe(data.credential.slice(-4))
    const again = await owner.call(servers.get, { params: { id: data.public_id } })
    expect(again.data).not.toHaveProperty('credential')
    expect(again.text).not.toContain(data.credential)
    const { credential: _, ...shown } = data
    expect(again.data).toEqual(shown)
  })

  test.each(['Café ☕️ 1️⃣', 'ไทยแลนด์', 'हिन्दी सर्वर', '日本サーバー', 'Émile’s'])('accepts the name %s', async (name) => {
    expect((await buildServer(await newOwner(), { name })).name).toBe(name)
  })

  test('stores every given field', async () => {
    const owner = await newOwner()
    const body = {
      name: newName(),
      description: 'Two\nlines',
      language: 'de',
      region: 'eu-central',
      tags: ['Roleplay', 'Voice'],
      game_mode: 'RP',
      website: 'example.com/x',
      visible: false,
    }
    expect((await create(owner, body)).data).toMatchObject({ ...body, website: 'https://example.com/x' })
  })

  test('stores only the hash of the credential', async () => {
    const { credential } = await buildServer(await newOwner())
    const { rows } = await app.db.executeQuery<{ hash: Buffer }>(app.db.selectFrom('credentials').selectAll().compile())
    expect(rows.some((row) => row.hash.equals(hashCredential(credential)))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(credential)
  })

  test('is rejected over the limit with 403 and the number', async () => {
    const owner = await newOwner()
    for (let created = 0; created < 3; created += 1) await buildServer(owner)
    const rejected = await create(owner, { name: newName() })
    expect(rejected.status).toBe(403)
    expect(rejected.error).toEqual({ statusCode: 403, errors: ['You have reached your limit of 3 servers.'], isBusiness: false })
  })

  test('twenty at once never exceed the limit', async () => {
    const owner = await newOwner()
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(owner, { name: newName() })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 17 }, () => 403),
    ])
    expect((await owner.call(servers.list)).data.owned).toHaveLength(3)
  })

  test("a tier raises the limit, and a user's own limit overrides it", async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'BRONZE')
    await app.db.updateTable('users').set({ max_servers: 1 }).where('id', '=', owner.id).execute()
    await buildServer(owner)
    expect((await create(owner, { name: newName() })).error.errors).toEqual(['You have reached your limit of 1 servers.'])
  })
})

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

describe('names', () => {
  test('a taken name is a business conflict, even with another case, width, accent or look-alike letter', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    await buildServer(owner, { name: 'Paradise Cove 10' })
    for (const name of [
      'Paradise Cove 10',
      'PARADISE COVE 10',
      'paradise  cove 10',
      'Ｐａｒａｄｉｓｅ Ｃｏｖｅ １０',
      'Pärädíse Cove 10',
      'Рaradisе Соve 10',
      'Paradise Cove lO',
      'ParadIse C0ve 1０',
    ]) {
      const rejected = await create(other, { name })
      expect(rejected.status, name).toBe(409)
      expect(rejected.error, name).toMatchObject({ isBusiness: true, businessStatus: 'NAME_ALREADY_EXISTS' })
    }
  })

  test('a name goes to one of twenty owners who request it at once', async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, newOwner))
    const name = newName()
    const responses = await Promise.all(owners.map((owner) => create(owner, { name })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })

  test('lets a server change the case of its name', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner, { name: 'Quiet Harbour' })
    expect((await change(owner, id, { name: 'QUIET Harbour' })).data.name).toBe('QUIET Harbour')
  })

  test('rejects renaming to a taken name and keeps the old one; the name of a server that is deleted for good is available', async () => {
    const owner = await newOwner()
    const [first, second] = [await buildServer(owner), await buildServer(owner)]
    const rejected = await change(owner, second.public_id, { name: first.name, description: 'new' })
    expect(rejected.error.businessStatus).toBe('NAME_ALREADY_EXISTS')
    expect((await owner.call(servers.get, { params: { id: second.public_id } })).data).toMatchObject({ name: second.name, description: '' })
    await owner.call(servers.remove, { params: { id: first.public_id } })
    await emptyBin(app)
    expect((await change(owner, second.public_id, { name: first.name })).status).toBe(200)
  })
})

describe('changing a server', () => {
  test('changes the given fields and keeps the others', async () => {
    const owner = await newOwner()
    const created = await buildServer(owner, { description: 'Before', tags: ['a'] })
    const { data } = await change(owner, created.public_id, { tags: ['b', 'c'], website: '' })
    expect(data).toMatchObject({ name: created.name, description: 'Before', tags: ['b', 'c'], website: '' })
    expect((await change(owner, created.public_id, { description: null })).data.description).toBe('')
    expect((await change(owner, created.public_id, {})).data).toMatchObject({ tags: ['b', 'c'] })
  })

  test.each([
    [{ vanity_url: 'my-server' }, 'Custom Vanity URL'],
    [{ group_id: 'x' }, 'Server Groups'],
    [{ promoted: true }, 'Promotion'],
    [{ icon_image_id: 'x' }, 'Custom Server Appearance'],
  ])('%j needs the benefit %s', async (body, benefit) => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const rejected = await change(owner, id, body)
    expect(rejected.status).toBe(403)
    expect(rejected.error.errors[0]).toContain(benefit)
    expect((await create(owner, { name: newName(), ...body })).status).toBe(403)
  })

  test('a field that needs a benefit can be cleared without it', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    expect((await change(owner, id, { vanity_url: null, group_id: null, promoted: false, icon_image_id: null })).status).toBe(200)
  })

  test.each(['ab', 'a'.repeat(33), '-abc', 'abc-', 'a--b', 'Abc', 'a_b', 'admin', 'servers', ''])(
    'the vanity ID %j is rejected',
    async (vanity_url) => {
      const owner = await newOwner()
      const { public_id: id } = await buildServer(owner)
      await setTier(app, owner.id, 'GOLD')
      expect((await change(owner, id, { vanity_url })).status).toBe(400)
    },
  )

  test('a taken vanity ID is a business conflict', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    for (const user of [owner, other]) await setTier(app, user.id, 'GOLD')
    const theirs = await buildServer(other)
    await buildServer(owner, { vanity_url: 'dallas' })
    const rejected = await change(other, theirs.public_id, { vanity_url: 'dallas' })
    expect(rejected.error).toMatchObject({ statusCode: 409, isBusiness: true, businessStatus: 'VANITY_URL_ALREADY_EXISTS' })
  })

  test('moves the promotion: one server at a time for each owner', async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'RUBY')
    const [first, second] = [await buildServer(owner, { promoted: true }), await buildServer(owner)]
    const others = [await buildServer(owner), await buildServer(owner)]
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all([first, second, ...others].map((server) => change(owner, server.public_id, { promoted: true })))
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200])
    }
    const { owned } = (await owner.call(servers.list)).data
    expect(owned.filter((server) => server.promoted)).toHaveLength(1)
  })

  test('a new promoted server takes the promotion from another one, on the list as well', async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'RUBY')
    const first = await buildServer(owner, { promoted: true })
    const isPromoted = async () =>
      ((await (await fetch(`${app.listUrl}/servers/${first.public_id}`)).json()) as { promoted: boolean }).promoted
    expect(await isPromoted()).toBe(true)
    await buildServer(owner, { promoted: true })
    expect(await isPromoted()).toBe(false)
    const { data } = await owner.call(ofServer, { params: { id: first.public_id } })
    expect(data[0]).toMatchObject({ action: 'SERVER_CHANGED', before: { promoted: true }, after: { promoted: false } })
  })
})

describe('reissuing', () => {
  test('returns a new credential once', async () => {
    const owner = await newOwner()
    const created = await buildServer(owner)
    const { data, headers } = await owner.call(servers.reissue, { params: { id: created.public_id } })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data.credential).not.toBe(created.credential)
    expect(data.credential_hint).toBe(data.credential.slice(-4))
    expect(data.credential_grace_until).toBeNull()
  })

  test.each([3600, 86_400])('with a grace period of %i seconds reports until when the old credential works', async (grace_seconds) => {
    const owner = await newOwner()
    const created = await buildServer(owner)
    const { data } = await owner.call(servers.reissue, {
      params: { id: created.public_id },
      body: { grace_seconds } as { grace_seconds: 3600 },
    })
    const ahead = Date.parse(data.credential_grace_until ?? '') - Date.now()
    expect(Math.abs(ahead - grace_seconds * 1000)).toBeLessThan(60_000)
  })

  test.each([[{ grace_seconds: 60 }], [{ grace_seconds: '3600' }], [{ grace: 3600 }], [[]]])(
    'rejects %j and keeps the credential',
    async (body) => {
      const owner = await newOwner()
      const created = await buildServer(owner)
      const rejected = await owner.fetch(`/api/users/tokens/${created.public_id}/reissue`, {
        method: 'PATCH',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      expect(rejected.status).toBe(400)
      expect((await owner.call(servers.get, { params: { id: created.public_id } })).data.credential_hint).toBe(created.credential_hint)
    },
  )

  test('with two grace periods keeps the newest two credentials and revokes the first', async () => {
    const owner = await newOwner()
    const first = await buildServer(owner)
    const params = { id: first.public_id }
    const body = { grace_seconds: 3600 } as const
    const second = (await owner.call(servers.reissue, { params, body })).data
    const third = (await owner.call(servers.reissue, { params, body })).data
    const statuses = await Promise.all([first, second, third].map(async ({ credential }) => (await announce(app, credential)).status))
    expect(statuses).toEqual([401, 200, 200])
  })

  test('twenty at once leave exactly one current credential', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const responses = await Promise.all(Array.from({ length: 20 }, () => owner.call(servers.reissue, { params: { id } })))
    expect(responses.every((response) => response.status === 200)).toBe(true)
    const working = await app.db
      .selectFrom('credentials')
      .select('id')
      .where('server_id', '=', id)
      .where('revoked_at', 'is', null)
      .execute()
    expect(working).toHaveLength(1)
  })
})

describe("another user's server", () => {
  test('is 404 on every call', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()]
    const { public_id: id } = await buildServer(owner)
    const params = { id }
    const responses = await Promise.all([
      stranger.call(servers.get, { params }),
      stranger.call(servers.change, { params, body: { name: 'Mine now' } }),
      stranger.call(servers.remove, { params }),
      stranger.call(servers.reissue, { params }),
      stranger.call(servers.resetAddress, { params }),
      stranger.call(servers.announces, { params }),
    ])
    const unknown = await stranger.call(servers.get, { params: { id: 'AAAAAAA' } })
    for (const response of responses) {
      expect(response.status).toBe(404)
      expect(response.error).toEqual(unknown.error)
    }
    expect((await owner.call(servers.get, { params })).status).toBe(200)
  })

  test('is 404 for an administrator on the owner’s calls, too', async () => {
    const [owner, admin] = [await newOwner(), await app.signIn('admin')]
    const { public_id: id } = await buildServer(owner)
    expect((await admin.call(servers.get, { params: { id } })).status).toBe(404)
  })
})

describe('deleting', () => {
  test("deletes the server and frees its place in the owner's limit", async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    expect((await owner.call(servers.remove, { params: { id } })).status).toBe(204)
    expect((await owner.call(servers.remove, { params: { id } })).status).toBe(404)
    expect((await owner.call(servers.get, { params: { id } })).status).toBe(404)
    expect((await owner.call(servers.list)).data.owned).toEqual([])
  })

  test('keeps only the revocation of its credentials', async () => {
    const owner = await newOwner()
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential)
    const { id: credentialId } = await app.db
      .selectFrom('credentials')
      .select('id')
      .where('hash', '=', hashCredential(credential))
      .executeTakeFirstOrThrow()
    await owner.call(servers.remove, { params: { id } })
    const left = await app.db.selectFrom('credentials').selectAll().where('id', '=', credentialId).executeTakeFirstOrThrow()
    expect(left).toMatchObject({ server_id: null, hint: '' })
    expect(left.revoked_at).not.toBeNull()
    expect(await app.db.selectFrom('credential_uses').selectAll().where('credential_id', '=', credentialId).execute()).toEqual([])
    const rejected = await announce(app, credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([401, 'CREDENTIAL_REVOKED'])
  })

  test('twenty at once delete once', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const responses = await Promise.all(Array.from({ length: 20 }, () => owner.call(servers.remove, { params: { id } })))
    expect(responses.filter((response) => response.status === 204)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 404)).toHaveLength(19)
  })
})

test('owners who are banned or awaiting deletion cannot change servers', async () => {
  const [banned, leaving] = [await newOwner(), await newOwner()]
  const created = [await buildServer(banned), await buildServer(leaving)] as const
  await ban(app, banned.id)
  await scheduleDeletion(app, leaving.id)
  for (const [user, server] of [
    [banned, created[0]],
    [leaving, created[1]],
  ] as const) {
    expect((await user.call(servers.list)).status).toBe(403)
    expect((await change(user, server.public_id, { name: newName() })).status).toBe(403)
    expect((await create(user, { name: newName() })).status).toBe(403)
    expect((await user.call(servers.reissue, { params: { id: server.public_id } })).status).toBe(403)
    expect((await user.call(servers.remove, { params: { id: server.public_id } })).status).toBe(403)
  }
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

test('the list of servers has the four parts of the contract', async () => {
  const owner = await newOwner()
  const created = await buildServer(owner)
  const { data } = await owner.call(servers.list)
  expect(data).toMatchObject({ outgoing_transfers: [], incoming_transfers: [], management: [] })
  expect(data.owned.map((server) => server.public_id)).toEqual([created.public_id])
})

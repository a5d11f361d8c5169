/** Sign-in by OpenID Connect, with two providers beside the local one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as auth from '#contract/users/auth.ts'
import * as users from '#contract/users/users.ts'
import { type FakeOidc, followToCallback } from '#tests/fakes/fake-oidc.ts'
import type { TestApp } from '#tests/harness.ts'
import { beginOidc, complete, signInByOidc, signedIn, startWithProviders } from '#tests/oidc-sign-in.ts'
import { beginSignIn } from '#tests/test-user.ts'

let app: TestApp
let main: FakeOidc
let spare: FakeOidc
/** Accepts connections and never answers. */
const silent = createServer(() => {})

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const variables = { OIDC_SILENT_ISSUER: issuer, OIDC_SILENT_CLIENT_ID: 'x', OIDC_SILENT_CLIENT_SECRET: 'x' }
  ;({ app, main, spare } = await startWithProviders(variables))
})

afterAll(async () => {
  silent.closeAllConnections()
  silent.close()
  await main.close()
  await spare.close()
})

const sentenceOf = async (reply: Response) => ((await reply.json()) as { errors: string[] }).errors[0]
const countUsers = async () => (await app.db.selectFrom('users').select('id').execute()).length

describe('a sign-in', () => {
  test('creates an account that is known by issuer and subject, never by its e-mail address', async () => {
    const first = await signInByOidc(app, 'main', main, { sub: 'u1', preferred_username: 'ada', email: 'ada@example.com' })
    const { data } = await first.call(users.me)
    expect(data.discord).toEqual({ discord_id: expect.stringMatching(/^oidc:[\w-]{22}$/), username: 'ada', avatar: null })
    expect(data.benefits).toEqual([])
    const again = await signInByOidc(app, 'main', main, { sub: 'u1', preferred_username: 'ada.l', email: 'other@example.com' })
    expect(again.id).toBe(first.id)
    expect((await again.call(users.me)).data.discord.username).toBe('ada.l')
    const other = await signInByOidc(app, 'main', main, { sub: 'u2', preferred_username: 'ada', email: 'ada@example.com' })
    const elsewhere = await signInByOidc(app, 'spare', spare, { sub: 'u1', preferred_username: 'ada', email: 'ada@example.com' })
    expect(new Set([first.id, other.id, elsewhere.id]).size).toBe(3)
  })

  test('ten concurrent first ones create one account', async () => {
    const begun = await Promise.all(Array.from({ length: 10 }, () => beginOidc(app, 'main', main, { sub: 'crowd' })))
    const members = await Promise.all(begun.map(async (each) => signedIn(app, await complete(app, each))))
    expect(new Set(members.map(({ id }) => id)).size).toBe(1)
  })

  test.each([
    [{ nickname: 'Nick', name: 'Full Name' }, 'Nick'],
    [{ name: 'Full  Name\n' }, 'Full Name'],
    [{ preferred_username: '\u200B\u202E', name: 'Zo\u0000e' }, 'Zoe'],
    [{ preferred_username: 'x'.repeat(300) }, 'x'.repeat(32)],
    [{ preferred_username: '   ' }, 'Main ID'],
    [{}, 'Main ID'],
  ])('the name of the claims %j is %s', async (claims, name) => {
    const member = await signInByOidc(app, 'main', main, { sub: `names ${JSON.stringify(claims)}`.slice(0, 255), ...claims })
    expect((await member.call(users.me)).data.discord.username).toBe(name)
  })

  test('never makes an administrator by the name of the local one', async () => {
    const member = await signInByOidc(app, 'main', main, { sub: 'not the local admin', preferred_username: 'admin' })
    expect((await member.call(users.me)).data.benefits).toEqual([])
  })

  test('asks with state, nonce, PKCE S256 and the callback of this provider alone', async () => {
    const url = new URL((await app.anonymous.call(auth.oidcAuthorizeUrl, { params: { id: 'main' } })).text)
    expect(url.origin).toBe(main.issuer)
    const { state = '', nonce = '', ...query } = Object.fromEntries(url.searchParams)
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'muster',
      scope: 'openid profile',
      redirect_uri: `${app.panelUrl}/login/main/callback`,
      code_challenge_method: 'S256',
    })
    expect([state.length, nonce.length]).toEqual([43, 43])
    expect(state).not.toBe(nonce)
  })

  test('works after the provider has changed its keys, without a restart', async () => {
    const before = await signInByOidc(app, 'main', main, { sub: 'rotation' })
    await main.rotateKeys()
    expect((await signInByOidc(app, 'main', main, { sub: 'rotation' })).id).toBe(before.id)
  })

  test('lists Discord first, then the providers by label', async () => {
    expect((await app.anonymous.call(auth.providers)).data).toEqual([
      { id: 'discord', label: 'Discord' },
      { id: 'main', label: 'Main ID' },
      { id: 'silent', label: 'Silent' },
      { id: 'spare', label: 'Spare ID' },
    ])
  })

  test.each(['discord', 'nobody', 'MAIN', '%00'])('%s is no provider of OpenID Connect: 404', async (id) => {
    expect((await app.anonymous.fetch(`/api/auth/oidc/${id}`)).status).toBe(404)
    const body = { code: 'x', state: 'x' }
    expect((await complete(app, { id, cookie: '', query: new URLSearchParams(body) })).status).toBe(id === 'discord' ? 400 : 404)
  })
})

describe('a callback', () => {
  test('works once', async () => {
    const callback = await beginOidc(app, 'main', main, { sub: 'once' })
    const replies = await Promise.all(Array.from({ length: 5 }, () => complete(app, callback)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 400, 400, 400, 400])
    expect((await complete(app, callback)).status).toBe(400)
  })

  test('of another browser is rejected', async () => {
    const [own, foreign] = [await beginOidc(app, 'main', main, { sub: 'own' }), await beginOidc(app, 'main', main, { sub: 'foreign' })]
    expect((await complete(app, { ...foreign, cookie: own.cookie })).status).toBe(400)
    expect((await complete(app, { ...foreign, cookie: '' })).status).toBe(400)
  })

  test('with the state of one provider is rejected at every other one', async () => {
    const count = await countUsers()
    const ofMain = await beginOidc(app, 'main', main, { sub: 'mixed' })
    const ofSpare = await beginOidc(app, 'spare', spare, { sub: 'mixed' })
    // A provider that answers for another one can name itself.
    const asSpare = new URLSearchParams({
      code: ofSpare.query.get('code') ?? '',
      state: ofMain.query.get('state') ?? '',
      iss: spare.issuer,
    })
    const asDiscord = new URLSearchParams([...ofMain.query].filter(([name]) => name !== 'iss'))
    const { cookie, code, state } = await beginSignIn(app.panelUrl, 'mixed')
    for (const mixed of [
      { ...ofMain, id: 'spare' },
      { ...ofMain, id: 'spare', query: asSpare },
      { ...ofMain, id: 'discord', query: asDiscord },
      { id: 'main', cookie, query: new URLSearchParams({ code, state, iss: main.issuer }) },
    ]) {
      const rejected = await complete(app, mixed)
      expect([rejected.status, await sentenceOf(rejected)]).toEqual([400, 'This sign-in was started with another provider. Start again.'])
    }
    // The code of the other provider, under its own name and under the right one.
    for (const iss of [spare.issuer, main.issuer]) {
      const begun = await beginOidc(app, 'main', main, { sub: 'mixed' })
      const injected = { code: ofSpare.query.get('code') ?? '', state: begun.query.get('state') ?? '', iss }
      expect((await complete(app, { ...begun, query: new URLSearchParams(injected) })).status).toBe(400)
    }
    expect(await countUsers()).toBe(count)
  })

  test('without the issuer that this provider sends is rejected', async () => {
    const { query, ...callback } = await beginOidc(app, 'main', main, { sub: 'no issuer' })
    expect(query.get('iss')).toBe(main.issuer)
    query.delete('iss')
    expect((await complete(app, { ...callback, query })).status).toBe(400)
  })

  test('with the code of another sign-in is rejected by PKCE', async () => {
    const [own, stolen] = [await beginOidc(app, 'main', main, { sub: 'own' }), await beginOidc(app, 'main', main, { sub: 'stolen' })]
    own.query.set('code', stolen.query.get('code') ?? '')
    const rejected = await complete(app, own)
    expect([rejected.status, await sentenceOf(rejected)]).toEqual([
      400,
      'Main ID rejected this sign-in as expired or unknown. Start again.',
    ])
  })

  test.each([
    ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'other' } })],
    ['no nonce', (claims) => ({ claims: { ...claims, nonce: undefined } })],
    ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://evil.example' } })],
    ['another audience', (claims) => ({ claims: { ...claims, aud: 'another client' } })],
    ['a time of expiry in the past', (claims) => ({ claims: { ...claims, exp: 1 } })],
    ['the subject of another user', (claims) => ({ claims: { ...claims, sub: 'another user' } })],
    ['a subject that is too long', (claims) => ({ claims: { ...claims, sub: 'x'.repeat(256) } })],
    ['the signature of an unknown key', () => ({ key: 'other' })],
  ] as [string, NonNullable<FakeOidc['forge']>][])('whose ID token has %s signs nobody in', async (_what, forge) => {
    const count = await countUsers()
    const callback = await beginOidc(app, 'main', main, { sub: 'forged' })
    main.forge = forge
    const rejected = await complete(app, callback).finally(() => {
      main.forge = undefined
    })
    expect([rejected.status, await sentenceOf(rejected)]).toEqual([
      502,
      'Main ID did not confirm the sign-in. Try again in a moment, or sign in another way.',
    ])
    expect(rejected.headers.getSetCookie().join()).not.toContain('muster_session=')
    expect(await countUsers()).toBe(count)
    expect(app.takeLogs().join()).not.toContain('forged')
  })

  test('of a browser that changed the nonce on the way signs nobody in', async () => {
    const callback = await beginOidc(app, 'main', main, { sub: 'nonce' }, (url) => url.searchParams.set('nonce', 'replayed'))
    expect((await complete(app, callback)).status).toBe(502)
    app.takeLogs()
  })
})

/** The providers of the logged outages. Each rejected request is a line, too. */
function outagesIn(program: TestApp): string[] {
  const lines = program.takeLogs().map((line) => JSON.parse(line) as { provider?: string })
  return lines.flatMap(({ provider }) => provider ?? [])
}

describe('a provider that is down', () => {
  test('gets a sentence that names it, is logged once, and others go on', async () => {
    // Ends the outages of former tests.
    await signInByOidc(app, 'main', main, { sub: 'before' })
    const callback = await beginOidc(app, 'main', main, { sub: 'during' })
    main.isDown = true
    const rejected = await complete(app, callback)
    expect([rejected.status, await sentenceOf(rejected)]).toEqual([
      502,
      'Main ID did not confirm the sign-in. Try again in a moment, or sign in another way.',
    ])
    await signInByOidc(app, 'spare', spare, { sub: 'goes on' })
    await app.signIn('goes_on')
    main.isDown = false
    await signInByOidc(app, 'main', main, { sub: 'after' })
    expect(outagesIn(app)).toEqual(['main'])
  })

  test('since the start is asked again at the next sign-in', async () => {
    const { app: other, main: late, spare: own } = await startWithProviders()
    late.isDown = true
    const rejected = await other.anonymous.fetch('/api/auth/oidc/main')
    expect([rejected.status, await sentenceOf(rejected)]).toEqual([
      502,
      'Main ID can’t be reached. Try again in a moment, or sign in another way.',
    ])
    expect(rejected.headers.getSetCookie()).toEqual([])
    late.isDown = false
    late.saidIssuer = own.issuer
    expect((await other.anonymous.fetch('/api/auth/oidc/main')).status).toBe(502)
    late.saidIssuer = undefined
    await signInByOidc(other, 'main', late, { sub: 'late' })
    expect(outagesIn(other)).toEqual(['main'])
    await Promise.all([late.close(), own.close()])
  })

  test('by not answering is given up after five seconds', async () => {
    const reply = await app.anonymous.fetch('/api/auth/oidc/silent')
    expect([reply.status, await sentenceOf(reply)]).toEqual([
      502,
      'Silent can’t be reached. Try again in a moment, or sign in another way.',
    ])
    app.takeLogs()
  })
})

test('a provider shows its own page only to its own callback', async () => {
  const url = new URL((await app.anonymous.call(auth.oidcAuthorizeUrl, { params: { id: 'main' } })).text)
  url.searchParams.set('redirect_uri', `${app.panelUrl}/login/spare/callback`)
  await expect(followToCallback(url.href)).rejects.toThrow('400')
})

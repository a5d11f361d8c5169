/** Sign-in and sessions: the local provider, and cross-site requests. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as auth from '#contract/users/auth.ts'
import * as users from '#contract/users/users.ts'
import { ban, scheduleDeletion } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { beginSignIn } from '#tests/test-user.ts'
import { send } from '#tests/list/send.ts'

const post = (url: string, cookie: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/discord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body: JSON.stringify(body),
  })

const cookies = (response: Response) => response.headers.getSetCookie()

describe('sign-in by the local provider', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })

  test('creates a session', async () => {
    const alice = await app.signIn('alice')
    const { status, data } = await alice.call(users.me)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      discord: { username: 'alice', avatar: null },
      benefits: [],
      active_tier: null,
      owned_tier: null,
      is_tier_forced: false,
      max_masterlist_tokens: 3,
      max_managers: 2,
      max_masterlist_groups: 0,
      delete_at: null,
      gived_managements: [],
      recieved_managements: [],
      banned: false,
    })
    expect(data).not.toHaveProperty('ban_reason')
  })

  test('the same name is the same user, and admin is an administrator', async () => {
    const [first, second, admin] = [await app.signIn('bob'), await app.signIn('bob'), await app.signIn('admin')]
    expect(second.id).toBe(first.id)
    expect((await admin.call(users.me)).data.benefits).toEqual([{ key: 'ADMIN', source: 'grant' }])
    expect((await first.call(users.me)).data.benefits).toEqual([])
  })

  test('the authorize URL has state, PKCE S256, scope identify and the callback', async () => {
    const { text, headers } = await app.anonymous.call(auth.authorizeUrl)
    const url = new URL(text)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'identify',
      code_challenge_method: 'S256',
      redirect_uri: `${app.panelUrl}/login/discord/callback`,
    })
    expect(url.searchParams.get('state')?.length).toBeGreaterThanOrEqual(43)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    const cookie = headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toContain(url.searchParams.get('code_challenge'))
  })

  test('the session cookie is HttpOnly and SameSite=Lax, and the table holds only its hash', async () => {
    const { cookie, code, state } = await beginSignIn(app.panelUrl, 'carol')
    const done = await post(app.panelUrl, cookie, { code, state })
    expect(done.status).toBe(204)
    const session = cookies(done).find((text) => text.startsWith('muster_session=')) ?? ''
    expect(session).toMatch(/HttpOnly/)
    expect(session).toMatch(/SameSite=Lax/)
    expect(session).toContain(`Max-Age=${30 * 86_400}`)
    const { expires_at } = await app.db.selectFrom('sessions').select('expires_at').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
    expect(Math.abs(expires_at.getTime() - app.clock.now() - 30 * 86_400_000)).toBeLessThan(60_000)
    const id = session.split(';', 1)[0]?.split('=')[1] ?? ''
    const rows = await app.db.selectFrom('sessions').select('id_hash').execute()
    expect(rows.some((row) => row.id_hash.toString('utf8').includes(id) || row.id_hash.toString('base64url') === id)).toBe(false)
  })

  test('a wrong state is rejected', async () => {
    const { cookie, code } = await beginSignIn(app.panelUrl, 'alice')
    const rejected = await post(app.panelUrl, cookie, { code, state: 'wrong' })
    expect(rejected.status).toBe(400)
    expect(cookies(rejected).join()).not.toContain('muster_session=')
  })

  test('two sign-ins of one browser can be completed in any order, and a ninth one drops the first', async () => {
    const [first, second] = [await beginSignIn(app.panelUrl, 'alice'), await beginSignIn(app.panelUrl, 'bob')]
    const jar = `${first.cookie}; ${second.cookie}`
    for (const { code, state } of [second, first]) expect((await post(app.panelUrl, jar, { code, state })).status).toBe(204)
    const pending = await Promise.all(Array.from({ length: 8 }, () => beginSignIn(app.panelUrl, 'carol')))
    const { headers } = await app.anonymous.fetch('/api/auth/discord', { headers: { cookie: pending.map((one) => one.cookie).join('; ') } })
    const names = headers.getSetCookie().map((text) => [text.split('=', 1)[0], /Max-Age=0/.test(text)])
    expect(names).toHaveLength(2)
    expect(pending.map((one) => one.cookie.split('=', 1)[0])).toContain(names.find(([, isCleared]) => isCleared)?.[0])
  })

  test('cookies with names that no header may contain are ignored', async () => {
    const cookie = Array.from({ length: 12 }, (_, index) => `muster_sign_in_\u00E9 ${index}=x`).join('; ')
    const { status, headers } = await send(`${app.panelUrl}/api/auth/discord`, { headers: { cookie } })
    expect([status, headers['set-cookie']?.length]).toEqual([200, 1])
  })

  test("another browser's state is rejected", async () => {
    const [own, foreign] = [await beginSignIn(app.panelUrl, 'alice'), await beginSignIn(app.panelUrl, 'mallory')]
    expect((await post(app.panelUrl, own.cookie, { code: foreign.code, state: foreign.state })).status).toBe(400)
    expect((await post(app.panelUrl, '', { code: own.code, state: own.state })).status).toBe(400)
  })

  test('a forged state cookie is rejected', async () => {
    const { cookie, code, state } = await beginSignIn(app.panelUrl, 'alice')
    const [name, signed = ''] = cookie.split('=')
    const forged = encodeURIComponent(decodeURIComponent(signed).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
    expect((await post(app.panelUrl, `${name}=${forged}`, { code, state })).status).toBe(400)
    expect((await post(app.panelUrl, cookie, { code, state })).status).toBe(204)
  })

  test('a used state is rejected, even in twenty concurrent calls', async () => {
    const { cookie, code, state } = await beginSignIn(app.panelUrl, 'alice')
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(app.panelUrl, cookie, { code, state })))
    const statuses = answers.map((answer) => answer.status).toSorted()
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 400)])
    expect((await post(app.panelUrl, cookie, { code, state })).status).toBe(400)
  })

  test('a state older than ten minutes is rejected', async () => {
    const { cookie, code, state } = await beginSignIn(app.panelUrl, 'alice')
    app.clock.advance(601_000)
    expect((await post(app.panelUrl, cookie, { code, state })).status).toBe(400)
  })

  test('a code that the provider did not issue gets 502 and creates no session', async () => {
    const { cookie, state } = await beginSignIn(app.panelUrl, 'alice')
    const rejected = await post(app.panelUrl, cookie, { code: 'made-up', state })
    expect(rejected.status).toBe(502)
    expect(cookies(rejected).join()).not.toContain('muster_session=')
    expect(app.takeLogs()).toHaveLength(1)
  })

  test.each([
    [{}],
    [{ code: 'x' }],
    [{ code: 'x', state: 1 }],
    [{ code: '', state: '' }],
    [[]],
    ['text'],
    [{ code: 'x', state: 'y', extra: 1 }],
  ])('an invalid sign-in body gets 400: %j', async (body) => {
    const rejected = await post(app.panelUrl, '', body)
    expect(rejected.status).toBe(400)
    expect(await rejected.json()).toMatchObject({ statusCode: 400, isBusiness: false })
  })

  test('logging out ends the session on the server', async () => {
    const alice = await app.signIn('alice')
    expect((await alice.call(auth.logOut)).status).toBe(204)
    expect((await alice.call(users.me)).status).toBe(403)
    expect((await alice.call(auth.logOut)).status).toBe(403)
  })

  test('an expired session is rejected', async () => {
    const alice = await app.signIn('alice')
    await app.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('user_id', '=', alice.id)
      .execute()
    expect((await alice.call(users.me)).status).toBe(403)
  })

  test('a session is extended by its use two hours later, but not by its use at once', async () => {
    const dora = await app.signIn('dora')
    const expiry = async () =>
      (await app.db.selectFrom('sessions').select('expires_at').where('user_id', '=', dora.id).executeTakeFirstOrThrow()).expires_at
    const before = await expiry()
    await dora.call(users.me)
    expect(await expiry()).toEqual(before)
    app.clock.advance(2 * 3_600_000)
    const { headers } = await dora.call(users.me)
    expect((await expiry()).getTime()).toBeGreaterThan(before.getTime())
    expect(headers.getSetCookie().join()).toContain('muster_session=')
  })

  test('banned and leaving users may read `me` and log out', async () => {
    const eve = await app.signIn('eve')
    await ban(app, eve.id, 'Fake players')
    expect((await eve.call(users.me)).data).toMatchObject({ banned: true, ban_reason: 'Fake players' })
    const finn = await app.signIn('finn')
    await scheduleDeletion(app, finn.id)
    expect((await finn.call(users.me)).data.delete_at).toMatch(/Z$/)
    for (const user of [eve, finn]) expect((await user.call(auth.logOut)).status).toBe(204)
  })

  test('the authorize page offers users and rejects sign-ins not started by the panel', async () => {
    const url = (await app.anonymous.call(auth.authorizeUrl)).text
    const page = await fetch(url)
    expect(await page.text()).toContain('value="admin"')
    const otherSite = new URL(url)
    otherSite.searchParams.set('redirect_uri', 'https://evil.example/login/discord/callback')
    expect((await fetch(otherSite, { redirect: 'manual' })).status).toBe(400)
    const hostile = await fetch(`${url}&username=${encodeURIComponent('<script>')}`, { redirect: 'manual' })
    expect(hostile.status).toBe(200)
    expect(await hostile.text()).not.toContain('<script>')
  })
})

test('sign-in without a provider gets 503', async () => {
  const app = await startApp({ LOCAL_IDENTITY: 'off' })
  expect((await app.anonymous.call(auth.authorizeUrl)).status).toBe(503)
  expect((await post(app.panelUrl, '', { code: 'a', state: 'b' })).status).toBe(503)
})

describe('cross-site calls', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 204],
    [{}, 204],
  ])('with %j an unsafe call answers %i', async (headers, status) => {
    const alice = await app.signIn('alice')
    const answer = await alice.fetch('/api/auth/logout', { method: 'POST', headers })
    expect(answer.status).toBe(status)
    expect((await alice.call(users.me)).status).toBe(status === 204 ? 403 : 200)
  })

  test("accepts the panel's own origin if the browser sends only Origin", async () => {
    const alice = await app.signIn('alice')
    expect((await alice.fetch('/api/auth/logout', { method: 'POST', headers: { origin: app.panelUrl } })).status).toBe(204)
  })
})

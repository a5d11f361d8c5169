/** Sign-in by Discord. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as auth from '#contract/users/auth.ts'
import { type FakeDiscord, startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import { type TestApp, startApp } from '#tests/harness.ts'

const post = (url: string, cookie: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/discord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, ...headers },
    body: JSON.stringify(body),
  })

const cookies = (response: Response) => response.headers.getSetCookie()

describe('sign-in by Discord', () => {
  let app: TestApp
  let discord: FakeDiscord
  beforeAll(async () => {
    discord = await startFakeDiscord()
    app = await startApp({
      DISCORD_CLIENT_ID: '1234',
      DISCORD_CLIENT_SECRET: 'secret',
      DISCORD_API_URL: discord.url,
      DISCORD_AUTHORIZE_URL: 'https://discord.test/oauth2/authorize',
      PUBLIC_URL: 'https://panel.example',
      ADMIN_DISCORD_IDS: '1, 80351110224678912',
    })
  })
  afterAll(() => discord.close())

  async function begin(): Promise<{ cookie: string; state: string; challenge: string; url: URL }> {
    const { text, headers } = await app.anonymous.call(auth.authorizeUrl)
    const url = new URL(text)
    return {
      url,
      cookie: headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
      state: url.searchParams.get('state') ?? '',
      challenge: url.searchParams.get('code_challenge') ?? '',
    }
  }

  test('sends the code with the verifier, form-encoded, and creates the user', async () => {
    const { cookie, state, url } = await begin()
    expect(`${url.origin}${url.pathname}`).toBe('https://discord.test/oauth2/authorize')
    expect(url.searchParams.get('client_id')).toBe('1234')
    const done = await post(app.panelUrl, cookie, { code: 'abc', state })
    expect(done.status).toBe(204)
    const form = discord.tokenCalls.at(-1)
    expect(Object.fromEntries(form ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'abc',
      redirect_uri: 'https://panel.example/login/discord/callback',
      client_id: '1234',
      client_secret: 'secret',
    })
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    const session = cookies(done).find((text) => text.includes('muster_session=')) ?? ''
    expect(session).toMatch(/^__Host-muster_session=/)
    expect(session).toMatch(/Secure/)
    const me = await app.anonymous.fetch('/api/auth/me', { headers: { cookie: session.split(';', 1)[0] ?? '' } })
    expect(await me.json()).toMatchObject({
      data: { discord: { discord_id: '80351110224678912', username: 'nelly' }, benefits: [{ key: 'ADMIN' }] },
    })
  })

  test('the next sign-in updates name and avatar from Discord', async () => {
    discord.user = { ...discord.user, username: 'nelly.new', avatar: null }
    const { cookie, state } = await begin()
    expect((await post(app.panelUrl, cookie, { code: 'abc', state })).status).toBe(204)
    const rows = await app.db.selectFrom('users').select(['username', 'avatar']).where('discord_id', '=', discord.user.id).execute()
    expect(rows).toEqual([{ username: 'nelly.new', avatar: null }])
  })

  test.each([500, 429, 400, 401, 'garbage', 'wrong-shape'] as const)(
    'a reply of Discord with %s gives 502 and stores no user',
    async (answer) => {
      discord.reply = answer
      discord.user = { id: '99', username: 'nobody', avatar: null }
      const { cookie, state } = await begin()
      const rejected = await post(app.panelUrl, cookie, { code: 'abc', state })
      discord.reply = 'ok'
      expect(rejected.status).toBe(502)
      expect(await rejected.json()).toMatchObject({ statusCode: 502, isBusiness: false })
      expect(cookies(rejected).join()).not.toContain('muster_session')
      expect(await app.db.selectFrom('users').select('id').where('discord_id', '=', '99').execute()).toEqual([])
      expect(app.takeLogs().join()).not.toContain('secret')
    },
  )

  test('the first sign-in after an outage of Discord logs its end, at the level of its beginning', async () => {
    const attempt = async () => {
      const { cookie, state } = await begin()
      return (await post(app.panelUrl, cookie, { code: 'abc', state })).status
    }
    discord.reply = 500
    discord.user = { id: '98', username: 'patient', avatar: null }
    expect(await attempt()).toBe(502)
    app.takeLogs()
    discord.reply = 'ok'
    expect([await attempt(), await attempt()]).toEqual([204, 204])
    expect(app.allLogs().match(/"level":40,.*identity provider confirms sign-ins again/g)).toHaveLength(1)
  })

  test('disables the local provider', async () => {
    expect((await app.anonymous.fetch('/local-discord/oauth2/authorize')).status).toBe(404)
  })
})

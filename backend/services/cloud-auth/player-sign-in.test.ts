/** Sign-in of players: through Discord, without a provider, and its limits. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TicketReply } from '#contract/masterlist/cloud-auth.ts'
import { announce, buildServer, setTier } from '#tests/factories.ts'
import { type FakeDiscord, startFakeDiscord } from '#tests/fakes/fake-discord.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { requestTicket, requestVerification, ticketFor, verifyTicket } from '#tests/player-client.ts'

const noTicket = { ticket: '', expiresAt: '', playerToken: '' }

async function serverWithCloudAuth(app: TestApp) {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'SILVER')
  return buildServer(owner)
}

describe('by Discord', () => {
  let discord: FakeDiscord
  let app: TestApp
  let server: { public_id: string; credential: string }
  const code = { code: 'c', codeVerifier: 'v' }

  beforeAll(async () => {
    discord = await startFakeDiscord()
    // The owner signs in by the local provider before Discord is configured.
    app = await startApp({
      DISCORD_CLIENT_ID: '42',
      DISCORD_CLIENT_SECRET: 'client-secret-of-the-tests',
      DISCORD_API_URL: discord.url,
      MASTERLIST_PUBLIC_URL: 'https://list.example.com/muster',
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: 'loopback',
      LOG_LEVEL: 'trace',
    })
    server = await serverThroughDiscord(app)
  })
  beforeEach(() => {
    discord.reply = 'ok'
  })
  afterAll(() => discord.close())

  /** Signs an owner in as a browser would and creates a server with cloud auth. */
  async function serverThroughDiscord({ panelUrl, db }: TestApp) {
    const started = await fetch(`${panelUrl}/api/auth/discord`)
    const cookie = started.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const state = new URL(await started.text()).searchParams.get('state')
    const json = { 'content-type': 'application/json' }
    const done = await fetch(`${panelUrl}/api/auth/discord`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify({ code: 'x', state }),
    })
    const session =
      done.headers
        .getSetCookie()
        .find((text) => text.includes('session'))
        ?.split(';', 1)[0] ?? ''
    await sql`update users set owned_tier = 'SILVER'`.execute(db)
    const created = await fetch(`${panelUrl}/api/users/tokens`, {
      method: 'POST',
      headers: { ...json, cookie: session },
      body: JSON.stringify({ name: 'A town of players' }),
    })
    return ((await created.json()) as { data: { public_id: string; credential: string } }).data
  }

  /** Requests a ticket from a new address each time, like different players. */
  let players = 0
  const requestTicket = (body: unknown) => {
    players += 1
    return fetch(`${app.listUrl}/cloud-auth/ticket`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${players >> 8}.${players & 255}` },
      body: JSON.stringify(body),
    })
  }

  test('the configuration names the public address', async () => {
    expect(await (await fetch(`${app.listUrl}/cloud-auth`)).json()).toEqual({
      issuer: 'https://list.example.com/muster',
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      clientId: '42',
      redirectUri: 'https://list.example.com/muster/cloud-auth/callback',
      scope: 'identify',
      jwksUri: 'https://list.example.com/muster/cloud-auth/jwks.json',
    })
  })

  test('a player gets a ticket; Discord receives the verifier and redirect URI of their sign-in', async () => {
    const reply = (await (await requestTicket({ server: server.public_id, ...code })).json()) as TicketReply
    expect(reply.result).toBe('OK')
    expect(Object.fromEntries(discord.tokenCalls.at(-1) ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: 'v',
      redirect_uri: 'https://list.example.com/muster/cloud-auth/callback',
      client_id: '42',
      client_secret: 'client-secret-of-the-tests',
    })
    expect((await verifyTicket(app, server.credential, reply.ticket)).result).toBe('OK')
  })

  test('a code that Discord rejects gives no ticket', async () => {
    discord.reply = 400
    const response = await requestTicket({ server: server.public_id, ...code })
    expect([response.status, await response.json()]).toEqual([200, { result: 'VERIFY_FAILED', ...noTicket }])
    discord.reply = 'ok'
  })

  test.each([500, 503, 429, 401, 403, 'garbage', 'wrong-shape'] as const)(
    'when Discord answers %s, the player gets 503, which is logged once',
    async (status) => {
      discord.reply = status
      const response = await requestTicket({ server: server.public_id, ...code })
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.json()).toMatchObject({ statusCode: 503, code: 'SIGN_IN_UNAVAILABLE', isBusiness: false })
      expect((await requestTicket({ server: server.public_id, ...code })).status).toBe(503)
      expect(app.takeLogs()).toHaveLength(1)
      discord.reply = 'ok'
      expect((await requestTicket({ server: server.public_id, ...code })).status).toBe(200)
      expect(app.allLogs()).toMatch(/"level":40,.*identity provider identifies players again/)
    },
  )

  test('while Discord is down a player token still works', async () => {
    const { playerToken } = (await (await requestTicket({ server: server.public_id, ...code })).json()) as TicketReply
    discord.reply = 500
    expect(await (await requestTicket({ server: server.public_id, playerToken })).json()).toMatchObject({ result: 'OK' })
    discord.reply = 'ok'
  })

  test('Discord is not called if the owner lacks the benefit', async () => {
    const before = discord.tokenCalls.length
    const owner = await app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await setTier(app, owner.id, null)
    await app.restart()
    expect(await (await requestTicket({ server: server.public_id, ...code })).json()).toEqual({ result: 'NO_BENEFIT', ...noTicket })
    await setTier(app, owner.id, 'SILVER')
    await app.restart()
    expect(discord.tokenCalls).toHaveLength(before)
  })

  /** Sends 700 requests, fifty at a time. Returns their statuses and how many calls reached Discord. */
  async function sendManyRequests() {
    const before = discord.tokenCalls.length
    const statuses = new Set<number>()
    for (let round = 0; round < 14; round += 1) {
      const responses = await Promise.all(Array.from({ length: 50 }, () => requestTicket({ server: server.public_id, ...code })))
      for (const { status } of responses) statuses.add(status)
    }
    return { statuses: [...statuses], calls: discord.tokenCalls.length - before }
  }

  test.each([401, 403, 429])('calls answered with %s stop well below Discord’s ban limit', async (status) => {
    discord.reply = status
    const { statuses, calls } = await sendManyRequests()
    expect(statuses).toEqual([503])
    expect(calls).toBeGreaterThanOrEqual(500)
    expect(calls).toBeLessThan(650)
    discord.reply = 'ok'
    app.takeLogs()
    app.clock.advance(100_000)
    expect(await (await requestTicket({ server: server.public_id, ...code })).json()).toMatchObject({ result: 'OK' })
  })

  test.each([
    [400, [200]],
    [500, [503]],
    ['garbage', [503]],
  ] as const)('calls answered with %s never block other players', async (status, expected) => {
    discord.reply = status
    expect(await sendManyRequests()).toEqual({ statuses: expected, calls: 700 })
    discord.reply = 'ok'
    app.takeLogs()
    app.clock.advance(60_000)
    expect(await (await requestTicket({ server: server.public_id, ...code })).json()).toMatchObject({ result: 'OK' })
  })

  test('the log contains no codes or secrets', () => {
    expect(app.allLogs()).not.toContain('client-secret-of-the-tests')
    expect(app.allLogs()).not.toContain('code_verifier')
  })
})

test('without a provider, both calls report it', async () => {
  const app = await startApp({ LOCAL_IDENTITY: 'off' })
  await sql`insert into users (id, discord_id, username, owned_tier) values (gen_random_uuid(), '1', 'x', 'SILVER')`.execute(app.db)
  await sql`insert into servers (public_id, owner_id, name, name_key) select 'AbCd123', id, 'x', 'x' from users`.execute(app.db)
  await app.restart()
  for (const response of [
    await fetch(`${app.listUrl}/cloud-auth`),
    await requestTicket(app, { server: 'AbCd123', code: 'x', codeVerifier: 'x' }),
  ]) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('60')
    expect(await response.json()).toMatchObject({ code: 'SIGN_IN_NOT_SET_UP' })
  }
  expect((await fetch(`${app.listUrl}/cloud-auth/jwks.json`)).status).toBe(200)
  await app.close()
})

describe('limits', () => {
  test('tickets: ten at once per address, then one every six seconds', async () => {
    const app = await startApp({ RATE_LIMITS: 'on' })
    const server = await serverWithCloudAuth(app)
    const { playerToken } = await ticketFor(app, server.public_id, 'eager')
    const again = () => requestTicket(app, { server: server.public_id, playerToken })
    for (let count = 1; count < 10; count += 1) expect((await again()).status).toBe(200)
    const rejected = await again()
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(6)
    app.clock.advance(6000)
    expect((await again()).status).toBe(200)
    expect((await again()).status).toBe(429)
    await app.close()
  })

  test('verifications: two hundred at once per credential, separate from announces', async () => {
    const app = await startApp({ RATE_LIMITS: 'on' })
    const [server, other] = [await serverWithCloudAuth(app), await serverWithCloudAuth(app)]
    const statuses: number[] = []
    for (let count = 0; count < 230; count += 1) statuses.push((await requestVerification(app, server.credential, { ticket: 'x' })).status)
    expect(statuses.slice(0, 200)).toEqual(Array.from({ length: 200 }, () => 200))
    const rejected = await requestVerification(app, server.credential, { ticket: 'x' })
    // Twenty tokens return per second, and a slow machine needs longer than that.
    if (rejected.status !== 200) expect(await rejected.json()).toMatchObject({ statusCode: 429, code: 'CALLED_TOO_OFTEN' })
    for (let count = 0; count < 10; count += 1) expect((await announce(app, server.credential)).status).toBe(200)
    expect((await announce(app, server.credential)).status).toBe(429)
    expect((await requestVerification(app, other.credential, { ticket: 'x' })).status).toBe(200)
    await app.close()
  })

  test('verifications: calls from another address do not use up the limit', async () => {
    const app = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' })
    const server = await serverWithCloudAuth(app)
    expect((await announce(app, server.credential)).status).toBe(200)
    const verifyFromElsewhere = () =>
      fetch(`${app.listUrl}/cloud-auth/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${server.credential}`, 'x-forwarded-for': '203.0.113.9' },
        body: '{"ticket":"x"}',
      })
    for (let count = 0; count < 210; count += 1) expect((await verifyFromElsewhere()).status).toBe(409)
    expect((await requestVerification(app, server.credential, { ticket: 'x' })).status).toBe(200)
    await app.close()
  })
})

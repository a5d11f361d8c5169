/** The callback page that a player's sign-in returns to. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TicketReply } from '#contract/masterlist/cloud-auth.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { requestTicket, playerCode, verifyTicket } from '#tests/player-client.ts'

async function serverWithCloudAuth(app: TestApp) {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'SILVER')
  return buildServer(owner)
}

describe('the callback page', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp()
  })
  const callback = (query: string) => fetch(`${app.listUrl}/cloud-auth/callback${query}`, { redirect: 'manual' })
  const random = 'A'.repeat(22)

  test('confirms the sign-in, runs and loads nothing, and is not cached', async () => {
    const response = await callback(`?code=secret-code&state=${random}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const page = await response.text()
    expect(page).toContain('You are signed in')
    expect(page).toContain('Go back to the game.')
    expect(page).not.toContain('secret-code')
    expect(page).not.toContain('<script')
  })

  test('redirects to the local port in the state, with code or error', async () => {
    const response = await callback(`?code=a%26b&state=p51234.${random}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, `http://127.0.0.1:51234/?code=a%26b&state=p51234.${random}`])
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const rejected = await callback(`?error=access_denied&error_description=x&state=p51234.${random}`)
    expect(rejected.headers.get('location')).toBe(`http://127.0.0.1:51234/?error=access_denied&state=p51234.${random}`)
  })

  test.each([
    `p80.${random}`,
    `p1023.${random}`,
    `p65536.${random}`,
    `p99999.${random}`,
    `p051234.${random}`,
    `p51234`,
    `p51234.short`,
    `p51234@evil.example.${random}`,
    `p51234.${random}/`,
    `x p51234.${random}`,
    `p51234.${random}%0d%0aSet-Cookie:a=b`,
  ])('does not redirect for the state %s', async (state) => {
    const response = await callback(`?code=x&state=${state}`)
    expect([response.status, response.headers.get('location')]).toEqual([200, null])
  })

  test('explains a declined, failed or never started sign-in', async () => {
    expect(await (await callback('?error=access_denied&state=x')).text()).toContain('You declined the request.')
    const hostile = await (await callback('?error=%3Cscript%3Ealert(1)%3C/script%3E&state=x')).text()
    expect(hostile).toContain('Something went wrong.')
    expect(hostile).not.toContain('alert')
    for (const query of ['', '?state=x', '?code=', '?code=a&code=b', `?code=${'x'.repeat(600)}`]) {
      const response = await callback(query)
      expect([response.status, (await response.text()).includes('Start signing in from the game')], query).toEqual([400, true])
    }
  })

  test('gives a client with a loopback listener its code, which works for a ticket', async () => {
    const server = await serverWithCloudAuth(app)
    const received: URLSearchParams[] = []
    const client = createServer((request, response) => {
      received.push(new URL(request.url ?? '', 'http://x').searchParams)
      response.end('Done')
    })
    await new Promise<void>((resolve) => {
      client.listen(0, '127.0.0.1', resolve)
    })
    const state = `p${(client.address() as AddressInfo).port}.${random}`
    const { code, codeVerifier } = await playerCode(app, 'loopback', state)
    await fetch(`${app.listUrl}/cloud-auth/callback?${new URLSearchParams({ code, state }).toString()}`)
    client.close()
    expect(Object.fromEntries(received[0] ?? [])).toEqual({ code, state })
    const reply = (await (await requestTicket(app, { server: server.public_id, code, codeVerifier })).json()) as TicketReply
    expect((await verifyTicket(app, server.credential, reply.ticket)).result).toBe('OK')
  })

  test("the local provider's CSP permits its form to redirect to that page and to the player's own machine", async () => {
    const { authorizeUrl, clientId, redirectUri } = (await (await fetch(`${app.listUrl}/cloud-auth`)).json()) as Record<string, string>
    const query = {
      response_type: 'code',
      client_id: clientId ?? '',
      scope: 'identify',
      redirect_uri: redirectUri ?? '',
      state: 'x',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }
    const page = await fetch(`${authorizeUrl}?${new URLSearchParams(query).toString()}`)
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${app.listUrl} http://127.0.0.1:*`)
  })

  test('the local provider redirects to no other site', async () => {
    const { authorizeUrl, clientId } = (await (await fetch(`${app.listUrl}/cloud-auth`)).json()) as {
      authorizeUrl: string
      clientId: string
    }
    const authorize = (redirect: string) => {
      const url = new URL(authorizeUrl)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: 'identify',
        redirect_uri: redirect,
        state: 'x',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        username: 'x.y',
      }).toString()
      return fetch(url, { redirect: 'manual' })
    }
    expect((await authorize(`${app.listUrl}/cloud-auth/callback`)).status).toBe(302)
    for (const redirect of ['https://evil.example/cloud-auth/callback', `${app.listUrl}/elsewhere`])
      expect((await authorize(redirect)).status).toBe(400)
  })
})

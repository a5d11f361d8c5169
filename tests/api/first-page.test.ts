/** The servers page as the backend renders it. first-page.spec.ts shows it in a browser. */
import { beforeAll, expect, test } from 'vitest'
import { changeLimits } from '#contract/users/users-admin.ts'
import { ban, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let owner: SignedInUser
/** What a visitor without a session gets. */
let plain: string

const NASTY = '</script><script>document.title=1</script>&amp;'

async function read(user: { fetch: TestApp['anonymous']['fetch'] }, path = '/servers', init: RequestInit = {}) {
  const reply = await user.fetch(path, init)
  return { html: await reply.text(), headers: reply.headers, status: reply.status }
}

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
  owner = await app.signIn('owner')
  await buildServer(owner, { name: NASTY })
  plain = (await read(app.anonymous)).html
})

test.each(['/', '/servers', '/servers?sort=-players', '/?status=never_seen'])(
  '%s shows the servers, and nothing stores it',
  async (path) => {
    const { html, headers } = await read(owner, path)
    expect(html).toContain('&lt;script&gt;document.title=1')
    expect(html).not.toContain('<script>document.title')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('vary')).toContain('Cookie')
    expect(headers.has('etag')).toBe(false)
  },
)

test('the HTML has the replies that it shows, as the API gives them', async () => {
  const { html } = await read(owner)
  const [, json = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html) ?? []
  const replies = JSON.parse(json) as Record<string, unknown>
  expect(Object.keys(replies).toSorted()).toEqual(
    ['/api/about', '/api/auth/me', '/api/users/tokens', `/api/users/${owner.id}/protection-issues`].toSorted(),
  )
  for (const [path, reply] of Object.entries(replies)) expect(reply, path).toEqual(await (await owner.fetch(path)).json())
})

test.each(['/settings', '/servers/new', '/servers/', '/servers?status=foo', '/servers?sort=name'])(
  '%s is rendered by the browser',
  async (path) => {
    const { html, headers } = await read(owner, path)
    expect(html).toBe(plain)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('etag')).toMatch(/^W\//)
  },
)

test('without a session, for a restricted account and for many servers, the browser renders the page', async () => {
  expect((await read(app.anonymous, '/servers', { headers: { cookie: 'muster_session=unknown' } })).html).toBe(plain)
  const banned = await app.newUser()
  await ban(app, banned.id, 'Fake players')
  expect((await read(banned)).html).toBe(plain)
  const host = await app.newUser()
  const admin = await app.signIn('admin')
  await admin.call(changeLimits, { params: { id: host.id }, body: { max_masterlist_tokens: 31 } })
  for (let index = 0; index < 30; index += 1) await buildServer(host)
  expect((await read(host)).html).not.toBe(plain)
  await buildServer(host)
  expect((await read(host)).html).toBe(plain)
})

test('a HEAD does not render', async () => {
  expect((await read(owner, '/servers', { method: 'HEAD' })).headers.get('cache-control')).toBe('no-cache')
})

test('the page is in the language of the browser', async () => {
  const { html, headers } = await read(owner, '/servers', { headers: { 'accept-language': 'de' } })
  expect(headers.get('content-language')).toBe('de')
  expect(html).toContain('Einstellungen')
})

test('users who open the page at the same time see only their own servers', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => app.newUser()))
  await Promise.all(users.map((user, index) => buildServer(user, { name: `Private ${index}.` })))
  const pages = await Promise.all(users.map((user) => read(user)))
  for (const [index, { html }] of pages.entries())
    expect([...new Set(html.match(/Private \d\./g))], `user ${index}`).toEqual([`Private ${index}.`])
})

test('opening the page extends the session', async () => {
  const user = await app.newUser()
  expect((await read(user)).headers.getSetCookie()).toEqual([])
  app.clock.advance(2 * 3_600_000)
  const { headers } = await read(user)
  expect(headers.getSetCookie()).toEqual([expect.stringContaining('muster_session=')])
  expect(headers.get('cache-control')).toBe('no-store')
})

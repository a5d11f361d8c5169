/** Rate limits, with a controlled clock. */
import { beforeAll, expect, test } from 'vitest'
import * as about from '#contract/public-site/about.ts'
import * as servers from '#contract/servers/servers.ts'
import * as users from '#contract/users/users.ts'
import { newName, setTier } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'

let proxied: TestApp
beforeAll(async () => {
  proxied = await startApp({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
})

test('an address that calls too often without signing in gets 429 with Retry-After, and is allowed again later', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  let last = await app.anonymous.call(about.about)
  // Below the 1,000 calls of an address, so the limit for visitors applies.
  for (let calls = 0; calls < 800 && last.status === 200; calls += 1) last = await app.anonymous.call(about.about)
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(last.error).toMatchObject({ statusCode: 429, isBusiness: false })
  app.clock.advance(60_000)
  expect((await app.anonymous.call(about.about)).status).toBe(200)
})

test('a forged X-Forwarded-For header does not avoid the limit', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const statuses = new Set<number>()
  for (let calls = 0; calls < 2000 && !statuses.has(429); calls += 1) {
    statuses.add((await app.anonymous.fetch('/api/about', { headers: { 'x-forwarded-for': `203.0.113.${calls % 250}` } })).status)
  }
  expect(statuses).toContain(429)
})

test('behind a trusted proxy each IPv4 address and each IPv6 /64 has its own limit', async () => {
  const app = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
  const from = (address: string) => app.anonymous.fetch('/api/about', { headers: { 'x-forwarded-for': address } })
  let last = await from('203.0.113.1')
  for (let calls = 0; calls < 2000 && last.status === 200; calls += 1) last = await from('203.0.113.1')
  expect(last.status).toBe(429)
  expect((await from('203.0.113.2')).status).toBe(200)
  // A /64 belongs to one customer.
  let first = await from('2001:db8:1:2::1')
  for (let calls = 0; calls < 2000 && first.status === 200; calls += 1) first = await from(`2001:db8:1:2::${(calls % 5000).toString(16)}`)
  expect(first.status).toBe(429)
  expect((await from('2001:db8:1:3::1')).status).toBe(200)
})

test('behind a trusted proxy a port or junk in X-Forwarded-For does not avoid the limit', async () => {
  const app = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
  const from = (address: string) => app.anonymous.fetch('/api/about', { headers: { 'x-forwarded-for': address } })
  for (const spelling of [
    (n: number) => `198.51.100.9:${n}`,
    (n: number) => `"[2001:db8::7]:${n}"`,
    (n: number) => `198.51.100.10:${n}, 10.0.0.1:${n}`,
    (n: number) => `junk-${n}`,
  ]) {
    let last = await from(spelling(2000))
    for (let calls = 0; calls < 2000 && last.status === 200; calls += 1) last = await from(spelling(2001 + calls))
    expect([spelling(0), last.status]).toEqual([spelling(0), 429])
  }
  expect((await from('198.51.100.11:2000')).status).toBe(200)
})

test.each([
  ['203.0.113.7:51008', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['2001:DB8:0::7', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['203.0.113.8, 203.0.113.7:80', '203.0.113.7'],
  ['203.0.113.7:1, 10.0.0.1:2', '203.0.113.7'],
  ['203.0.113.7, unknown', '127.0.0.1'],
  ['203.0.113.7, unknown, 10.0.0.1:2', '10.0.0.1'],
  ['1.2.3', '127.0.0.1'],
  ['[203.0.113.7', '127.0.0.1'],
  ['', '127.0.0.1'],
])('panel and list read X-Forwarded-For %j as %s', async (header, address) => {
  const init = { headers: { 'x-forwarded-for': header } }
  const [panel, list] = await Promise.all([
    proxied.anonymous.fetch('/api/public/connection', init).then((response) => response.json()),
    fetch(`${proxied.listUrl}/connection`, init).then((response) => response.json()),
  ])
  expect([(panel as { data: unknown }).data, list]).toEqual([expect.objectContaining({ address }), expect.objectContaining({ address })])
})

test('each session has its own limit', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const [alice, bob] = [await app.signIn('alice'), await app.signIn('bob')]
  let last = await alice.call(users.me)
  for (let calls = 0; calls < 2000 && last.status === 200; calls += 1) last = await alice.call(users.me)
  expect(last.status).toBe(429)
  expect((await bob.call(users.me)).status).toBe(200)
})

test('twenty servers can be created at once, then one after each Retry-After', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const alice = await app.signIn('alice')
  await setTier(app, alice.id, 'DIAMOND_ALTRUIST')
  const create = () => alice.call(servers.create, { body: { name: newName() } })
  for (let count = 0; count < 20; count += 1) expect((await create()).status).toBe(200)
  const rejected = await create()
  expect(rejected.status).toBe(429)
  app.clock.advance(Number(rejected.headers.get('retry-after')) * 1000)
  expect((await create()).status).toBe(200)
  expect((await create()).status).toBe(429)
})

test('calls to unknown paths with invalid sessions count towards the limit', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const call = () => app.anonymous.fetch('/api/nope', { headers: { cookie: `muster_session=${Math.random()}` } })
  let last = await call()
  for (let calls = 0; calls < 3000 && last.status === 404; calls += 1) last = await call()
  expect(last.status).toBe(429)
  expect(await last.json()).toMatchObject({ statusCode: 429, isBusiness: false })
})

/** Who may preview feeds, how often, and from which hosts. */
import { expect, test } from 'vitest'
import { preview } from '#contract/feeds.ts'
import { invalid } from '#backend/platform/errors.ts'
import { type FetchPublic, createFetchPublic } from '#backend/platform/http/guarded-client.ts'
import { ban, setTier } from '#tests/factories.ts'
import { answering, rss, startWith, url } from '#tests/feeds.ts'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost } from '#tests/https-host/https-host.ts'

/** One app for several tests; each sets its document. */
let document: FetchPublic = answering('')
const shared = startWith((...args) => document(...args))

test('rejects users with neither CUSTOM_LAUNCHER nor ADMIN without fetching anything', async () => {
  let fetched = 0
  const { app, owner } = await startWith((...args) => {
    fetched += 1
    return answering(rss(''))(...args)
  })
  const otherUser = await app.newUser()
  const rejected = await otherUser.call(preview, { body: { url } })
  expect(rejected.status).toBe(403)
  expect(rejected.error.errors).toEqual(['This needs the benefit Custom Launcher, which you do not have.'])
  expect((await app.anonymous.call(preview, { body: { url } })).status).toBe(403)
  await setTier(app, owner.id, 'RUBY')
  expect((await owner.call(preview, { body: { url } })).status).toBe(403)
  expect(fetched).toBe(0)
  const administrator = await app.signIn('admin')
  expect((await administrator.call(preview, { body: { url } })).status).toBe(200)
  await app.db.insertInto('benefit_grants').values({ user_id: otherUser.id, key: 'CUSTOM_LAUNCHER' }).execute()
  expect((await otherUser.call(preview, { body: { url } })).status).toBe(200)
  expect(fetched).toBe(2)
  await ban(app, otherUser.id)
  expect((await otherUser.call(preview, { body: { url } })).status).toBe(403)
})

test.each(['http://feeds.example/', 'ftp://feeds.example/', '', 'https://user@feeds.example/', 'https://localhost/', 'nonsense'])(
  'the address "%s" is rejected before anything is fetched',
  async (invalidUrl) => {
    const { owner } = await shared
    document = () => expect.fail('nothing may be fetched')
    const rejected = await owner.call(preview, { body: { url: invalidUrl } })
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors).toHaveLength(1)
  },
)

test('limits each user to ten at once, then one every six seconds; failures count', async () => {
  const { app, owner } = await startWith(() => Promise.reject(invalid('ADDRESS_UNREACHABLE')), { RATE_LIMITS: 'on' })
  const again = () => owner.call(preview, { body: { url } })
  for (let count = 0; count < 10; count += 1) expect((await again()).status).toBe(400)
  const rejected = await again()
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(6)
  app.clock.advance(6000)
  expect((await again()).status).toBe(400)
  expect((await again()).status).toBe(429)
  const other = await app.signIn('admin')
  expect((await other.call(preview, { body: { url } })).status).toBe(400)
})

test('returns the rejection of the HTTP client', async () => {
  const { owner } = await shared
  document = () => Promise.reject(invalid('ADDRESS_NOT_PUBLIC'))
  const rejected = await owner.call(preview, { body: { url } })
  expect(rejected.status).toBe(400)
  expect(rejected.error.errors).toEqual(['This address is not on the public internet.'])
})

test('fetches from a public host, and from no other', async () => {
  const port = await startHttpsHost((_request, response) => {
    response.setHeader('content-type', 'application/rss+xml; charset=utf-8').end(rss('<item><title>Hello</title></item>', 'Größe'))
  })
  const addresses = new Map([['feeds.example', PUBLIC_ADDRESS]])
  const fetchPublic = createFetchPublic({
    resolve: (host) => Promise.resolve([addresses.get(host) ?? '127.0.0.1']),
    isAllowed: (address) => address === PUBLIC_ADDRESS,
    port,
    ca: CERTIFICATE,
  })
  const { owner } = await startWith(fetchPublic)
  const result = await owner.call(preview, { body: { url: 'https://feeds.example/news' } })
  expect(result.status, result.text).toBe(200)
  expect(result.data).toEqual({ title: 'Größe', items: [{ title: 'Hello', link: null, published_at: null, html: '' }] })
  const rejected = await owner.call(preview, { body: { url: 'https://news.feeds.example/' } })
  expect(rejected.error.errors).toEqual(['This address is not on the public internet.'])
})

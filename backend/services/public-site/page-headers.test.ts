/** Headers, caching, limits and the switch of the public pages. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { change } from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { startFaultProxy } from '#tests/fault-proxy.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, send } from '#tests/list/send.ts'
import { linksOf, readPage, untilListed } from '#tests/public-pages.ts'

const PATHS = ['/browse', '/browse?q=lamp', '/s/ID', '/s/ID/embed', '/sitemap.xml'] as const
/** Any public path, and paths of servers that don't exist. */
const ALL_PATHS = [...PATHS, '/robots.txt', '/s/unknown', '/browse?page=0'] as const

let app: TestApp
let owner: SignedInUser
let id: string
let credential: string

const at = (path: string) => path.replace('ID', id)
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  await send(app.panelUrl + at(path), { method, headers })

beforeAll(async () => {
  app = await startApp({}, { hasPages: true })
  owner = await app.newUser()
  const server = await buildServer(owner, { name: 'Lamplight' })
  id = server.public_id
  credential = server.credential
  await announceFrom(app, credential)
  await untilListed(app, ['Lamplight'])
})

test.each(PATHS)('%s has the same content in all encodings, for GET and HEAD, and a short-lived shared copy', async (path) => {
  const plain = await get(path)
  expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
  expect(plain.headers['cache-control']).toBe('public, max-age=0, s-maxage=1, stale-while-revalidate=5')
  expect(plain.headers.vary).toBe(path.endsWith('.xml') ? 'Accept-Encoding' : 'Accept-Language, Cookie, Accept-Encoding')
  for (const [encoding, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const encoded = await get(path, { 'accept-encoding': encoding })
    expect(encoded.headers['content-encoding']).toBe(encoding)
    expect(decode(encoded.bytes).toString()).toBe(plain.text)
    expect(encoded.headers.etag).toBe(plain.headers.etag)
  }
  const head = await get(path, {}, 'HEAD')
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(plain.bytes.length)])
  const unchanged = await get(path, { 'if-none-match': plain.headers.etag ?? '' })
  expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', plain.headers.etag])
  expect(unchanged.headers['cache-control']).toBe(plain.headers['cache-control'])
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
})

test('a change changes the ETag', async () => {
  const before = (await get('/s/ID')).headers.etag ?? ''
  await owner.call(change, { params: { id }, body: { description: 'Bright.' } })
  expect((await get('/s/ID', { 'if-none-match': before })).status).toBe(200)
})

test('only the card can be framed, and scripts come only from this origin', async () => {
  for (const path of ALL_PATHS) {
    const { headers } = await get(path)
    const policy = String(headers['content-security-policy'])
    expect([path, headers['x-frame-options']]).toEqual([path, path.endsWith('embed') ? undefined : 'SAMEORIGIN'])
    expect([path, policy.includes('frame-ancestors *'), policy.includes("frame-ancestors 'none'")]).toEqual([
      path,
      path.endsWith('embed'),
      !path.endsWith('embed'),
    ])
    expect(policy).not.toContain('unsafe-inline')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test.each([
  '/s/unknown',
  '/s/unknown/other',
  `/s/${'x'.repeat(600)}`,
  '/s/unknown/embed',
  '/browse?page=0',
  '/sitemap.xml?page=9',
  '/sitemap.xml?page=x',
  '/s/unknown/og.png',
  '/s/unknown/qr.svg',
])('%s is an error that nothing stores', async (path) => {
  const { status, headers } = await get(path)
  expect([status, headers.etag]).toEqual([path.includes('browse') ? 400 : 404, undefined])
  expect(headers['cache-control']).toBe('no-store')
})

test('no page sets a cookie, and all visitors get the same bytes', async () => {
  // A session that any panel page would renew.
  app.clock.advance(2 * 3_600_000)
  await announceFrom(app, credential)
  await untilListed(app, ['Lamplight'])
  for (const path of ['/s/ID', '/browse?q=x', '/robots.txt', '/s/unknown']) {
    const visitor = await readPage(app.anonymous, at(path))
    const member = await readPage(owner, at(path))
    expect(member.html).toBe(visitor.html)
    expect([...visitor.headers.getSetCookie(), ...member.headers.getSetCookie()]).toEqual([])
  }
})

describe('the language menu', () => {
  const choose = async (body: string, headers: Record<string, string> = {}) =>
    await send(`${app.panelUrl}/browse/language`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })

  test('sets the cookie of the panel, and shows the same page in this language', async () => {
    const reply = await choose('language=de', { referer: `${app.panelUrl}/browse?q=lamp`, 'sec-fetch-site': 'same-origin' })
    expect([reply.status, reply.headers.location, reply.headers['cache-control']]).toEqual([303, '/browse?q=lamp', 'no-store'])
    expect(reply.headers['set-cookie']).toEqual(['muster_language=de; Max-Age=31536000; Path=/; SameSite=Lax'])
    const { text } = await get('/browse?q=lamp', { cookie: 'muster_language=de' })
    expect(text).toContain('<html lang="de"')
    expect(text).toMatch(/<button[^>]*value="de"[^>]*aria-current="true"/)
    expect(text).toMatch(/<form[^>]*action="\/browse\/language"/)
  })

  test('leads nowhere but to a public page', async () => {
    const other = new URL(app.panelUrl).port
    for (const referer of [
      'https://evil.example/browse',
      `http://localhost:${other}/browse`,
      `${app.panelUrl}//evil.example`,
      `${app.panelUrl}/login`,
      'x',
    ])
      expect([referer, (await choose('language=fr', { referer })).headers.location]).toEqual([referer, '/browse'])
    expect((await choose('language=fr', { referer: `${app.panelUrl}/s/${id}` })).headers.location).toBe(`/s/${id}`)
  })

  test.each([
    ['language=xx', {}, 400],
    ['', {}, 400],
    ['language=de', { 'sec-fetch-site': 'cross-site' }, 403],
    ['language=de', { origin: 'https://evil.example' }, 403],
    ['{"language":"de"}', { 'content-type': 'application/json' }, 400],
    ['language=de', { 'content-type': 'text/plain' }, 415],
    [`language=${'d'.repeat(300)}`, {}, 413],
  ])('rejects %.30s with %o', async (body, headers, status) => {
    const reply = await choose(body, headers)
    expect([reply.status, reply.headers['set-cookie'], JSON.parse(reply.text)]).toEqual([
      status,
      undefined,
      expect.objectContaining({ errors: [expect.any(String)] }),
    ])
  })
})

test('each page has a footer, with the links that the operator has configured', async () => {
  const footerOf = async (panel: TestApp, path: string) => {
    const { html } = await readPage(panel.anonymous, path)
    return linksOf({ html: /<footer.*<\/footer>/s.exec(html)?.[0] ?? '' }).map(({ href }) => href)
  }
  for (const path of ['/browse', at('/s/ID'), '/s/unknown']) expect(await footerOf(app, path)).toEqual(['/login', '/api/openapi.json'])
  const urls = ['https://muster.example/terms', 'https://muster.example/privacy', 'https://muster.example/imprint'] as const
  const [TERMS_URL, PRIVACY_URL, IMPRINT_URL] = urls
  const other = await startApp({ TERMS_URL, PRIVACY_URL, IMPRINT_URL }, { hasPages: true })
  expect(await footerOf(other, '/browse')).toEqual(['/login', '/api/openapi.json', ...urls])
})

test('robots.txt and the sitemap lead to the pages of the list and to listed servers', async () => {
  const robots = await get('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.text).toContain(`Sitemap: ${app.panelUrl}/sitemap.xml`)
  expect(robots.text).toContain('Disallow: /api/')
  const sitemap = await get('/sitemap.xml')
  const locations = Array.from(sitemap.text.matchAll(/<loc>(.*?)<\/loc>/g), ([, url]) => url)
  expect(locations).toEqual(['/browse', '/s/ID'].map((path) => app.panelUrl + at(path)))
  expect((await get('/sitemap.xml?page=1')).text).toBe(sitemap.text)
})

describe('with its own program', () => {
  test('a view needs no database: pages are served while it is unavailable', async () => {
    const proxy = await startFaultProxy({ path: `${inject('socketFolder')}/.s.PGSQL.5432` })
    onTestFinished(() => proxy.close())
    const other = await startApp({}, { hasPages: true, postgres: proxy.connection })
    const visitor = await other.newUser()
    const server = await buildServer(visitor, { name: 'Lantern' })
    await announceFrom(other, server.credential)
    await untilListed(other, ['Lantern'])
    proxy.stall()
    const paths = ['/browse', '/browse?q=lan&sort=name', '/browse?ids=ID', '/s/ID', '/s/ID/embed', '/sitemap.xml']
    for (const path of paths.map((each) => each.replace('ID', server.public_id))) {
      const page = await readPage(visitor, path)
      expect([path, page.status, page.html.includes(path.endsWith('xml') ? server.public_id : 'Lantern')]).toEqual([path, 200, true])
    }
    proxy.restore()
    await other.close()
    other.takeLogs()
  })

  test('an address that lets too many pages be built gets a page with Retry-After, and built pages stay free', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' }, { hasPages: true })
    let last = await readPage(limited.anonymous, '/browse')
    let built = 0
    // On a busy machine some tokens return meanwhile.
    while (last.status === 200 && built < 500) {
      built += 1
      last = await readPage(limited.anonymous, `/browse?q=search${built}`)
    }
    expect(last.status).toBe(429)
    expect(built).toBeGreaterThanOrEqual(60)
    expect([last.heading, last.headers.get('cache-control')]).toEqual(['Try again in a moment', 'no-store'])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await readPage(limited.anonymous, '/browse')).status).toBe(200)
    expect((await readPage(limited.anonymous, '/browse?q=search1')).status).toBe(200)
  })

  test('of 150 new pages at once, those that cannot wait are 503 with Retry-After, and a known page does not wait', async () => {
    expect((await get('/s/ID')).status).toBe(200)
    // Its next graph is due: this page is shown until it can be built.
    for (let minute = 0; minute < 5; minute += 1) {
      app.clock.advance(60_000)
      await announceFrom(app, credential)
    }
    const { port } = new URL(app.panelUrl)
    // A page for each host name: pages have their own address in them. All are sent at once, on one connection.
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
    onTestFinished(() => void socket.destroy())
    const requests = Array.from({ length: 150 }, (_, index) => `GET /s/${id} HTTP/1.1\r\nHost: h${index}.localhost\r\n`)
    socket.write(`${requests.join('\r\n')}Connection: close\r\n\r\n`)
    const ended: string[] = []
    const all = text(socket).then((received) => {
      ended.push('all')
      return received
    })
    // The first one's build is rejected, which leaves the page in memory.
    for (let turn = 0; turn < 2; turn += 1) ended.push(`known ${(await get('/s/ID')).status}`)
    const received = await all
    expect(ended).toEqual(['known 200', 'known 200', 'all'])
    const heads = received.split('HTTP/1.1 ').slice(1)
    const busy = heads.filter((head) => head.startsWith('503 '))
    expect(busy.length).toBeGreaterThan(0)
    // 32 are in progress and 100 wait, one of which may be the known page.
    expect(busy.length).toBeLessThanOrEqual(19)
    expect(heads.filter((head) => head.startsWith('200 '))).toHaveLength(150 - busy.length)
    for (const head of busy) expect(head).toMatch(/\r\nretry-after: 1\r\n/i)
  })

  test('PUBLIC_SITE=off leaves nothing of it', async () => {
    const off = await startApp({ PUBLIC_SITE: 'off' }, { hasPages: true })
    const server = await buildServer(await off.newUser(), { name: 'Lantern' })
    await announceFrom(off, server.credential)
    for (const path of [...PATHS, '/browse/', '/robots.txt', '/s/ID/og.png', '/s/ID/qr.svg']) {
      const page = await readPage(off.anonymous, path.replace('ID', server.public_id))
      expect([path, page.status, page.html.includes('Lantern')]).toEqual([path, 404, false])
    }
    await expect(off.runJob('refresh-trending')).rejects.toThrow('Unknown job')
  })
})

import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startApp } from '#tests/harness.ts'
import { send } from '#tests/list/send.ts'

test('every path of the panel is the same page, which links to its styles, code and first calls, and to texts in the language of the visitor', async () => {
  const app = await startApp({}, { hasPages: true })
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await app.anonymous.fetch(path, { headers })
    const link = reply.headers.get('link') ?? ''
    const names = [...link.matchAll(/assets\/([\w-]+?)-[\w-]{8}\.js>; rel=modulepreload/g)].map(([, name]) => name)
    const calls = [...link.matchAll(/<(\/api\/[^>]+)>; rel=preload; as=fetch; crossorigin/g)].map(([, call]) => call)
    return { html: await reply.text(), link, texts: names.at(-1), names, calls, reply }
  }
  const { html, reply } = await open('/')
  expect(html).toMatch(/<noscript>.*<a href="\/browse">/)
  for (const path of ['/login', '/servers/any', '/admin/users']) expect((await open(path)).html).toBe(html)
  const login = await open('/login')
  expect(login.calls).toEqual(['/api/about'])
  expect(login.link).toMatch(/^<\/theme\.js>; rel=preload; as=script, <\/assets\/[^>]+\.css>; rel=preload; as=style; crossorigin, /)
  expect(login.names).toEqual(expect.arrayContaining(['panel', 'en']))
  expect(login.names).not.toContain('member')
  const servers = await open('/servers')
  expect(servers.calls).toEqual(['/api/auth/me', '/api/users/tokens', '/api/about'])
  expect(servers.names).toEqual(expect.arrayContaining(['panel', 'member', 'en']))
  expect(reply.headers.get('cache-control')).toBe('no-cache')
  const etag = reply.headers.get('etag') ?? ''
  expect((await open('/', { 'if-none-match': etag })).reply.status).toBe(304)
  expect((await open('/')).texts).toBe('en')
  expect((await open('/', { 'accept-language': 'fr-CA, en;q=0.5' })).texts).toBe('fr')
  expect((await open('/', { 'accept-language': 'fr', cookie: 'muster_language=pt-BR' })).texts).toBe('pt-BR')
  expect((await open('/', { 'accept-language': 'pl', cookie: 'muster_language=xx' })).texts).toBe('pl')
})

test('assets never change, other files may, and unknown ones are not pages', async () => {
  const app = await startApp({}, { hasPages: true })
  const script = /src="(\/assets\/[^"]+)"/.exec(await (await app.anonymous.fetch('/')).text())?.[1] ?? ''
  expect((await app.anonymous.fetch(script)).headers.get('cache-control')).toContain('immutable')
  expect((await app.anonymous.fetch('/theme.js')).headers.get('cache-control')).toBe('public, max-age=86400')
  expect((await app.anonymous.fetch('/assets/unknown.js')).status).toBe(404)
  expect((await app.anonymous.fetch('/assets/../../package.json')).status).not.toBe(500)
})

test('browsers find an icon for tabs, for home screens and in the manifest', async () => {
  const app = await startApp({}, { hasPages: true })
  const read = async (path: string) => {
    const reply = await app.anonymous.fetch(path)
    const { headers } = reply
    return { type: headers.get('content-type'), cache: headers.get('cache-control'), bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  const favicon = await read('/favicon.ico')
  expect(favicon).toMatchObject({ type: 'image/vnd.microsoft.icon', cache: 'public, max-age=86400' })
  expect((await sharp(favicon.bytes.subarray(22)).metadata()).width).toBe(32)
  expect((await sharp((await read('/apple-touch-icon.png')).bytes).metadata()).width).toBe(180)
  const manifest = await read('/manifest.webmanifest')
  expect(manifest.type).toContain('application/manifest+json')
  const { name, icons } = JSON.parse(manifest.bytes.toString()) as { name: string; icons: { src: string; sizes: string }[] }
  expect([name, icons.map(({ sizes }) => sizes)]).toEqual(['Muster', ['192x192', '512x512', '512x512']])
  for (const { src, sizes } of icons) {
    const icon = await read(src)
    expect(icon).toMatchObject({ type: 'image/png', cache: 'public, max-age=86400' })
    expect(`${(await sharp(icon.bytes).metadata()).width}`).toBe(sizes.split('x')[0])
  }
})

test('a page that is opened by another host name redirects to PUBLIC_URL, once, and nothing else does', async () => {
  const app = await startApp({ PUBLIC_URL: 'http://localhost:4200' }, { hasPages: true })
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: reply } = await send(`${app.panelUrl}${path}`, { headers: { accept: 'text/html,*/*;q=0.8', ...headers } })
    return { status, location: reply.location, cookie: reply['set-cookie']?.[0]?.split(';', 1)[0] }
  }
  for (const path of ['/login', '/servers?q=a%20b', '//other.example/']) {
    expect(await open(path)).toEqual({ status: 302, location: `http://localhost:4200${path}`, cookie: 'muster_redirected=1' })
  }
  // A proxy that replaces the host name would redirect forever.
  expect(await open('/login', { cookie: 'muster_redirected=1' })).toMatchObject({ status: 200, location: undefined })
  // Proxies may drop the port.
  for (const host of ['localhost', 'LOCALHOST:8080']) expect((await open('/login', { host })).status).toBe(200)
  for (const path of ['/api/about', '/healthz', '/readyz', '/metrics', '/favicon.ico']) expect((await open(path)).status).toBe(200)
  expect((await open('/login', { accept: 'application/json' })).status).toBe(200)
  const unset = await startApp({}, { hasPages: true })
  expect((await send(`${unset.panelUrl}/login`, { headers: { accept: '*/*', host: 'localhost' } })).status).toBe(200)
})

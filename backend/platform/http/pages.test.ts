import type { FastifyRequest } from 'fastify'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { about } from '#contract/public-site/about.ts'
import { startApp } from '#tests/harness.ts'
import { send } from '#tests/list/send.ts'
import { openPages } from './pages.ts'

function page(url: string, { usesLocalIdentity = false, PUBLIC_SITE = true }) {
  return openPages({ usesLocalIdentity, PUBLIC_SITE }).pageFor(url.slice(1), { cookies: {}, headers: {} } as unknown as FastifyRequest)
}

test('only the login page is marked for local sign-in, and only if no Discord application is configured', () => {
  const isMarked = (usesLocalIdentity: boolean, url: string) =>
    page(url, { usesLocalIdentity })?.html.includes('<div id="app" data-local-sign-in')
  expect([isMarked(true, '/login'), isMarked(false, '/login'), isMarked(true, '/servers')]).toEqual([true, false, false])
  expect(page('/login', { usesLocalIdentity: true })?.etag).not.toBe(page('/login', {})?.etag)
})

test('the panel and the login page link to the public list without JavaScript, and not without the public site', async () => {
  for (const url of ['/', '/login']) expect(page(url, {})?.html).toMatch(/<a href="\/browse"[^>]*>Browse all servers<\/a>/)
  const app = await startApp({ PUBLIC_SITE: 'off' }, { hasPages: true })
  for (const url of ['/', '/login']) expect(await (await app.anonymous.fetch(url)).text()).not.toContain('browse')
  expect((await app.anonymous.call(about)).data.public_site).toBe(false)
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
    expect(icon).toMatchObject({ type: 'image/png', cache: expect.stringContaining('immutable') })
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

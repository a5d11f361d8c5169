/** BRAND_NAME, BRAND_LOGO and BRAND_ACCENT: what visitors get, and which values are rejected. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as about from '#contract/public-site/about.ts'
import { readEnv } from '#backend/platform/env.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { SVG_LOGO, pngLogo } from '#tests/logos.ts'

const NAME = `Kiez & "Töwn" <b>'s`
const ESCAPED = 'Kiez &amp; &quot;Töwn&quot; &lt;b&gt;&#39;s'
const folder = mkdtempSync(join(tmpdir(), 'muster-branding-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function logoFile(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const get = async (app: TestApp, path: string, headers: Record<string, string> = {}) => {
  const reply = await app.anonymous.fetch(path, { headers, redirect: 'manual' })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}
const textOf = async (app: TestApp, path: string) => (await get(app, path)).bytes.toString()

describe('with a name, a logo and a colour', () => {
  let app: TestApp
  beforeAll(async () => {
    const logo = logoFile('logo.svg', SVG_LOGO)
    app = await startApp(
      { BRAND_NAME: NAME, BRAND_LOGO: logo, BRAND_ACCENT: '#0D6B4F', IMPRINT_URL: 'https://kiez.example/imprint' },
      { hasPages: true },
    )
  })

  test.each(['/login', '/browse'])('%s has them from its first byte', async (path) => {
    const html = await textOf(app, path)
    expect(html).not.toContain('Muster')
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1]?.replaceAll('&#x27;', '&#39;')
    expect(title).toMatch(new RegExp(`${ESCAPED}$`))
    expect(html).toMatch(/<link rel="icon" href="\/brand\/logo"/)
    expect(html).toMatch(/<link rel="apple-touch-icon" href="\/brand\/logo"/)
    expect(html).toMatch(/<link rel="manifest" href="\/brand\/manifest\.webmanifest"/)
    // After the styles that it replaces.
    const styles = Array.from(html.matchAll(/<link[^>]* rel="stylesheet"[^>]*>|<link rel="stylesheet"[^>]*>/g), ([link]) => link)
    expect(styles.at(-1)).toContain('href="/brand/accent.css?v=0d6b4f"')
    expect(styles.length).toBeGreaterThan(1)
  })

  test('the manifest has the name and the logo', async () => {
    const { headers, bytes } = await get(app, '/brand/manifest.webmanifest')
    expect(headers.get('content-type')).toContain('application/manifest+json')
    expect(JSON.parse(bytes.toString())).toMatchObject({
      name: NAME,
      icons: [{ src: '/brand/logo', sizes: 'any' }],
      theme_color: '#0b0c0f',
    })
  })

  test('the colour is a file of its own, which the policy of the pages allows', async () => {
    const { headers, bytes } = await get(app, '/brand/accent.css?v=0d6b4f')
    expect(headers.get('content-type')).toContain('text/css')
    expect(bytes.toString()).toContain('--accent:light-dark(#0d6b4f,')
    expect((await get(app, '/login')).headers.get('content-security-policy')).toContain("style-src 'self'")
  })

  test('the logo has its type, runs nothing, and is sent once', async () => {
    const { headers, bytes } = await get(app, '/brand/logo')
    expect(bytes.toString()).toBe(SVG_LOGO)
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    expect((await get(app, '/brand/logo', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304)
  })

  test('players read it after signing in to cloud auth', async () => {
    const page = await (await fetch(`${app.listUrl}/cloud-auth/callback?code=1`)).text()
    expect(page).toContain(`· ${ESCAPED}</title>`)
  })

  test('public pages tell networks the name, and the login learns the links', async () => {
    expect((await textOf(app, '/browse')).replaceAll('&#x27;', '&#39;')).toContain(`<meta property="og:site_name" content="${ESCAPED}"`)
    expect((await app.anonymous.call(about.about)).data).toMatchObject({
      terms_url: null,
      privacy_url: null,
      imprint_url: 'https://kiez.example/imprint',
    })
  })
})

test('without them, the pages are the product’s, and there are no such files', async () => {
  const app = await startApp({}, { hasPages: true })
  for (const path of ['/login', '/browse']) {
    const html = await textOf(app, path)
    expect(html).toMatch(/<title>(?:.* · )?Muster<\/title>/)
    expect(html).not.toContain('brand')
  }
  for (const path of ['/brand/logo', '/brand/accent.css', '/brand/manifest.webmanifest'])
    expect((await get(app, path)).headers.get('content-type')).toContain('text/html')
})

test('a logo of a URL is loaded while the program runs, and the last good one stays', async () => {
  let answer: { status: number; body: string | Buffer } = { status: 503, body: '' }
  const host = createServer((_request, response) => response.writeHead(answer.status).end(answer.body)).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const app = await startApp({ BRAND_LOGO: `http://127.0.0.1:${(host.address() as AddressInfo).port}/logo` })
  await app.runJob('load-brand-logo')
  expect(await get(app, '/brand/logo')).toMatchObject({ status: 302 })
  expect((await get(app, '/brand/logo')).headers.get('location')).toBe('/icon.svg')
  // Logged once.
  expect(app.takeLogs().join()).toContain('BRAND_LOGO answers with status 503.')
  const png = await pngLogo(64)
  answer = { status: 200, body: png }
  await app.runJob('load-brand-logo')
  const loaded = await get(app, '/brand/logo')
  expect(loaded.headers.get('content-type')).toBe('image/png')
  expect(loaded.bytes.equals(png)).toBe(true)
  answer = { status: 200, body: Buffer.alloc(300 * 1024) }
  await app.runJob('load-brand-logo')
  expect(app.takeLogs().join()).toContain('BRAND_LOGO must be a file of at most 256 KiB.')
  expect((await get(app, '/brand/logo')).bytes.equals(png)).toBe(true)
  host.close()
})

describe('a wrong value is rejected at the start', () => {
  const rejectionOf = (variables: Record<string, string>) => {
    try {
      readEnv(variables)
    } catch (error) {
      return (error as Error).message.split('\n').slice(1).join()
    }
    return undefined
  }

  test.each([
    ['BRAND_NAME', 'x'.repeat(41), 'must have at most 40 characters.'],
    ['BRAND_NAME', 'two\nlines', 'must not have line breaks or other invisible characters.'],
    ['BRAND_ACCENT', 'blue', 'must be a colour such as #2f6fed.'],
    ['BRAND_ACCENT', '#12345', 'must be a colour such as #2f6fed.'],
    ['BRAND_LOGO', '/does/not/exist.png', "names a file that can't be read."],
    [
      'BRAND_LOGO',
      'ftp://kiez.example/logo.png',
      'must be a path, or a URL that begins with http:// or https:// and contains no username.',
    ],
  ])('%s=%s', (name, value, sentence) => {
    expect(rejectionOf({ [name]: value })).toBe(`  - ${name} ${sentence}`)
  })

  test('a colour that is hard to read in both themes, with the nearest that is not', () => {
    const sentence = rejectionOf({ BRAND_ACCENT: '#5865f2' })
    expect(sentence).toMatch(/BRAND_ACCENT is hard to read .* below 4\.5:1\. The nearest colour that reaches it is #[0-9a-f]{6}\.$/)
    expect(rejectionOf({ BRAND_ACCENT: sentence?.slice(-8, -1) ?? '' })).toBeUndefined()
  })

  test.each<[string, () => Promise<Buffer> | string | Buffer, string]>([
    ['wide.png', () => pngLogo(128, 64), 'must be a square of 64 to 1024 pixels; this one has 128 x 64'],
    ['small.png', () => pngLogo(32), 'must be a square of 64 to 1024 pixels; this one has 32 x 32'],
    ['cut.png', async () => (await pngLogo(64)).subarray(0, 12), 'must be a square of 64 to 1024 pixels; this one has 0 x 0'],
    ['large.svg', () => SVG_LOGO.replace('<path', `<!--${'x'.repeat(256 * 1024)}--><path`), 'must be a file of at most 256 KiB'],
    ['wide.svg', () => SVG_LOGO.replace('0 0 64 64', '0 0 128 64'), 'must be an SVG whose viewBox is a square'],
    ['none.svg', () => SVG_LOGO.replace(/ viewBox="[^"]*"/, ''), 'must be an SVG whose viewBox is a square'],
    ['page.html', () => '<!doctype html><body><svg viewBox="0 0 1 1"></svg>', 'must be a PNG or SVG file'],
    ['photo.jpg', () => Buffer.from('ffd8ffe000104a464946', 'hex'), 'must be a PNG or SVG file'],
  ])('a logo like %s', async (file, content, sentence) => {
    expect(rejectionOf({ BRAND_LOGO: logoFile(file, await content()) })).toBe(`  - BRAND_LOGO ${sentence}.`)
  })
})
